"""A server on loopback that stands where one of AWS would: what it answers is a function of the request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Asked:
    """A request: `target` is what its header X-Amz-Target says."""

    method: str
    path: str
    target: str
    body: bytes


Reply = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


@contextmanager
def answering(respond: Callable[[Asked], Reply]) -> Iterator[str]:
    """Serve in a thread; yields the address, and stops with the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            target = self.headers.get("X-Amz-Target", "")
            status, headers, content = respond(Asked(self.command, self.path, target, body))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
