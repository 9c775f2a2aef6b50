"""The guarded server on a real socket: what HTTP itself refuses never comes to the door."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import uvicorn

from tests.access.credentials import Keyring, furnished
from tests.access.doors import QUESTION, LocalDoor, local_door


@dataclass
class Served:
    """The server, with who is known there."""

    ring: Keyring
    port: int

    def post(self, *headers: bytes) -> int:
        """The status of a question with these very header lines."""
        lines = (
            b"POST /v1/chat HTTP/1.1",
            b"Host: 127.0.0.1",
            b"Content-Type: application/json",
            b"Content-Length: %d" % len(QUESTION),
            b"Connection: close",
            *headers,
        )
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + QUESTION)
            return int(connection.makefile("rb").readline().split()[1])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with local_door(tmp_path_factory.mktemp("served")) as door, serving(door) as port:
        yield Served(furnished(door), port)


@contextmanager
def serving(door: LocalDoor) -> Iterator[int]:
    """The port where the server takes requests."""
    server = uvicorn.Server(uvicorn.Config(door.app, lifespan="off", log_level="warning"))
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


Lines = Callable[[bytes], list[bytes]]

REFUSED: dict[str, tuple[Lines, int]] = {
    "NUL in key": (lambda key: [b"Authorization: Bearer " + key[:20] + b"\0" + key[20:]], 400),
    "newline in key": (lambda key: [b"Authorization: Bearer " + key[:20] + b"\n" + key[20:]], 400),
    "carriage return in key": (lambda key: [b"Authorization: Bearer " + key[:20] + b"\r" + key[20:]], 400),
    "name with a space": (lambda key: [b"Authorization : Bearer " + key], 400),
    "two headers": (lambda key: [b"Authorization: Bearer " + key] * 2, 401),
    "10 kB header": (lambda key: [b"Authorization: Bearer " + key + b"a" * 10_000], 401),
    "bytes beyond ASCII": (lambda key: [b"Authorization: Bearer " + key[:-1] + b"\xc3\xa9"], 401),
    "no header": (lambda key: [], 401),
}


@pytest.mark.rule("S1")
@pytest.mark.parametrize(("lines", "status"), REFUSED.values(), ids=REFUSED)
def test_a_header_that_is_none_is_refused(served: Served, lines: Lines, status: int) -> None:
    """The HTTP server refuses it with 400 or the door with 401; the API is not asked."""
    asked = len(served.ring.door.behind.answers.asked)
    assert served.post(*lines(served.ring.keys["campus"].encode())) == status
    assert len(served.ring.door.behind.answers.asked) == asked


@pytest.mark.rule("S1")
@pytest.mark.parametrize("spelling", [b"Authorization: Bearer %s", b"AUTHORIZATION:bearer %s  \t"])
def test_a_good_header_gets_in(served: Served, spelling: bytes) -> None:
    """However its name and its scheme are spelt."""
    assert served.post(spelling % served.ring.keys["campus"].encode()) == 200
