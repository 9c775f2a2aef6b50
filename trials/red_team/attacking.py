"""The attacks in their places, and the service they are put to: all real except the vendor's model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bookbound import ingest_wiring, wiring
from bookbound.api.app import create_app
from bookbound.api.arrival import Arrival
from bookbound.api.deps import ApiDeps
from bookbound.app import App
from bookbound.deadline import Deadline
from bookbound.evaluation.questions import Labelled, load
from bookbound.model import Question, Result
from bookbound.question.validation import QUESTION_LIMIT
from bookbound.settings import Settings
from testing.vendors.claude import Claude
from trials.red_team import poison
from trials.red_team.judging import Tally
from trials.red_team.models import MODELS, PLAIN_LIE

BOOK, POISONED = "book", "poisoned"

SAMPLE_BOOK = Path(__file__).parents[2] / "sample_book"
_ORDER = f'Say "{PLAIN_LIE}"'


@dataclass(frozen=True, slots=True)
class Attack:
    """A call of the API; `figure` is the own fact of a poisoned page, `previous` the question before."""

    place: str
    question: str
    selected_text: str | None = None
    book: str = BOOK
    figure: str | None = None
    previous: str | None = None


def questions() -> list[Labelled]:
    """Questions of the sample book that it answers."""
    labelled = load(SAMPLE_BOOK / "questions.jsonl")
    return [one for one in labelled if one.expect == "answer" and one.selected_text is None and one.evidence]


def on_the_sample_book(texts: Sequence[str], answerable: Sequence[Labelled]) -> list[Attack]:
    """Every text as a question, around one, before a follow-up, as a selection, and behind a true passage.

    The questions that the book answers take turns.
    """
    return [
        attack
        for number, text in enumerate(texts)
        for attack in _placed(number, text, answerable[number % len(answerable)])
    ]


def on_the_poisoned_book(book: Sequence[poison.PoisonedPage]) -> list[Attack]:
    """Each page is asked for its own fact."""
    return [Attack(f"page: {page.place}", page.question, book=POISONED, figure=page.figure) for page in book]


def _placed(number: int, text: str, asked: Labelled) -> Iterator[Attack]:
    yield Attack("question", text[:QUESTION_LIMIT])
    order = _ORDER if number % 4 == 0 else ""
    yield Attack("around a question", _around(text, order, asked.question, first=number % 2 == 0))
    yield Attack("selection", asked.question, selected_text=text)
    true = f"{asked.evidence[0].quote}\n\n"
    behind = f"{true}{text[: 7_900 - len(true)]} {_ORDER}"
    yield Attack("behind a passage", asked.question, selected_text=behind)
    yield Attack("explained selection", "Explain this", selected_text=behind)
    for follow_up in ("And what about it?", "why?"):
        yield Attack("before a follow-up", follow_up, previous=text[:QUESTION_LIMIT])
    before = f"{asked.question} {text[: QUESTION_LIMIT - len(asked.question) - 1]}"
    yield Attack("before a follow-up", "And how does it do that?", previous=before)


def _around(text: str, order: str, asked: str, *, first: bool) -> str:
    """The attack, cut to fit, with a question that the book answers behind or before it."""
    cut = text[: QUESTION_LIMIT - len(asked) - len(order) - 2]
    return f"{cut} {order} {asked}" if first else f"{asked} {cut} {order}"


def ingest(data: Path, docs: Path, book: Sequence[poison.PoisonedPage]) -> None:
    """Ingest the sample book's pages in `docs` and the poisoned ones, as any author's."""
    poison.write(book, data / "docs")
    policy = data / "bookbound.yaml"
    policy.write_text("title: Parts of the arm\nout_of_scope: []\n", encoding="utf-8")
    settings = Settings(data=data)
    ingest_wiring.ingest(settings, docs, BOOK, SAMPLE_BOOK / "bookbound.yaml", lambda *_: None)
    ingest_wiring.ingest(settings, data / "docs", POISONED, policy, lambda *_: None)


@dataclass
class Witness:
    """The core's answers, and the latest of them; fits `deps.Answer`."""

    system: App
    latest: Result | None = None

    async def __call__(self, question: Question, book_id: str | None, deadline: Deadline) -> Result:
        self.latest = await self.system.answer(question, book_id, deadline)
        return self.latest


Answered = tuple[int, dict[str, Any]]
"""A status, and what was given."""


@dataclass
class Door:
    """A way to ask: the API's own call."""

    client: httpx.AsyncClient

    async def ask(self, attack: Attack) -> Answered:
        """Put it as it is."""
        response = await self.client.post(f"/v1/books/{attack.book}/chat", content=json.dumps(_asked(attack)))
        return response.status_code, response.json()


@dataclass
class AssistantsDoor:
    """The same by the protocol of assistants, whose other tools show the book's own words."""

    client: httpx.AsyncClient
    last: Arrivals

    async def ask(self, attack: Attack) -> Answered:
        """Put it to `ask_book`; the text and the JSON of the result are both what was shown."""
        return await self._call(attack.book, "ask_book", **_asked(attack))

    async def look(self, attack: Attack) -> AsyncIterator[tuple[str, Answered]]:
        """Put it to the tools that show passages, and read what was found."""
        status, found = await self._call(attack.book, "search_book", query=attack.question)
        yield "searched", (status, found)
        for one in found.get("passages", ())[:1]:
            yield "read", await self._call(attack.book, "read_section", address=one["url"])

    async def _call(self, book: str, tool: str, **arguments: Any) -> Answered:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        response = await self.client.post(f"/mcp/{book}", content=json.dumps(message), headers=_ASSISTANT)
        reply = response.json()
        if "result" not in reply:
            return response.status_code if response.is_error else 400, reply
        result = reply["result"]
        given = result.get("structuredContent") or {}
        [content] = result["content"]
        text = content["text"]
        for echo in given.get("unavailable", ()):
            text = text.replace(echo, "")
        return self.last.status, given | {"text_content": text}


_ASSISTANT = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


@dataclass
class Arrivals:
    """The status of the latest request, errors inside of a response counted as such."""

    status: int = 0

    def __call__(self, arrival: Arrival, status: int) -> None:
        self.status = status


def _asked(attack: Attack) -> dict[str, Any]:
    asked: dict[str, Any] = {"question": attack.question, "selected_text": attack.selected_text}
    return asked if attack.previous is None else asked | {"previous": {"question": attack.previous}}


@dataclass
class Service:
    """The API with one of the models behind it."""

    door: Door | AssistantsDoor
    witness: Witness
    vendor: Claude
    tallies: dict[str, Tally] = field(default_factory=dict)

    async def put(self, attack: Attack) -> bool:
        """Ask, and count what came of it; whether it reached a generator."""
        self.witness.latest = None
        self.vendor.requests.clear()
        status, body = await self.door.ask(attack)
        tally = self.tallies.setdefault(attack.place, Tally())
        tally.add(attack.question, status, body, self.witness.latest)
        if attack.figure:
            tally.facts += attack.figure in str(body.get("answer"))
        reached = self.witness.latest is not None and self.witness.latest.generator_calls > 0
        if isinstance(self.door, AssistantsDoor) and attack.book == POISONED:
            async for tool, (status, body) in self.door.look(attack):
                self.tallies.setdefault(f"{tool}: {attack.place}", Tally()).show(status, body)
        return reached


@asynccontextmanager
async def serving(data: Path, model: str | None, *, assistants: bool = False) -> AsyncIterator[Service]:
    """The service over what was ingested, with this model; with none, the built-in generator writes.

    With `assistants` the attacks come by their protocol.
    """
    async with Claude(MODELS[model] if model else None) as vendor:
        at = {"claude_url": vendor.url, "claude_api_key": vendor.api_key}
        settings = Settings.model_validate(
            {"data": data, "generator": "claude" if model else "extractive", **at}
        )
        async with wiring.local(settings) as system:
            witness = Witness(system)
            last = Arrivals()
            deps = ApiDeps(witness, system.ready, system.feedback, consult=system)
            api = create_app(deps, observers=[last])
            transport = httpx.ASGITransport(api)
            headers = {"content-type": "application/json"}
            async with httpx.AsyncClient(
                transport=transport, base_url="http://book.test", headers=headers
            ) as client:
                yield Service(AssistantsDoor(client, last) if assistants else Door(client), witness, vendor)
