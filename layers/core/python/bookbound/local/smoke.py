"""Asks a running service as a reader would: a question that its book answers, and one that no book can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from bookbound.api.schemas import ChatResponse
from bookbound.deadline import TOTAL
from bookbound.evaluation.records import InputError
from bookbound.index.known_questions import OUT_OF_BOOK, known_question
from bookbound.index.manifest import Manifest
from bookbound.local.checks import Check

PATIENCE = 30.0
"""Seconds after which a call is given up: longer than a gateway waits, so that its own answer is seen."""

_MORE = "see the service's log, by the request id in the header X-Request-Id"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Caller: with a key, else as a browser on a page of `origin`, which takes a token where it must."""

    origin: str
    key: str | None = None


class _Session(BaseModel):
    token: str


@dataclass(slots=True)
class _Call:
    """An open service, and what each of its chat calls is sent with."""

    client: httpx.Client
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def get(self, path: str) -> httpx.Response:
        return self.client.get(self.url + path)

    def chat(self, question: str, headers: Mapping[str, str]) -> httpx.Response:
        return self.client.post(f"{self.url}/v1/chat", json={"question": question}, headers=headers)


def smoke(url: str, visitor: Visitor, question: str) -> Iterator[Check]:
    """Each thing that was looked at, in order; ends early when the service cannot be reached.

    `question` is one that the service's default book answers.
    """
    with httpx.Client(timeout=PATIENCE) as client:
        call = _Call(client, url.rstrip("/"))
        try:
            yield _status("health", call.get("/v1/health"), "the service does not run: " + _MORE)
            yield _status("ready", call.get("/v1/ready"), "its book cannot be searched: bookbound doctor")
            call.headers = _credentials(call, visitor)
            yield _asked(call, "in the book", question, answer_problem)
            yield _asked(call, "out of the book", OUT_OF_BOOK, refusal_problem)
            if "Authorization" in call.headers:
                yield _without_key(call.chat(question, {}))
        except ValidationError:
            yield Check("token", "/v1/sessions gave none", "does the URL lead to Bookbound?")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            yield Check("reachable", f"{url}: {error}", "check the URL, and that the service runs")


def origin_of(url: str) -> str:
    """The origin of an http or https URL. Raises InputError for anything else."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InputError(f"{url!r} is no http or https URL")
    return f"{parts.scheme}://{parts.netloc}"


def question_of(manifest: Manifest) -> str:
    """A question that the book answers. Raises InputError when none is known."""
    if found := known_question(manifest):
        return found
    raise InputError("the book has no canary question and no glossary; name a question by --question")


def answer_problem(chat: ChatResponse) -> str | None:
    """Return the problem of an answer, or None (C1, C2, C3)."""
    if chat.was_refusal:
        return f"refused ({chat.refusal_reason}), though the book should answer it"
    known = {source.id for source in chat.sources if source.excerpt and source.url}
    if not chat.sentences or not known:
        return "an answer without sentences or sources"
    uncited = [
        one.text for one in chat.sentences if not one.source_ids or not known.issuperset(one.source_ids)
    ]
    if uncited:
        return f"a sentence without its source: {uncited[0]!r}"
    return None if "[Source: " in chat.answer else "an answer without citations in its text"


def refusal_problem(chat: ChatResponse) -> str | None:
    """Return the problem of a refusal, or None (G10, G13)."""
    if not chat.was_refusal:
        return f"answered, though no book can know: {chat.answer[:80]!r}"
    return "a refusal with sources" if chat.sources or chat.refusal_reason is None else None


def _status(name: str, response: httpx.Response, remedy: str) -> Check:
    found = f"{response.status_code} in {_milliseconds(response)}"
    return Check(name, found, None if response.status_code == 200 else remedy)


def _credentials(call: _Call, visitor: Visitor) -> dict[str, str]:
    """Return the headers that a chat call needs; none where the service takes any caller."""
    if visitor.key:
        return {"Authorization": f"Bearer {visitor.key}"}
    origin = {"Origin": visitor.origin}
    session = call.client.post(f"{call.url}/v1/sessions", headers=origin, json={})
    if not session.is_success:
        return {}
    return {**origin, "Authorization": f"Bearer {_Session.model_validate_json(session.content).token}"}


def _asked(call: _Call, name: str, question: str, problem_of: Callable[[ChatResponse], str | None]) -> Check:
    response = call.chat(question, call.headers)
    if response.status_code in (401, 403):
        return Check(name, _problem(response), "pass a key: --key KEY, from bookbound clients add")
    if response.status_code != 200:
        return Check(name, _problem(response), _MORE)
    try:
        chat = ChatResponse.model_validate_json(response.content)
    except ValidationError as error:
        return Check(name, f"no chat response: {error.errors()[0]['msg']}", "does the URL lead to Bookbound?")
    if problem := problem_of(chat):
        return Check(
            name, f"{question} → {problem}", "look at it by bookbound ask --explain; see docs/policy.md"
        )
    if response.elapsed.total_seconds() >= TOTAL:
        return Check(
            name, f"took {_milliseconds(response)}", f"a reader waits {TOTAL:.0f} s at most; ask again"
        )
    return Check(name, f"{question} → {_outcome(chat)} in {_milliseconds(response)}")


def _outcome(chat: ChatResponse) -> str:
    if chat.was_refusal:
        return f"refused ({chat.refusal_reason})"
    return f"{len(chat.sentences)} sentences, {len(chat.sources)} sources"


def _without_key(response: httpx.Response) -> Check:
    found = f"{response.status_code} in {_milliseconds(response)}"
    open_to_all = "anybody can ask: the authorizer is missing from the call"
    return Check("without a key", found, None if response.status_code == 401 else open_to_all)


def _problem(response: httpx.Response) -> str:
    """The status, and what a problem+json body says of it."""
    try:
        detail = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        detail = response.reason_phrase
    return f"{response.status_code}: {detail}"


def _milliseconds(response: httpx.Response) -> str:
    return f"{response.elapsed.total_seconds() * 1000:.0f} ms"
