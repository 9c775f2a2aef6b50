"""Judgement of one response to one labelled question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from bookbound.evaluation.literal import is_literal, readable
from bookbound.evaluation.questions import Labelled
from bookbound.model import Attempt, Candidate, Finding
from bookbound.text.terms import query_stems, tokens

ENOUGH = 0.6
"""The share of words at which a quote counts as held, and a point as found."""

# An excerpt may hold a quotation mark; the bracket after it ends the citation (C1).
_INLINE_EXCERPT = re.compile(r'\[Source: [^\n]*? \(Page \d+\) - "(.*?)"\]', re.S)

Response = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """Response to a question, with its trace.

    Attributes:
        response: the chat response as the HTTP contract gives it; None when the system failed instead.
        generator_calls: how often the generator was called for it.
        error: why there is no response.
        findings: what each gate saw at the rung that decided, in order.
        candidates: what retrieval scored, best first.
        attempts: every rung of the ladder that was tried, in order.
        admitted: chunk id → the id by which the generator was given it, empty when it was not called.
    """

    id: str
    response: Response | None
    generator_calls: int = 0
    error: str | None = None
    findings: tuple[Finding, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    admitted: Mapping[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A run judged against its label; what a run gives no occasion to judge is None or empty.

    Attributes:
        right_source: an excerpt or sentence holds ≥ 60 % of the words of one evidence quote.
        points: each answer point, and whether the answer's sentences hold it.
        right_reason: the refusal names one of the expected reasons.
        excerpts: each cited excerpt, and whether it is the book's own text.
        all_cited: every sentence names a source (C2).
        evidence_rank: place of the first candidate that is evidence, from 1; None when none is.
    """

    labelled: Labelled
    run: Run
    answered: bool
    right_source: bool | None
    points: tuple[tuple[str, bool], ...]
    right_reason: bool | None
    excerpts: tuple[tuple[str, bool], ...]
    all_cited: bool | None
    evidence_rank: int | None

    @property
    def right(self) -> bool | None:
        """True if an answer was right (F3): asked for, and from a right source; None when not judged."""
        return False if self.labelled.expect == "refuse" else self.right_source

    @property
    def to_the_point(self) -> tuple[tuple[str, bool], ...]:
        """Each sentence of an answer, and whether it is evidence; empty where that is not judged.

        It is where it holds ≥ 60 % of the words of an evidence quote, or the quote so many of its own.
        """
        response = self.run.response
        if response is None or self.right_source is None:
            return ()
        texts = [sentence["text"] for sentence in response["sentences"]]
        return tuple((text, any(_share(text, one.quote) for one in self.labelled.quotes)) for text in texts)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Faults, a phrase each."""
        return tuple(_faults(self))


def judge(labelled: Labelled, run: Run, book: Mapping[str, str] | None) -> Verdict:
    """Judge one run; `book` maps each document to `literal.searchable` text, None leaves excerpts out."""
    response = run.response
    answered = response is not None and not response["was_refusal"]
    rank = evidence_rank(labelled, run.candidates)
    if response is None or not answered:
        reason = _right_reason(labelled, response)
        return Verdict(labelled, run, False, None, (), reason, (), None, rank)
    asked = labelled.expect == "answer"
    return Verdict(
        labelled,
        run,
        answered=True,
        right_source=_right_source(labelled, response) if asked and labelled.quotes else None,
        points=_points(labelled, response) if asked else (),
        right_reason=None,
        excerpts=tuple(_excerpts(response, book)) if book is not None else (),
        all_cited=all(sentence["source_ids"] for sentence in response["sentences"]),
        evidence_rank=rank,
    )


def evidence_rank(labelled: Labelled, candidates: Sequence[Candidate]) -> int | None:
    """The place, from 1, of the first candidate whose passage holds an evidence quote of its document."""
    places = enumerate((candidate.passage for candidate in candidates), 1)
    return next(
        (place for place, passage in places if holds_evidence(labelled, passage.document, passage.text)),
        None,
    )


def holds_evidence(labelled: Labelled, document: str, text: str) -> bool:
    """Return whether a text of a document holds one of the question's evidence quotes from there."""
    return any(quote.file == document and holds(text, quote.quote) for quote in labelled.quotes)


def holds(text: str, quote: str) -> bool:
    """Return whether `text` has at least 60 % of the distinct words of `quote`, Markdown marks aside."""
    words = set(tokens(readable(quote)))
    return bool(words) and len(words & set(tokens(readable(text)))) >= ENOUGH * len(words)


def _share(text: str, quote: str) -> bool:
    return holds(text, quote) or holds(quote, text)


def says(text: str, point: str) -> bool:
    """Return whether `text` makes a point: ≥ 60 % of its content words' stems, and every exact number.

    A point of function words only ("no", "both") is looked for word by word.
    """
    wanted, present = query_stems(point), set(query_stems(text)) | set(tokens(text))
    numbers = [word for word in wanted if word[0].isdigit()]
    found = sum(word in present for word in wanted)
    return bool(wanted) and set(numbers) <= present and found >= ENOUGH * len(wanted)


def _right_source(labelled: Labelled, response: Response) -> bool:
    shown = [source["excerpt"] for source in response["sources"]]
    shown += [sentence["text"] for sentence in response["sentences"]]
    return any(holds(text, quote.quote) for text in shown for quote in labelled.quotes)


def _points(labelled: Labelled, response: Response) -> tuple[tuple[str, bool], ...]:
    answer = "\n".join(sentence["text"] for sentence in response["sentences"])
    return tuple((point, says(answer, point)) for point in labelled.answer_points)


def _right_reason(labelled: Labelled, response: Response | None) -> bool | None:
    if response is None or labelled.expect == "answer" or not labelled.refusal_reasons:
        return None
    return response["refusal_reason"] in labelled.refusal_reasons


def _excerpts(response: Response, book: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    pages = {source["document"]: book.get(source["document"], "") for source in response["sources"]}
    for source in response["sources"]:
        yield source["excerpt"], is_literal(source["excerpt"], [pages[source["document"]]])
    # A citation within the text names no document: any of the answer's will do.
    for excerpt in _INLINE_EXCERPT.findall(response["answer"]):
        yield excerpt, is_literal(excerpt, pages.values())


def _faults(verdict: Verdict) -> Iterator[str]:
    labelled, run = verdict.labelled, verdict.run
    if run.response is None:
        yield f"failed: {run.error}"
    elif not verdict.answered and labelled.expect == "answer":
        yield f"refused: {run.response['refusal_reason']}"
    elif verdict.answered and labelled.expect == "refuse":
        yield "answered, should refuse"
    if verdict.right_reason is False and run.response is not None:
        expected = " or ".join(labelled.refusal_reasons)
        yield f"refused as {run.response['refusal_reason']}, expected {expected}"
    if verdict.right_source is False:
        yield "no evidence quote in any excerpt or sentence"
    yield from (f"point missing: {point}" for point in _missing(verdict.points))
    yield from (f"excerpt not in the book: {excerpt}" for excerpt in _missing(verdict.excerpts))
    if verdict.all_cited is False:
        yield "a sentence without a citation"


def _missing(checked: Iterable[tuple[str, bool]]) -> list[str]:
    return [what for what, found in checked if not found]
