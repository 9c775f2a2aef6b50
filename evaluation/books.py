"""The measure on open books: `python -m evaluation.books BOOKS` (E2).

Ingests each judging book, asks its questions as readers would, and shows one page of figures; with --write it
becomes docs/books.md and evaluation/books.json. A run that is stopped goes on where it was, and begins anew
with another reader, embedder or threshold. The peers are asked by `python -m benchmarks.books`, in the
environment of the benchmarks; `make books` runs both.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer
from pydantic import TypeAdapter
from rich.console import Console

from bookbound import wiring
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.answer import assembly
from bookbound.answering import Deps
from bookbound.evaluation import bm25
from bookbound.evaluation.curves import UNANSWERED, sufficiency
from bookbound.evaluation.judging import Response, Run, Verdict, holds_evidence, judge
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.retrieval import climbs
from bookbound.evidence.sufficiency import shipped
from bookbound.generator_input import GeneratorInput
from bookbound.local import evaluating
from bookbound.local.progress import Advance, steps
from bookbound.model import Passage
from bookbound.question import validation
from bookbound.settings import Settings
from bookbound.text.language import other_language
from bookbound.text.scoring import Lexicon
from evaluation import books_page, ingested, readings
from evaluation.asked_books import BookRuns, Outcome, Shown
from evaluation.gate import PACE, AsShipped
from training import books as open_books
from training import lines as written

AT_ONCE = 20
"""Questions between two writes: what a stopped run asks again at most."""

CLAIMED = Path("evaluation/books.json")
PAGE = Path("docs/books.md")

_LABELLED = TypeAdapter(Labelled)


def main(
    folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    only: Annotated[
        list[str] | None, typer.Option("--book", help="Only these; default: those that judge.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Where indexes and outcomes go.")] = Path("build/books"),
    write: Annotated[bool, typer.Option("--write", help="Make what comes out the baseline.")] = False,
) -> None:
    """Ask the books that judge their questions, and print the page; the others trained the reader."""
    runs = BookRuns(data)
    runs.of(f"{MiniLmEmbedder.model_id}\n{shipped()}\n")
    names = only or [*written.JUDGING]
    with steps(Console(stderr=True)) as advance:
        for name in names:
            _ask_book(folder, name, AsShipped(data=data, book=name), runs, advance)
    asked = {name: runs.outcomes(name) for name in names}
    figures = books_page.figures(asked, runs.peers(names), readings.stored())
    page = books_page.page(figures)
    if write:
        CLAIMED.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
        PAGE.write_text(page, "utf-8")
    typer.echo(page)


def labelled(folder: Path, name: str) -> list[Labelled]:
    """A book's questions, with the text that they point to. Raises PointerError."""
    text = open_books.read(folder, name)
    return [
        _LABELLED.validate_python(written.readable_question(line, text)) for line in written.questions(name)
    ]


def _ask_book(folder: Path, name: str, settings: Settings, runs: BookRuns, advance: Advance) -> None:
    questions = labelled(folder, name)
    known = {outcome.id for outcome in runs.outcomes(name)}
    left = [question for question in questions if question.id not in known]
    if left:
        ingested.ingest(settings, folder / name / "docs", name, None, advance)
        asyncio.run(_ask(name, settings, left, runs, advance))
    runs.keep_only(name, [question.id for question in questions])


async def _ask(
    name: str, settings: Settings, left: Sequence[Labelled], runs: BookRuns, advance: Advance
) -> None:
    async with wiring.local(settings) as system:
        lexicon = (await system.deps.library.open(name)).lexicon
        for start in range(0, len(left), AT_ONCE):
            some = left[start : start + AT_ONCE]
            found = await evaluating.run_all(system.answer, some, lambda *_: None, pace=PACE)
            passed = [await to_a_model(one, name, system.deps) for one in some]
            told = zip(some, _outcomes(some, found, lexicon), passed, strict=True)
            runs.add(
                name,
                [replace(one, reaches=bool(to), given=has_evidence(label, to)) for label, one, to in told],
            )
            advance(f"ask {name}", min(start + AT_ONCE, len(left)), len(left))


async def brief_of(one: Labelled, book_id: str, deps: Deps) -> GeneratorInput | None:
    """What a generator which can refuse by itself would get to know; None where the gates refuse."""
    book = await deps.library.open(book_id)
    assessor = replace(deps.assessor, refuses=True)
    asked = validation.question(
        one.question, one.selected_text, query_id=uuid4(), session_id=uuid4(), client_id="measure"
    )
    up = await climbs(asked.text, asked.selected_text, book, deps.embedder, assessor)
    foreign = other_language(asked.text, book.policy.language)
    return None if assembly.refused(asked, up, book, foreign) else assembly.brief(asked, up, book)


async def to_a_model(one: Labelled, book_id: str, deps: Deps) -> tuple[Passage, ...]:
    """The passages that such a generator would get; none where the gates refuse."""
    brief = await brief_of(one, book_id, deps)
    return tuple(exhibit.passage for exhibit in brief.evidence.exhibits) if brief else ()


def has_evidence(one: Labelled, passages: Sequence[Passage]) -> bool:
    """Return whether a passage holds an evidence quote of the question."""
    return any(holds_evidence(one, passage.document, passage.text) for passage in passages)


def _outcomes(labelled: Sequence[Labelled], found: Sequence[Run], lexicon: Lexicon) -> list[Outcome]:
    searches = [(one.question, run.candidates) for one, run in zip(labelled, found, strict=True)]
    words = bm25.highest(searches, lexicon)
    return [
        outcome(judge(one, run, None), highest)
        for one, run, highest in zip(labelled, found, words, strict=True)
    ]


def outcome(verdict: Verdict, words: float | None) -> Outcome:
    """Return the outcome of a question as the measure keeps it."""
    run, response = verdict.run, verdict.run.response or {}
    scored = sufficiency(run)
    return Outcome(
        id=verdict.labelled.id,
        kind=verdict.labelled.kind,
        expect=verdict.labelled.expect,
        failed=verdict.run.response is None,
        answered=verdict.answered,
        right=verdict.right_source,
        points=sum(found for _, found in verdict.points),
        points_of=len(verdict.points),
        to_the_point=sum(is_evidence for _, is_evidence in verdict.to_the_point),
        sentences=len(verdict.to_the_point),
        level=response.get("confidence_level"),
        evidence_rank=verdict.evidence_rank,
        selected=verdict.labelled.selected_text is not None,
        shown=shown(response),
        scores={
            "sufficiency": scored[0] if scored else UNANSWERED,
            "cosine": max((one.cosine for one in run.candidates), default=UNANSWERED),
            "bm25": UNANSWERED if words is None else words,
        },
    )


def shown(response: Response) -> tuple[Shown, ...]:
    """Return what an answer shows; nothing of a refusal."""
    sections = {source["id"]: source["section"] for source in response.get("sources", ())}
    sentences = response.get("sentences", ())
    return tuple(Shown(one["text"], sections[one["source_ids"][0]]) for one in sentences)


if __name__ == "__main__":
    typer.run(main)
