"""The measure on requests as readers make them: `python -m evaluation.requests [BOOKS]` (E2).

Requests about selected passages, follow-ups and questions to tables, over the sample book and open books
(evaluation/requests/, our own text: a line points into an open book and holds no text of it). Nothing is
fitted on the lines that judge; those of the split "dev" were in view when the code was written.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter
from rich.console import Console

from bookbound import wiring
from bookbound.evaluation.judging import Run, judge
from bookbound.evaluation.literal import readable
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.local import asking
from bookbound.local.progress import Advance, steps
from bookbound.model import Result
from evaluation import ingested
from evaluation.gate import PACE, AsShipped
from training import books as open_books
from training import lines as written
from training.follow_ups import is_read_right

Line = Mapping[str, Any]

SETS = Path("evaluation/requests")
SAMPLE_BOOK = "sample-book"
_SAMPLE_DOCS = Path("sample_book/docs")

_LABELLED = TypeAdapter(Labelled)
_NO_FILE = "no book {book!r} here: give the folder with the open books, or --book sample-book"


@dataclass(frozen=True, slots=True)
class Asked:
    """A line with what came of it."""

    line: Line
    result: Result
    response: Mapping[str, Any]

    @property
    def answered(self) -> bool:
        """True if it was answered."""
        return not self.response["was_refusal"]

    @property
    def right(self) -> bool:
        """True if an answer shows a source that the label names."""
        return (
            self.answered and judge(self._labelled(), Run(self.line["id"], self.response), None).right is True
        )

    @property
    def read_right(self) -> bool:
        """True if the question that was judged is what was meant."""
        return is_read_right(self.line, self.response["read_as"] or self.line["question"])

    @property
    def shows_cells(self) -> bool:
        """True if every cell that the answer needs is among its sentences, or in its notice."""
        return self.answered and shows(self.response, self.line["cells"])

    def _labelled(self) -> Labelled:
        known = {name: self.line[name] for name in ("id", "question", "expect", "evidence")}
        return _LABELLED.validate_python({"kind": self.line.get("kind", "follow_up"), **known})


def shows(response: Mapping[str, Any], cells: Sequence[str]) -> bool:
    """Return whether every cell stands in a response's sentences, or in its notice."""
    return holds([*(one["text"] for one in response["sentences"]), response["notice"] or ""], cells)


def holds(texts: Iterable[str], cells: Sequence[str]) -> bool:
    """Return whether every cell stands in the texts, white space and case aside."""
    said = _squeezed(" ".join(texts))
    return all(_squeezed(cell) in said for cell in cells)


def main(
    books: Annotated[
        Path | None, typer.Argument(metavar="[BOOKS]", exists=True, file_okay=False, help="Open books.")
    ] = None,
    *,
    split: Annotated[str, typer.Option(help="`judge`, `dev`, or `further` (tables alone).")] = "judge",
    only: Annotated[list[str] | None, typer.Option("--book", help="Only lines of these.")] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", help="selections, follow_ups or tables.")] = None,
    data: Annotated[Path, typer.Option(help="Where indexes go.")] = Path("build/books"),
    told: Annotated[bool, typer.Option("--list", help="Show the lines that went wrong.")] = False,
) -> None:
    """Ask every request, and print how many were read, answered and refused as they should be."""
    for name in sets or list(_FIGURES):
        lines = [
            line
            for line in map(json.loads, (SETS / f"{name}.jsonl").read_text("utf-8").splitlines())
            if line["split"] == split and (not only or line["book"] in only)
        ]
        with steps(Console(stderr=True)) as advance:
            asked = list(_ask_all(lines, books, data, advance))
        typer.echo(f"{name}: {len(asked)} lines")
        for figure, rate in _FIGURES[name](asked):
            typer.echo(f"  {figure}: {_shown(rate)}")
        for wrong in (one for one in asked if told and not _fine(name, one)):
            typer.echo(f"  {wrong.line['id']} {wrong.line['expect']}: {_story(wrong)}")


def _ask_all(lines: Sequence[Line], books: Path | None, data: Path, advance: Advance) -> Iterator[Asked]:
    for book in dict.fromkeys(line["book"] for line in lines):
        docs = _SAMPLE_DOCS if book == SAMPLE_BOOK else books and books / book / "docs"
        if docs is None:
            raise typer.BadParameter(_NO_FILE.format(book=book))
        settings = AsShipped(data=data, book=book)
        ingested.ingest(settings, docs, book, None, advance)
        of_book = [_readable(line, books) for line in lines if line["book"] == book]
        yield from asyncio.run(_ask(settings, of_book, advance))


def _readable(line: Line, books: Path | None) -> Line:
    """The line with the text that it points to, as a browser copies it; foreign text stands in it."""
    if line["book"] == SAMPLE_BOOK or books is None:
        return line
    pages, selected = open_books.read(books, line["book"]), line.get("selected_text")
    pointing = dict(line) | {"also_in": [], "selected_text": selected if isinstance(selected, dict) else None}
    made = written.readable_question(pointing, pages)
    return {
        **made,
        "selected_text": readable(made["selected_text"]) if pointing["selected_text"] else selected,
    }


async def _ask(settings: AsShipped, lines: Sequence[Line], advance: Advance) -> list[Asked]:
    found = []
    async with wiring.local(settings) as system:
        for at, line in enumerate(lines, 1):
            result = await asking.ask(
                system.answer,
                line["question"],
                line.get("selected_text"),
                previous=line.get("previous"),
                pace=PACE,
            )
            found.append(Asked(line, result, asking.response(result)))
            advance(f"ask {line['book']}", at, len(lines))
    return found


def _of_selections(asked: Sequence[Asked]) -> Iterator[tuple[str, Rate]]:
    wanted, unwanted = _by_wish(asked)
    yield "to answer, answered", rate_of([one.answered for one in wanted])
    yield "to answer, answered from the right place", rate_of([one.right for one in wanted])
    yield "to refuse, answered", rate_of([one.answered for one in unwanted])


def _of_follow_ups(asked: Sequence[Asked]) -> Iterator[tuple[str, Rate]]:
    wanted, unwanted = _by_wish(asked)
    yield "right reading", rate_of([one.read_right for one in asked])
    for kind, some in _by_kind(asked):
        yield f"  {kind}", rate_of([one.read_right for one in some])
    yield "to answer, answered and right", rate_of([one.right for one in wanted])
    yield "to answer, answered", rate_of([one.answered for one in wanted])
    yield "to refuse, answered", rate_of([one.answered for one in unwanted])


def _of_tables(asked: Sequence[Asked]) -> Iterator[tuple[str, Rate]]:
    wanted, unwanted = _by_wish(asked)
    yield "to answer, right cells shown", rate_of([one.shows_cells for one in wanted])
    for kind, some in _by_kind(wanted):
        yield f"  {kind}", rate_of([one.shows_cells for one in some])
    yield "to refuse, answered", rate_of([one.answered for one in unwanted])


_FIGURES: Mapping[str, Callable[[Sequence[Asked]], Iterator[tuple[str, Rate]]]] = {
    "selections": _of_selections,
    "follow_ups": _of_follow_ups,
    "tables": _of_tables,
}


def _by_wish(asked: Sequence[Asked]) -> tuple[list[Asked], list[Asked]]:
    return (
        [one for one in asked if one.line["expect"] == "answer"],
        [one for one in asked if one.line["expect"] == "refuse"],
    )


def _by_kind(asked: Sequence[Asked]) -> Iterator[tuple[str, list[Asked]]]:
    """By what a line asks for; lines of the code's own author do not say."""
    found: dict[str, list[Asked]] = {}
    for one in asked:
        found.setdefault(one.line.get("ask", "by the code's author"), []).append(one)
    yield from found.items()


def _fine(name: str, one: Asked) -> bool:
    if one.line["expect"] == "refuse":
        return not one.answered and (name != "follow_ups" or one.read_right)
    right = {
        "selections": one.answered,
        "follow_ups": one.right,
        "tables": name == "tables" and one.shows_cells,
    }
    return right[name] and (name != "follow_ups" or one.read_right)


def _story(one: Asked) -> str:
    read = f" → {one.response['read_as']}" if one.response["read_as"] else ""
    before = f"{one.line['previous']} / " if one.line.get("previous") else ""
    came = (
        one.response["refusal_reason"] or " ".join(each["text"] for each in one.response["sentences"])[:160]
    )
    return f"{before}{one.line['question']}{read}: {came}"


def _shown(rate: Rate) -> str:
    share = "–" if rate["rate"] is None else f"{100 * rate['rate']:.0f} %"
    return f"{share} ({rate['hits']}/{rate['n']}; {100 * rate['low']:.0f}–{100 * rate['high']:.0f})"


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()


if __name__ == "__main__":
    typer.run(main)
