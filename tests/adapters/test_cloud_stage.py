"""A stage as `wiring` builds it: what a question leaves behind, and what a start imports."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from bookbound import wiring
from bookbound.errors import BookNotFound, Unavailable
from bookbound.settings import Settings
from testing.small_book import PAGES
from testing.staged import ACCOUNT, Staged, ask, objects, stage, told

GENERATOR = "bookbound.adapters.vendors.claude"
STAND_IN = "bookbound.adapters.bundled.extractive"
READER = "bookbound.adapters.bundled.reader"
VENDORS = ("anthropic", "boto3", "botocore", "cohere", "httpx", "mcp", "openpyxl", "qdrant_client")
WATCHED = [*VENDORS, "onnxruntime", READER, GENERATOR, STAND_IN]


@pytest.mark.rule("A1", "A2", "E3")
async def test_a_question_and_its_feedback_are_on_record(staged: Staged) -> None:
    """The answer comes from the published version; stream and bucket have what is to be kept."""
    version = await asyncio.to_thread(staged.publish)
    async with wiring.local(staged.settings) as app:
        result = await ask(app)
        await app.feedback.put(result.answer_id, "correct", None)
    assert "12 Hz" in told(result)
    [(_, record)] = objects("audit", "records/").items()
    [(_, feedback)] = objects("audit", "feedback/").items()
    assert json.loads(record)["book_version"] == version == result.book.version
    assert json.loads(record)["answer_id"] == json.loads(feedback)["answer_id"] == str(result.answer_id)


@pytest.mark.rule("I4")
async def test_what_is_published_while_it_serves_is_what_it_says_next(staged: Staged) -> None:
    """No restart in between."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(staged.settings) as app:
        assert "12 Hz" in told(await ask(app))
        await asyncio.to_thread(staged.publish, sensors=PAGES["sensors.md"].replace("12 Hz", "15 Hz"))
        for _ in range(20):  # a machine that is busy may need a second look
            await app.renew()
            if "15 Hz" in told(await ask(app)):
                return
    raise TimeoutError


def test_one_system_answers_in_an_event_loop_for_each_request(staged: Staged) -> None:
    """The system is built once, outside any loop, as a function behind a gateway may do."""
    staged.publish()
    app = wiring.build(staged.settings)
    asyncio.run(app.warm())
    for _ in range(2):
        assert asyncio.run(app.ready())
        assert "12 Hz" in told(asyncio.run(ask(app)))
        asyncio.run(app.renew())
    asyncio.run(app.aclose())


async def test_a_warm_system_asks_for_nothing_that_it_has(staged: Staged) -> None:
    """Keys, version and its count of points are there; what is left is the question's own three requests."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(staged.settings) as app:
        await app.warm()
        boto3.client("secretsmanager").delete_secret(SecretId="vendors", ForceDeleteWithoutRecovery=True)
        for vendor in staged.vendors():
            vendor.requests.clear()
        await ask(app)
    paths = [
        request.path.rpartition("/points")[2] for vendor in staged.vendors() for request in vendor.requests
    ]
    assert sorted(paths) == ["/query/batch", "/v1/messages", "/v2/embed"]


async def test_a_stage_without_book_or_keys_warms_and_renews_as_far_as_it_can(
    staged: Staged, caplog: pytest.LogCaptureFixture
) -> None:
    """The first deploy has neither yet and must not fail; a caller that asks gets an error."""
    staged.keep_keys(claude_api_key="")
    async with wiring.local(staged.settings) as app:
        await app.warm()
        await app.renew()
        assert "left to the first question" in caplog.text
        with pytest.raises(Unavailable):
            await ask(app)
    staged.keep_keys()
    async with wiring.local(staged.settings) as app:
        await app.warm()
        with pytest.raises(BookNotFound):
            await ask(app)


@pytest.fixture
def account_on_loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An account that another process can reach."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {**ACCOUNT, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    try:
        yield
    finally:
        server.stop()


@pytest.mark.usefixtures("account_on_loopback")
def test_what_a_question_needs_is_imported_before_its_time_is_counted(tmp_path: Path) -> None:
    """All of it when the system is built; nothing of an ingest's, assistants' or the stand-in's, ever."""
    with stage(tmp_path) as staged:
        staged.publish()
        seen = _imports_at_each_step(staged.settings.model_copy(update={"daily_tokens": 200_000}))
    needed = [name for name in WATCHED if name not in ("openpyxl", "mcp", STAND_IN)]
    assert seen == dict.fromkeys(("built", "bad request", "refused", "answered"), needed)


def _imports_at_each_step(settings: Settings) -> dict[str, list[str]]:
    """Return the imports of WATCHED at each step, in a fresh interpreter."""
    names = sorted(settings.model_fields_set)
    script = Path(__file__).with_name("start.py")
    command = [
        sys.executable,
        str(script),
        settings.model_dump_json(include=set(names)),
        json.dumps(WATCHED),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    seen: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return seen
