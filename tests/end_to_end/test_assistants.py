"""Assistants ask the book, over loopback and over pipes: by the SDK's client, and by the inspector."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.end_to_end.site import COMMAND, Site

QUESTION = "How often does the lidar of Kestrel scan?"
HERTZ = "The lidar of Kestrel scans at 12 Hz."
LIMIT = 4
"""Calls in a minute."""

TURNS = 3
"""Minutes that a test may meet the turn of."""

INSPECTOR = Path(__file__).parents[1] / "inspector"


@contextmanager
def served(site: Site, *options: str) -> Iterator[str]:
    """A server of the site's book, and the address for assistants."""
    command = [COMMAND, "serve", "--port", "0", *options]
    with subprocess.Popen(
        command, cwd=site.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            yield next(word for word in server.stdout.readline().split() if word.startswith("http")) + "/mcp"
        finally:
            server.terminate()


def key_of(site: Site, client_id: str) -> str:
    """The key of a new client."""
    added = site.run("clients", "add", client_id, "--limit", str(LIMIT), "--json")
    assert added.returncode == 0, added.stderr
    return str(json.loads(added.stdout)["key"])


async def use_up(client: Client) -> None:
    """Ask until the key's limit is reached; the minute that it counts may end in between."""
    for _ in range(TURNS * LIMIT):
        over = await client.call_tool("ask_book", {"question": QUESTION})
        if over.is_error:
            break
    assert over.is_error and "more than is allowed" in str(over.content)


async def use_up_all(url: str, key: str) -> None:
    """The same by a client of the SDK."""
    async with over_http(url, Authorization=f"Bearer {key}") as client:
        await use_up(client)


def records(site: Site) -> list[dict[str, Any]]:
    """The audit trail, oldest first."""
    files = site.folder.rglob("records/**/*.jsonl")
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return sorted(lines, key=lambda one: str(one["timestamp"]))


@asynccontextmanager
async def over_http(url: str, **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


@asynccontextmanager
async def over_pipes(site: Site) -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=COMMAND, args=["mcp"], cwd=site.folder)
    async with Client(stdio_client(parameters)) as client:
        yield client


async def use(client: Client) -> None:
    """Ask, search, read and list, and come to an error, as an assistant would."""
    answer = await client.call_tool("ask_book", {"question": QUESTION})
    assert [one["text"] for one in answer.structured_content["sentences"]] == [HERTZ]
    found = await client.call_tool("search_book", {"query": "lidar"})
    [first, *_] = found.structured_content["passages"]
    assert HERTZ in first["text"]
    section = await client.call_tool("read_section", {"address": first["url"]})
    assert section.structured_content["text"] == HERTZ
    wrong = await client.call_tool("read_section", {"address": "/nowhere"})
    assert wrong.is_error


@pytest.mark.rule("A1", "A4")
def test_an_assistant_starts_the_server_itself(site: Site) -> None:
    """Over pipes; all that is asked is one session, in which answer and search are on record."""

    async def session() -> None:
        async with over_pipes(site) as client:
            await use(client)
            [contents] = (await client.read_resource("book://contents")).contents
            assert "- Safety Rules (Page" in str(contents.text)  # type: ignore[union-attr]

    asyncio.run(session())
    kept = records(site)
    assert [one["asked_for"] for one in kept] == ["answer", "passages"]
    assert len({one["session_id"] for one in kept}) == 1
    assert {one["client_id"] for one in kept} == {"mcp-stdio"}


def test_a_server_that_has_no_book_says_what_to_do(tmp_path: Path) -> None:
    """One line, on the stream that is not the protocol's."""
    done = subprocess.run(
        [COMMAND, "mcp"], cwd=tmp_path, input="", capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "ingest" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.rule("A1", "S1", "S2")
def test_an_assistant_asks_a_guarded_server_with_a_key(site: Site) -> None:
    """Its calls are its client's, on record and towards the limit; without a key there is no call."""

    async def calls(url: str, key: str) -> None:
        async with over_http(url, Authorization=f"Bearer {key}") as client:
            await use(client)
            await use_up(client)
        async with httpx2.AsyncClient(trust_env=False) as http:
            assert (await http.post(url, json={})).status_code == 401

    key = key_of(site, "editor")
    with served(site, "--guarded") as url:
        asyncio.run(calls(url, key))
    assert {one["client_id"] for one in records(site)} == {"editor"}


@pytest.mark.rule("A4")
def test_an_erasure_reaches_what_assistants_asked(site: Site) -> None:
    """Answers and searches of the session alike."""

    async def calls(url: str) -> str:
        async with over_http(url) as client:
            answer = await client.call_tool("ask_book", {"question": QUESTION})
            session = str(answer.structured_content["session_id"])
            await client.call_tool("search_book", {"query": "lidar", "session_id": session})
            return session

    with served(site) as url:
        session = asyncio.run(calls(url))
    assert {one["session_id"] for one in records(site)} == {session}
    erased = site.run("audit", "erase", "--session", session, "--yes")
    assert erased.returncode == 0, erased.stderr
    assert records(site) == []


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The inspector, as its lock file pins it, with a Node that it takes."""
    folder = tmp_path_factory.mktemp("inspector")
    for name in ("package.json", "package-lock.json"):
        (folder / name).write_bytes((INSPECTOR / name).read_bytes())
    command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder


def inspect(inspector: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and result of one call of its command line."""
    bin_ = inspector / "node_modules" / ".bin"
    environment = {"PATH": f"{bin_}:{os.environ['PATH']}", "HOME": str(inspector)}
    command = [str(bin_ / "mcp-inspector"), "--cli", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=100)
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {"said": done.stderr}


def tool(name: str, *pairs: str) -> tuple[str, ...]:
    arguments = [part for pair in pairs for part in ("--tool-arg", pair)]
    return ("--method", "tools/call", "--tool-name", name, *arguments)


def inspected(inspector: Path, *target: str) -> None:
    """All tools, the resource and the errors, by the inspector."""

    def call(*arguments: str) -> dict[str, Any]:
        _, result = inspect(inspector, *target, *arguments)
        assert "said" not in result, result["said"]
        return result

    listed = call("--method", "tools/list")["tools"]
    assert [one["name"] for one in listed] == ["ask_book", "search_book", "read_section"]
    answer = call(*tool("ask_book", f"question={QUESTION}"))["structuredContent"]
    assert [one["text"] for one in answer["sentences"]] == [HERTZ]
    refusal = call(*tool("ask_book", "question=Who painted the Mona Lisa?"))["structuredContent"]
    assert refusal["was_refusal"] and refusal["refusal_reason"]
    [first, *_] = call(*tool("search_book", "query=lidar"))["structuredContent"]["passages"]
    section = call(*tool("read_section", f"address={first['url']}"))["structuredContent"]
    assert section["text"] == HERTZ
    contents = call("--method", "resources/read", "--uri", "book://contents")["contents"]
    assert "- Safety Rules (Page" in contents[0]["text"]
    for bad in (tool("ask_book", "question=   "), tool("read_section", "address=/nowhere")):
        wrong = call(*bad)
        assert wrong["isError"] and "do not answer in its name" in wrong["content"][0]["text"]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_inspector_finds_all_that_there_is_at_an_open_server(site: Site, inspector: Path) -> None:
    """Over HTTP."""
    with served(site) as url:
        inspected(inspector, url)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_inspector_finds_all_that_there_is_over_pipes(site: Site, inspector: Path) -> None:
    """As a program that starts the server itself."""
    data = str(site.folder / ".bookbound")
    inspected(inspector, COMMAND, "--data", data, "mcp", "--")


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.rule("S1", "S2")
def test_the_inspector_needs_a_key_at_a_guarded_server(site: Site, inspector: Path) -> None:
    """And comes to the key's limit."""
    key = key_of(site, "inspector")
    with served(site, "--guarded") as url:
        ask = tool("ask_book", f"question={QUESTION}")
        code, _ = inspect(inspector, url, *ask)
        assert code != 0
        keyed = ("--header", f"Authorization: Bearer {key}", *ask)
        _, answered = inspect(inspector, url, *keyed)
        assert not answered.get("isError")
        for _ in range(TURNS):
            asyncio.run(use_up_all(url, key))
            _, limited = inspect(inspector, url, *keyed)
            if limited.get("isError"):
                break
    assert "more than is allowed in a minute" in limited["content"][0]["text"]
