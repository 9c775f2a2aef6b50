"""The first deploy as docs/deploy.md tells it, in a fresh copy of the project, up to where AWS is called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "deploy.md").read_text("utf-8")
FIRST = GUIDE[GUIDE.index("## The first deploy") : GUIDE.index("## From the book's own repository")]

BEFORE_AWS = re.findall(r"^\d+\. \*\*[^*]+\*\*[^`]*`(make [^`]+)`", FIRST, re.MULTILINE)
"""The steps that are one command of make, in their order."""

DENIED = (
    b"<ErrorResponse><Error><Code>AccessDenied</Code><Message>no account</Message></Error></ErrorResponse>"
)

MINUTES = 10


class NoAws:
    """A loopback server in the place of AWS: knows who calls, refuses the rest, remembers what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                asked.append(parse_qs(body.decode("latin-1")).get("Action", [self.path])[0])
                self.send_response(403)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(DENIED)))
                self.end_headers()
                self.wfile.write(DENIED)

            do_GET = do_PUT = do_POST  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[NoAws]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The project's own files in a new folder, without anything that a command made."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_guide_has_the_steps_that_are_walked() -> None:
    """Bootstrap comes before deploy, and publishing after it."""
    assert [step.split()[1] for step in BEFORE_AWS] == ["bootstrap", "deploy", "ingest", "doctor", "smoke"]


@pytest.mark.long
@pytest.mark.parametrize("step", BEFORE_AWS[:2], ids=lambda step: step.split()[1])
def test_a_fresh_clone_comes_as_far_as_aws(step: str, clone: Path) -> None:
    """Each command installs what it needs, synthesises the stage, and fails only where AWS says no."""
    with NoAws().serving() as aws:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "VIRTUAL"))},
            "AWS_ENDPOINT_URL": aws.url,
            "AWS_REGION": "eu-central-1",
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        ran = subprocess.run(
            step.split(),
            cwd=clone,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=MINUTES * 60,
            check=False,
        )
    said = ran.stdout + ran.stderr
    assert ran.returncode != 0
    assert "not found" not in said
    assert "Traceback" not in said
    assert aws.asked, said
    assert (clone / ".venv" / "bin" / "python").exists()
    if "deploy" in step:
        assert "make bootstrap" in said
