"""Four releases with a fault in them, through the function's own wiring, over versions of the real API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import pytest

from bookbound.adapters.aws.bucket_objects import pointer_key, version_prefix
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.gateway import behind_gateway
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, Throttled, Unavailable
from bookbound.index.known_questions import OUT_OF_BOOK
from bookbound.index.manifest import MANIFEST_JSON
from bookbound.model import Outcome, Question, RefusalReason, Result
from functions.release import wiring
from functions.release.check import reasons, trials
from testing.fakes import FakeFeedback, FakeIndex
from testing.loopback import Asked, Reply, answering
from tests.api.samples import ANSWER_ID, ANSWERED, refused, result_of
from tests.local.test_smoke import ASKED, PLAIN

BOOK, BUCKET = "kestrel", "books"
REFUSED = refused(RefusalReason.EMPTY_RETRIEVAL)
MANIFEST = MANIFEST_JSON.dump_json(replace(PLAIN, canaries=(ASKED,)))
OBJECTS = {
    f"/{BUCKET}/{pointer_key(BOOK)}": b"v1\n",
    f"/{BUCKET}/{version_prefix(BOOK, 'v1')}manifest.json": MANIFEST,
}
DENIED = b"<Error><Code>AccessDenied</Code><Message>no</Message></Error>"
NO_KEY = b"<Error><Code>NoSuchKey</Code><Message>no</Message></Error>"


@dataclass(frozen=True)
class Version:
    """A version of the API over answers that say, or raise, what they were told to."""

    inside: Outcome | Exception = ANSWERED
    outside: Outcome | Exception = REFUSED

    async def answer(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        said = self.outside if question.text == OUT_OF_BOOK else self.inside
        if isinstance(said, Exception):
            raise said
        return replace(result_of(said), question=question)

    def call(self, event: Any) -> Any:
        """What the function returns for an event, in an event loop as Lambda's runtime has one."""
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        try:
            deps = ApiDeps(self.answer, FakeIndex().ready, FakeFeedback({ANSWER_ID}))
            return behind_gateway(create_app(deps))(event, None)
        finally:
            asyncio.set_event_loop(None)
            loop.close()


class Crash(Version):
    """A version that ends without a response."""

    def call(self, event: Any) -> Any:
        raise MemoryError


GOOD = Version()
SLOW = Version(*[DeadlineExceeded("retrieval")] * 2)
FAILING = Version(*[RuntimeError("a defect")] * 2)
REFUSING = Version(REFUSED, REFUSED)
LIMITED = Version(*[Throttled("Claude answered 429", 30.0)] * 2)
DOWN = Version(*[Unavailable("the vendor is down")] * 2)


@dataclass
class Aws:
    """The calls of Lambda, S3 and CodeDeploy that the check makes, in their wire formats, on loopback."""

    versions: Mapping[str, Version]
    objects: Mapping[str, bytes | None] = field(default_factory=lambda: OBJECTS)
    told: list[Mapping[str, str]] = field(default_factory=list)

    def respond(self, asked: Asked) -> Reply:
        """What the services say to a request."""
        if asked.method == "GET":
            content = self.objects.get(asked.path.split("?", maxsplit=1)[0], b"")
            if content is None:
                return 403, {}, DENIED
            return (200, {"ETag": '"1"'}, content) if content else (404, {}, NO_KEY)
        if asked.target == "CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus":
            self.told.append(json.loads(asked.body))
            return 200, {}, b"{}"
        version = self.versions[asked.path.split("/")[3]]
        try:
            return 200, {}, json.dumps(version.call(json.loads(asked.body))).encode()
        except MemoryError:
            return 200, {"X-Amz-Function-Error": "Unhandled"}, b'{"errorType": "Runtime.ExitError"}'


def released(monkeypatch: pytest.MonkeyPatch, aws: Aws) -> tuple[list[str], str]:
    """Run the check as its handler does: the reasons to stop, and what CodeDeploy was told."""
    with answering(aws.respond) as url:
        for name, value in {
            "AWS_ENDPOINT_URL": url,
            "AWS_DEFAULT_REGION": "eu-central-1",
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
        }.items():
            monkeypatch.setenv(name, value)
        deps = wiring.build(
            {
                "BOOKBOUND_NEW": "new",
                "BOOKBOUND_LIVE": "live",
                "BOOKBOUND_BOOKS_BUCKET": BUCKET,
                "BOOKBOUND_BOOK": BOOK,
            }
        )
        found = reasons(trials(deps.known()), deps.new, deps.live)
        deps.tell(str(uuid4()), "hook", not found)
    return found, aws.told[-1]["status"]


@pytest.mark.parametrize(
    ("new", "questions"),
    [(FAILING, 2), (Crash(), 2), (SLOW, 2), (REFUSING, 1)],
    ids=["fails every chat", "crashes", "is too slow", "refuses everything"],
)
def test_a_faulty_version_gets_no_traffic(
    new: Version, questions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CodeDeploy is told that the release failed, so all questions stay with the live version."""
    found, told = released(monkeypatch, Aws({"new": new, "live": GOOD}))
    assert len(found) == questions
    assert told == "Failed"


@pytest.mark.parametrize(
    ("new", "live"),
    [(GOOD, GOOD), (DOWN, DOWN), (GOOD, DOWN), (GOOD, FAILING), (LIMITED, GOOD), (LIMITED, LIMITED)],
)
def test_a_vendors_outage_and_a_remedy_go_out(
    new: Version, live: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What both versions suffer stops nothing, and what mends the live one least of all."""
    found, told = released(monkeypatch, Aws({"new": new, "live": live}))
    assert found == []
    assert told == "Succeeded"


def test_the_first_deploy_has_no_book_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage without a book is asked the one question that no book answers."""
    without_book = Version(RuntimeError("nobody asks this"), REFUSED)
    found, told = released(monkeypatch, Aws({"new": without_book, "live": GOOD}, objects={}))
    assert (found, told) == ([], "Succeeded")


@pytest.mark.parametrize("key", sorted(OBJECTS), ids=["pointer", "manifest"])
@pytest.mark.parametrize("content", [b"{", None], ids=["broken", "denied"])
def test_a_book_that_cannot_be_read_leaves_one_question_and_codedeploy_is_told(
    key: str, content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release neither hangs on a damaged manifest, nor goes out unasked."""
    unreadable = {**OBJECTS, key: content}
    for new, status in ((GOOD, "Succeeded"), (FAILING, "Failed")):
        aws = Aws({"new": new, "live": GOOD}, objects=unreadable)
        _, told = released(monkeypatch, aws)
        assert told == status
