"""Fit the choice between a table and the text: `python -m training.reader.tables BOOKS` (T1).

The reader says of a table which column holds what is asked for, which rows are meant, and whether any does.
One in ten of the tables that teach it is left out, and judges; those of eight books are, and the choice is
fitted on these books (`table_choice`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from jinja2 import Environment
from rich.console import Console

from bookbound.adapters.bundled.reader import BundledReader
from bookbound.evaluation import fitted_file
from bookbound.evaluation.rates import auroc
from bookbound.evidence.table_choice import TableChoice
from bookbound.evidence.table_reading import ENDS, end_told
from bookbound.local.progress import steps
from training.reader import table_choice as choice
from training.reader import table_examples
from training.reader.halves import CHOOSING, all_books
from training.reader.left_out import ingest
from training.reader.sections import with_section
from training.reader.table_examples import Asked

SHIPPED = Path("layers/core/python/bookbound/data/reader")
TEMPLATE = Path(__file__).with_name("tables.md.j2")
HEADING = "## Tables"


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    indexes: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    out: Annotated[Path, typer.Option(help="The folder of the reader.")] = SHIPPED,
) -> None:
    """Fit the choice, and write it and what it is worth into the reader's folder."""
    learned, judged = table_examples.material(books, all_books())
    with steps(Console(stderr=True)) as advance:
        told = [
            one
            for book in CHOOSING
            for one in choice.ask(ingest(books, book, indexes), out, choice.questions(books, book), advance)
        ]
    fitted = choice.fit(told)
    fitted_file.keep(out / "tables.json", asdict(fitted), on_less=True)
    section = _section(learned, _of_left_out(BundledReader(out), judged), fitted, choice.worth(told))
    typer.echo(section)
    page = out / "README.md"
    page.write_text(with_section(page.read_text("utf-8"), HEADING, section), "utf-8")


# --- what it is worth -----------------------------------------------------------------------------


def _of_left_out(reader: BundledReader, judged: Sequence[Asked]) -> Mapping[str, str]:
    """The figures on what taught nothing: questions to tables and to `further` ones that are left out, and
    to those of a field `apart`.
    """
    further = _further()
    return {
        "worth": figures(reader, [one for one in judged if one.key not in further]),
        "further": figures(reader, [one for one in judged if one.key in further]),
        "apart": figures(reader, [*table_examples.own(table_examples.APART)]),
    }


def _further() -> set[str]:
    """The keys of further tables."""
    return {one.key for one in table_examples.own(table_examples.FURTHER)}


def figures(reader: BundledReader, judged: Sequence[Asked]) -> str:
    """Of columns and of rows: is the likeliest one asked for, are all that are, and is any there.

    Of an extreme: is the end of the column's values that is asked for told, and none where none is.
    """
    told: dict[str, list[_Told]] = {"columns": [], "rows": []}
    ends: list[_Told] = []
    for one in (each for asked in judged for each in table_examples.examples(asked)):
        answers, units = reader.table_logits(one["question"], one["above"], tuple(one["texts"]))
        labels = one["labels"] or [-1] * len(units)
        name, *_ = one["above"].split()
        before = len(ENDS) if name == "columns" else 0
        told[name].append(_Told(one["answers"], answers, labels[before:], units[before:]))
        ends.append(_Told(one["answers"], answers, labels[:before], units[:before]))
    of_both = "; ".join(f"{name}: {_figure(some)}" for name, some in told.items())
    return f"{of_both}; {_of_ends(ends)}"


@dataclass(frozen=True, slots=True)
class _Told:
    """What is right of an example, 1 and 0, or -1 where nobody said, and the logits that the reader gives."""

    answers: int
    held: float
    labels: Sequence[int]
    units: Sequence[float]


def _of_ends(told: Sequence[_Told]) -> str:
    extreme = [one for one in told if 1 in one.labels]
    other = [one for one in told if [*one.labels] == [0, 0]]
    clear = [one for one in extreme if end_told(*one.units)]
    right = sum(one.labels[one.units.index(max(one.units))] for one in clear)
    wrong, taken = len(clear) - right, sum(end_told(*one.units) is not None for one in other)
    return (
        f"extremes: the right end is told in {right} of {len(extreme)}, the wrong one in {wrong}, and one in "
        f"{taken} of {len(other)} other questions"
    )


def _figure(told: Sequence[_Told]) -> str:
    asked = [(one.labels, one.units) for one in told if one.answers and 1 in one.labels]
    likeliest = sum(labels[units.index(max(units))] for labels, units in asked)
    exactly = sum([*labels] == [int(logit > 0) for logit in units] for labels, units in asked)
    sides = ([one.held for one in told if one.answers == side] for side in (1, 0))
    return (
        f"the likeliest is asked for in {likeliest} of {len(asked)}, those above 0 are those asked for in "
        f"{exactly}, AUROC of any being asked for {auroc(*sides) or 0.0:.3f}"
    )


def _section(
    learned: Sequence[Asked],
    left_out: Mapping[str, str],
    fitted: TableChoice,
    found: Sequence[choice.Worth],
) -> str:
    """The card's section on tables."""
    template = Environment(keep_trailing_newline=True).from_string(TEMPLATE.read_text("utf-8"))
    further = _further()
    later = sum(one.key in further for one in learned)
    known = len(learned) - later
    return template.render(fitted=fitted, learned=known, later=later, found=found, books=CHOOSING, **left_out)


if __name__ == "__main__":
    typer.run(main)
