"""Far more is asked at once than one machine can answer in time."""

from __future__ import annotations

import asyncio
import subprocess
from collections import Counter

import httpx
import pytest

from tests.end_to_end.site import COMMAND, Site

pytestmark = pytest.mark.long

QUESTION = {"question": "How often does the lidar of Kestrel scan?"}
AT_ONCE = 400
"""Questions at once, more than any server answers in the second for which a question waits."""


async def ask_at_once(url: str) -> list[httpx.Response]:
    limits = httpx.Limits(max_connections=AT_ONCE)
    async with httpx.AsyncClient(timeout=60, trust_env=False, limits=limits) as client:
        asked = [client.post(f"{url}/v1/chat", json=QUESTION) for _ in range(AT_ONCE)]
        return await asyncio.gather(*asked)


def served(site: Site) -> subprocess.Popen[str]:
    """Start the server without its log: it is not read here, and a full pipe would block it."""
    command = [COMMAND, "serve", "--port", "0"]
    log = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=site.folder, stdout=subprocess.PIPE, stderr=log, text=True)


def test_some_are_answered_and_the_others_are_told_to_come_back(site: Site) -> None:
    """No question runs out of time, and those turned away are on no record."""
    with served(site) as server:
        try:
            assert server.stdout is not None
            url = next(word for word in server.stdout.readline().split() if word.startswith("http"))
            responses = asyncio.run(ask_at_once(url))
        finally:
            server.terminate()
    statuses = Counter(response.status_code for response in responses)
    assert statuses.keys() == {200, 503}
    turned_away = [response for response in responses if response.status_code == 503]
    assert {response.headers["content-type"] for response in turned_away} == {"application/problem+json"}
    assert all(int(response.headers["retry-after"]) > 0 for response in turned_away)
    records = [
        line for file in site.folder.rglob("records/**/*.jsonl") for line in file.read_text().splitlines()
    ]
    assert len(records) == statuses[200]
