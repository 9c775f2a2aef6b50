"""What the tools do, in plain values: the rules of every call of the API, and what comes of it as text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID, uuid4

from bookbound.access.credentials import Grant
from bookbound.answer.contents import Contents, Part, Reading, excerpt
from bookbound.answer.rendering import plain_text
from bookbound.api.arrival import Arrival
from bookbound.api.bodies import shaped
from bookbound.api.deps import ApiDeps, Consult
from bookbound.api.mcp.descriptions import DATA
from bookbound.api.mcp.shapes import (
    NOT_SHOWN,
    AskBook,
    PassageOut,
    PassagesFound,
    ReadSection,
    SearchBook,
    SectionRead,
)
from bookbound.api.problems import problem_of, retry_after
from bookbound.api.responses import chat_response
from bookbound.api.schemas import BookOut, PlaceOut
from bookbound.model import Answered, BookRef, Exhibit, Result
from bookbound.question import validation

LONGEST_CONTENTS = 60_000
"""Characters of the table of contents; in a longer one the deepest headings are left out."""

_UNKNOWN = 500
_ADVICE = {
    400: "Correct the arguments and call the tool again.",
    404: "Use an address from the table of contents (resource book://contents) or from a search.",
    422: "Correct the arguments and call the tool again.",
    429: "Wait {seconds} seconds, then call the tool again.",
    503: "Call the tool again in {seconds} seconds.",
    504: "Ask one thing at a time, or call the tool again.",
}
_NOT_AN_ANSWER = "This is no word of the book's: do not answer in its name."

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Visit:
    """A call: who calls, for which book (None: the default one), and with how much time left.

    `session_id` names the session of a caller who sends none.
    """

    arrival: Arrival
    grant: Grant
    book_id: str | None = None
    session_id: UUID = field(default_factory=uuid4)


@dataclass(frozen=True, slots=True)
class Told:
    """A result, as text and as JSON."""

    text: str
    structured: dict[str, Any]


class Desk:
    """Where assistants ask: each call is admitted, counted and timed as a question of the API is."""

    def __init__(self, deps: ApiDeps, consult: Consult) -> None:
        self._deps = deps
        self._consult = consult

    async def ask(self, arguments: Arguments, visit: Visit) -> Told:
        """`ask_book`: an answer or a refusal. Raises `bookbound.errors`."""
        body = shaped(arguments, AskBook)
        question = validation.question(
            body.question,
            body.selected_text,
            query_id=uuid4(),
            session_id=body.session_id or visit.session_id,
            client_id=visit.grant.client_id,
            previous=body.previous.question if body.previous else None,
        )
        async with self._turn(visit):
            visit.arrival.asked = True
            result = await self._deps.answer(question, visit.book_id, visit.arrival.deadline)
        visit.arrival.deadline.require()
        visit.arrival.result = result
        structured = chat_response(result).model_dump(mode="json", exclude=set(NOT_SHOWN))
        return Told("\n\n".join([DATA, *_answer(result)]), structured)

    async def search(self, arguments: Arguments, visit: Visit) -> Told:
        """`search_book`: up to five passages. Raises `bookbound.errors`."""
        body = shaped(arguments, SearchBook)
        question = validation.question(
            body.query,
            query_id=uuid4(),
            session_id=body.session_id or visit.session_id,
            client_id=visit.grant.client_id,
            name="query",
        )
        async with self._turn(visit):
            visit.arrival.asked = True
            found = await self._consult.search(question, visit.book_id, visit.arrival.deadline)
        visit.arrival.deadline.require()
        passages = [_passage(exhibit) for exhibit in found.passages]
        told = PassagesFound(session_id=question.session_id, book=_book(found.book), passages=passages)
        text = [_found(one) for one in passages] or ["The book has no passage near that."]
        return Told("\n\n".join([DATA, *text]), told.model_dump(mode="json"))

    async def read(self, arguments: Arguments, visit: Visit) -> Told:
        """`read_section`: a section's text. Raises `bookbound.errors`."""
        address = validation.address(shaped(arguments, ReadSection).address)
        book, contents = await self._opened(visit)
        reading = contents.find(address)
        rest = [_place(one) for one in reading.rest]
        told = SectionRead(
            book=_book(book),
            section=reading.head.title,
            path=list(reading.head.path),
            page=reading.head.page,
            url=reading.head.url,
            text=reading.text,
            left_out=reading.left_out,
            rest=rest,
        )
        return Told("\n\n".join([DATA, *_section(contents, reading)]), told.model_dump(mode="json"))

    async def contents(self, visit: Visit) -> str:
        """The table of contents, as Markdown. Raises `bookbound.errors`."""
        _, contents = await self._opened(visit)
        return table_of(contents)

    async def _opened(self, visit: Visit) -> tuple[BookRef, Contents]:
        async with self._turn(visit):
            opened = await self._consult.contents(visit.book_id, visit.arrival.deadline)
        visit.arrival.deadline.require()
        return opened

    @asynccontextmanager
    async def _turn(self, visit: Visit) -> AsyncIterator[None]:
        async with self._deps.turn():
            await self._deps.entry.count(visit.grant, "question")
            yield


def explained(error: Exception, request_id: str) -> str:
    """What went wrong, and what to do, in plain words; of an unforeseen error only that it happened."""
    problem = problem_of(error, request_id)
    advice = _ADVICE.get(problem.status, "").format(seconds=retry_after(error))
    identity = f"(request {problem.instance})" if problem.status >= _UNKNOWN else ""
    return " ".join(filter(None, (problem.detail, advice, _NOT_AN_ANSWER, identity)))


def table_of(contents: Contents) -> str:
    """Pages and their sections as links, as deep as LONGEST_CONTENTS allows; the pages at least."""
    deepest = max((len(one.path) for one in contents.parts), default=1)
    for depth in range(deepest, 0, -1):
        text = "\n".join([f"# {contents.title}", "", DATA, "", *_lines(contents.parts, depth)])
        if len(text) <= LONGEST_CONTENTS:
            break
    return text


def _lines(parts: Iterable[Part], depth: int) -> Iterator[str]:
    for _, of_page in groupby(parts, key=lambda one: (one.document, one.page)):
        first, *rest = of_page
        yield f"- {first.path[0]} (Page {first.page}): {first.page_url}"
        for one in [first, *rest] if len(first.path) > 1 else rest:
            if 1 < len(one.path) <= depth:
                yield f"{'  ' * (len(one.path) - 1)}- {one.title}: {one.url}"


def _answer(result: Result) -> list[str]:
    """The answer for terminals, and where its sources open; the question that was answered before it."""
    outcome = result.outcome
    read_as = [f"Read as: {result.read_as}"] if result.read_as else []
    if not isinstance(outcome, Answered):
        return [*read_as, plain_text(outcome)]
    links = (f"- {one.section.title} (Page {one.passage.page}): {one.url}" for one in outcome.sources)
    level = f"Confidence: {outcome.confidence_level.value}"
    return [*read_as, plain_text(outcome), level, "\n".join(["Links to cite:", *links])]


def _passage(exhibit: Exhibit) -> PassageOut:
    found = excerpt(exhibit.candidate)
    return PassageOut(
        id=exhibit.source_id,
        section=found.section,
        page=exhibit.passage.page,
        url=found.url,
        document=exhibit.passage.document,
        score=exhibit.candidate.score,
        similarity=exhibit.candidate.similarity,
        text=found.text,
    )


def _found(one: PassageOut) -> str:
    return f"[{one.id}] {one.section} (Page {one.page}), score {one.score:.2f}: {one.url}\n{one.text}"


def _section(contents: Contents, reading: Reading) -> list[str]:
    head = reading.head
    rest = [f"- {one.title} (Page {one.page}): {one.url}" for one in reading.rest]
    more = ["\n".join(["Not shown here, to be read by their links:", *rest])] if rest else []
    place = f"{contents.title}: {' > '.join(head.path)} (Page {head.page}): {head.url}"
    return [place, reading.text, *more]


def _place(part: Part) -> PlaceOut:
    return PlaceOut(section=part.title, page=part.page, url=part.url)


def _book(ref: BookRef) -> BookOut:
    return BookOut(id=ref.id, version=ref.version)
