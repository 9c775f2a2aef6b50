"""A book is ingested again while a server answers from it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.end_to_end.site import Site

pytestmark = pytest.mark.long

QUESTION = "How often does the lidar of Kestrel scan?"


def ask(url: str) -> dict[str, Any]:
    response = httpx.post(f"{url}/v1/chat", json={"question": QUESTION}, timeout=30)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


@pytest.mark.rule("I4")
def test_a_running_server_answers_from_the_new_version(site: Site) -> None:
    """The ingest is not locked out by the server, and the server needs no restart."""
    with site.start("serve", "--port", "0") as server:
        try:
            assert server.stdout is not None
            url = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            before = ask(url)
            site.write("sensors.md", "# Sensors of Kestrel\n\nThe lidar of Kestrel scans at 15 Hz.\n")
            report = site.ingest()
            after = ask(url)
        finally:
            server.terminate()
    assert "12 Hz" in before["answer"]
    assert "15 Hz" in after["answer"]
    assert (report["embedded"], report["reused"]) == (1, report["windows"] - 1)
    assert after["book"]["version"] == report["version"] != before["book"]["version"]
