"""Answers that judges read without labels: `python -m evaluation.answers_read sheets`, then `take` (E2).

A label knows the passages that its author had in view: an answer from elsewhere counts as wrong, and a near
miss that the book answers after all as a false answer. So two judges read the answers of `evaluation.books`.
How they judge is in `training/GUIDE.md`. `sheets` writes what they read, and `take` keeps what they said; the
page of that measure shows it for as long as the answers stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bookbound.evaluation.questions import Labelled
from evaluation.asked_books import BookRuns, Outcome
from evaluation.books import labelled
from evaluation.readings import GRADES, READ, Reading, Readings, answer_of, said_of, stored
from training import lines as written

JUDGES = ("a", "b")

app = typer.Typer(help=__doc__, no_args_is_help=True)


@app.command()
def sheets(
    folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    out: Annotated[Path, typer.Argument(metavar="SHEETS", file_okay=False)],
    only: Annotated[
        list[str] | None, typer.Option("--book", help="Only these; default: those that judge.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Where the outcomes are.")] = Path("build/books"),
    most: Annotated[int, typer.Option(min=1, help="Answers to a sheet, at most.")] = 100,
) -> None:
    """Write SHEETS/BOOK-NUMBER.jsonl, the answers in the order of the questions' ids, which tell nothing.

    Answers that were read already are left out.
    """
    known = stored()
    for book in only or written.JUDGING:
        answers = to_read(labelled(folder, book), BookRuns(data).outcomes(book), book, known)
        for number, start in enumerate(range(0, len(answers), most), 1):
            written.write(out / f"{book}-{number}.jsonl", answers[start : start + most])
        typer.echo(f"{book}: {len(answers)} answers to read")


@app.command()
def take(
    folder: Annotated[Path, typer.Argument(metavar="SHEETS", exists=True, file_okay=False)],
    into: Annotated[Path, typer.Option(help="Where it is kept.")] = READ,
) -> None:
    """Keep what both judges said of every sheet; a sheet with a fault is named, and nothing is kept."""
    try:
        found = [one for sheet in sorted(folder.glob("*-*.jsonl")) if _is_sheet(sheet) for one in read(sheet)]
    except (OSError, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    kept = {**stored(into)} | {(one.book, one.id): one for one in found}
    written.write(into, [asdict(one) for one in kept.values()])
    typer.echo(f"{len(found)} answers read, {into} has {len(kept)}")


def to_read(
    asked: Iterable[Labelled], outcomes: Iterable[Outcome], book: str, known: Readings
) -> list[written.Line]:
    """A sheet's lines: the answers that nobody read yet, in the order of the questions' ids."""
    questions = {one.id: one for one in asked}
    answered = [one for one in outcomes if one.answered and not said_of(one, book, known)]
    return [_to_read(questions[one.id], one) for one in sorted(answered, key=lambda one: one.id)]


def _to_read(question: Labelled, outcome: Outcome) -> written.Line:
    shown = enumerate(outcome.shown, 1)
    return {
        "id": outcome.id,
        "question": question.question,
        "selected": question.selected_text,
        "answer": [{"n": number, "section": one.section, "text": one.text} for number, one in shown],
    }


def read(sheet: Path) -> Iterator[Reading]:
    """What both judges said of a sheet's answers; raises OSError, ValueError that says what is wrong."""
    lines = [*written.stored(sheet)]
    ids = [line["id"] for line in lines]
    said = [_said(sheet.with_suffix(f".{judge}.jsonl"), ids) for judge in JUDGES]
    for line, *grades in zip(lines, *said, strict=True):
        answer = answer_of(sentence["text"] for sentence in line["answer"])
        yield Reading(sheet.stem.rpartition("-")[0], line["id"], answer, tuple(grades))


def _said(path: Path, ids: Sequence[str]) -> list[str]:
    lines = [*written.stored(path)]
    if [line["id"] for line in lines] != [*ids]:
        raise ValueError(f"{path}: a line for each of the sheet's ids, in their order, is needed")
    if wrong := {line["grade"] for line in lines} - {*GRADES}:
        raise ValueError(f"{path}: {', '.join(map(str, wrong))} is no grade: {', '.join(GRADES)}")
    return [line["grade"] for line in lines]


def _is_sheet(path: Path) -> bool:
    return not path.stem.endswith(tuple(f".{judge}" for judge in JUDGES))


if __name__ == "__main__":
    app()
