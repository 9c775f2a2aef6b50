"""Every kind of credential at both doors: which callers get in, and which error the others get."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest

from bookbound.access import credentials
from bookbound.api.mcp import server  # noqa: F401 - what the first assistant would wait for
from bookbound.api.problems import UNAUTHENTICATED
from tests.access.bad_tokens import TOKENS
from tests.access.credentials import (
    ELSEWHERE,
    FORBIDDEN,
    KEYS,
    LET_IN,
    Keyring,
    Make,
)
from tests.access.doors import Answer, Attempt
from tests.api.samples import ANSWER_ID

STRANGERS = {**KEYS, **{f"token: {name}": case for name, case in TOKENS.items()}}
SECRET_CHARACTERS = 8
"""Number of consecutive characters of a credential that may not appear in the log."""


def tried(ring: Keyring, attempt: Attempt) -> tuple[Answer, int, int]:
    """The answer, how many questions were asked for it, and how many calls were counted."""
    asked, counted = len(ring.door.behind.answers.asked), sum(ring.door.counted().values())
    answer = ring.door(attempt)
    return (
        answer,
        len(ring.door.behind.answers.asked) - asked,
        sum(ring.door.counted().values()) - counted,
    )


def assert_silent(attempt: Attempt, log: str) -> None:
    """No part of a credential is in the log; the names of schemes and headers may be."""
    parts = [
        value[start : start + SECRET_CHARACTERS].decode("latin-1")
        for name, value in attempt.headers
        if name in (b"Authorization", b"Cookie", b"X-Api-Key")
        for start in range(len(b"Bearer "), len(value) - SECRET_CHARACTERS)
    ]
    assert not [part for part in parts if part.strip() and part in log]


@pytest.mark.rule("S1", "S4")
@pytest.mark.parametrize("make", LET_IN.values(), ids=LET_IN)
def test_who_is_known_gets_in_and_is_counted(ring: Keyring, make: Make) -> None:
    """Once for each of the quotas of a key or of a page."""
    answer, asked, counted = tried(ring, make(ring))
    assert (answer.status, asked) == (200, 1)
    assert counted == (2 if ring.door.behind.answers.question.client_id.startswith("browser-") else 1)


@pytest.mark.rule("S1", "S4", "S5")
@pytest.mark.parametrize(("make", "reason"), STRANGERS.values(), ids=STRANGERS)
def test_whoever_is_not_known_is_told_nothing(
    ring: Keyring,
    make: Make,
    reason: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """401 in the same words for all; nothing is asked or counted, and the log has the reason alone."""
    caplog.set_level(logging.INFO)
    attempt = make(ring)
    answer, asked, counted = tried(ring, attempt)
    assert (answer.status, asked, counted) == (401, 0, 0)
    assert json.loads(answer.problem) == {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "detail": UNAUTHENTICATED,
    }
    assert answer.headers["www-authenticate"] == "Bearer"
    ours = [record.getMessage() for record in caplog.records if record.name == "bookbound.authorizer"]
    gateway_alone = ring.door.name != "local" and not any(
        name == b"Authorization" and value for name, value in attempt.headers
    )
    assert ours == ([] if gateway_alone else [f"refused: {reason}"])
    printed = capfd.readouterr()
    assert_silent(attempt, f"{caplog.text}{printed.out}{printed.err}")


@pytest.mark.rule("S1")
def test_a_wrong_key_gets_the_very_bytes_that_an_unknown_client_gets(ring: Keyring) -> None:
    """All except the request's id is the same, so a caller cannot learn which clients exist."""
    problems = {ring.door(make(ring)).problem for make, _ in STRANGERS.values()}
    assert len(problems) == 1


@pytest.mark.rule("S3", "S4")
@pytest.mark.parametrize("make", ELSEWHERE.values(), ids=ELSEWHERE)
def test_who_is_known_gets_no_further_than_he_may(
    ring: Keyring, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    """403 for other books and other sites; nothing is asked, and nothing is counted."""
    caplog.set_level(logging.INFO)
    attempt = make(ring)
    answer, asked, counted = tried(ring, attempt)
    assert (answer.status, asked, counted) == (403, 0, 0)
    assert [
        record.__dict__.get("outcome") for record in caplog.records if record.name == "bookbound.api"
    ] == [FORBIDDEN]
    assert_silent(attempt, caplog.text)


@pytest.mark.rule("S1", "S4")
@pytest.mark.parametrize(
    "name", ["no header", "unknown id", "revoked", "token: expired", "token: wrong audience"]
)
def test_verdicts_are_guarded_as_questions_are(ring: Keyring, name: str) -> None:
    """401, and none is taken."""
    make, _ = STRANGERS[name]
    body = json.dumps({"answer_id": str(ANSWER_ID), "verdict": "correct"}).encode()
    answer, _, counted = tried(ring, replace(make(ring), path="/v1/feedback", body=body))
    assert (answer.status, counted, ring.door.behind.feedback.taken) == (401, 0, [])


@pytest.mark.rule("S1", "S5")
def test_no_door_keeps_a_key(ring: Keyring) -> None:
    """Hashes are what table and file hold."""
    kept = ring.door.kept()
    assert [client for client, key in ring.keys.items() if key[-43:-20].encode() in kept] == []
    assert credentials.key_hash(ring.keys["campus"]).encode() in kept


MCP_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "ask_book", "arguments": {"question": "What is a node?"}},
}
SPEAKS = ((b"Accept", b"application/json, text/event-stream"), (b"MCP-Protocol-Version", b"2025-11-25"))


def as_assistant(attempt: Attempt) -> Attempt:
    """The same caller, by the protocol of assistants."""
    headers = (*attempt.headers, *SPEAKS)
    return replace(attempt, path="/mcp", headers=headers, body=json.dumps(MCP_CALL).encode())


@pytest.mark.rule("S1", "S4")
def test_an_assistant_with_a_key_gets_in_and_is_counted(ring: Keyring) -> None:
    """By its client's name, as any other caller."""
    answer, asked, counted = tried(ring, as_assistant(Attempt(ring.bearer())))
    assert (answer.status, asked, counted) == (200, 1, 1)
    assert json.loads(answer.body)["result"]["structuredContent"]["was_refusal"] is False
    assert ring.door.behind.answers.question.client_id == "campus"
    assert ring.door(as_assistant(Attempt(ring.bearer()))).headers["content-type"] == "application/json"
    assert ring.door(replace(as_assistant(Attempt(ring.bearer())), method="GET")).status == 405


@pytest.mark.rule("S1", "S4")
@pytest.mark.parametrize("name", ["no header", "unknown id", "revoked", "token: expired"])
def test_assistants_are_guarded_as_questions_are(ring: Keyring, name: str) -> None:
    """401, and nothing is asked or counted."""
    make, _ = STRANGERS[name]
    answer, asked, counted = tried(ring, as_assistant(make(ring)))
    assert (answer.status, asked, counted) == (401, 0, 0)


@pytest.mark.rule("S3", "S4")
@pytest.mark.parametrize("make", ELSEWHERE.values(), ids=ELSEWHERE)
def test_an_assistant_gets_no_further_than_its_key(ring: Keyring, make: Make) -> None:
    """403 for other books and other sites."""
    attempt = make(ring)
    book = attempt.path.removeprefix("/v1/books/").removesuffix("/chat") if "books" in attempt.path else ""
    path = f"/mcp/{book}" if book else "/mcp"
    answer, asked, counted = tried(ring, replace(as_assistant(attempt), path=path))
    assert (answer.status, asked, counted) == (403, 0, 0)
