"""Teach the reader that ships to read tables: `python -m training.reader.tables BOOKS` (T1).

Its last layers are trained once more, as a branch, on questions to tables: which column holds what is asked
for, which rows are meant, and whether any does. What the reader says of text stays as it is, and so does all
that was fitted to it. One in ten of the tables is left out, and judges; eight books are, and the choice
between a table and the text is fitted on them (`table_choice`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import torch
import typer
from jinja2 import Environment
from rich.console import Console
from torch import Tensor

from bookbound.adapters.bundled.reader import MODEL, BundledReader
from bookbound.evaluation import fitted_file
from bookbound.evaluation.rates import auroc
from bookbound.evidence.table_choice import TableChoice
from bookbound.evidence.table_reading import ENDS, end_told
from bookbound.local.progress import Advance, steps
from training.reader import table_choice as choice
from training.reader import table_examples as to_tables
from training.reader.card import hash_of
from training.reader.encoding import Encoded, batch_of, batches, encode
from training.reader.examples import Example
from training.reader.export import export
from training.reader.fitting import (
    Run,
    Schedule,
    answer_losses,
    compile_layers,
    descend_along,
    keep,
    narrowed,
    saying,
)
from training.reader.halves import all_books
from training.reader.left_out import ingest
from training.reader.network import BRANCH, WIDTH, Reader, TableBranch, branch_of
from training.reader.shipped import restored
from training.reader.table_examples import Asked

SHIPPED = Path("layers/core/python/bookbound/data/reader")
TEMPLATE = Path(__file__).with_name("tables.md.j2")
HEADING = "## Tables"
SCHEDULE = Schedule(rate=2e-4, epochs=2, seed=1)


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="What is made on the way; delete it to begin anew.")] = Path(
        "build/reader/tables"
    ),
    indexes: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    out: Annotated[Path, typer.Option(help="The folder of the reader that is taught.")] = SHIPPED,
) -> None:
    """Train the branch, fit the choice, and write both into the reader's folder."""
    reader = restored(out / MODEL)
    learned, judged = _data(books)
    with steps(Console(stderr=True)) as advance:
        branch = trained(reader, learned, work / "branch.pt", advance)
        export(reader, work / MODEL, branch)
        told = [
            one
            for book in choice.BOOKS
            for one in choice.ask(ingest(books, book, indexes), work, choice.questions(books, book), advance)
        ]
    unchanged(BundledReader(out), BundledReader(work), judged)
    fitted = choice.fit(told)
    shutil.copyfile(work / MODEL, out / MODEL)
    fitted_file.keep(out / "tables.json", asdict(fitted), on_less=True)
    section = _section(learned, figures(BundledReader(work), judged), fitted, choice.worth(told))
    typer.echo(section)
    _keep_card(out / "README.md", out / MODEL, section)
    stored = json.loads((out / "sufficiency.json").read_text("utf-8"))
    fitted_file.keep(out / "sufficiency.json", stored | {"reader": hash_of(out / MODEL)[:16]}, on_less=True)


def _data(books: Path) -> tuple[list[Asked], list[Asked]]:
    """What learns, and what judges: whole tables are kept apart."""
    asked = [*to_tables.own()]
    asked += [one for book in all_books() for one in to_tables.of_books_tables(books, book)]
    learned, judged = to_tables.split(asked)
    taught_by = [book for book in all_books() if book not in choice.BOOKS]
    further = [one for book in taught_by for one in to_tables.of_book(books, book)]
    further += [one for book in taught_by for one in to_tables.of_text(books, book)]
    left_out = {one.key for one in judged}
    left_out |= {one.key for book in choice.BOOKS for one in to_tables.of_books_tables(books, book)}
    return [one for one in (*learned, *further) if one.key not in left_out], judged


# --- training -------------------------------------------------------------------------------------


Below = dict[int, Tensor]
"""By an example's identity, the reader's vectors below the branch, `[pieces, WIDTH]`, in half precision."""


def trained(reader: Reader, learned: Sequence[Asked], kept: Path, advance: Advance) -> TableBranch:
    """The branch, from `kept` if it is there; else taught, and kept.

    It comes from the file either way: layers that were compiled to be taught cannot be exported.
    """
    if not kept.exists():
        keep(_taught(reader, learned, kept, advance).state_dict(), kept)
    branch = branch_of(reader)
    branch.load_state_dict(torch.load(kept, weights_only=True))
    branch.eval()
    return branch


def _taught(reader: Reader, learned: Sequence[Asked], kept: Path, advance: Advance) -> TableBranch:
    branch = branch_of(reader)
    torch.manual_seed(SCHEDULE.seed)
    data = encode(_examples(learned))
    below = _below(reader, data, len(branch.layers), advance)
    seeds = (SCHEDULE.seed * 100 + number for number in range(SCHEDULE.epochs))
    order = [some for seed in seeds for some in batches(data, SCHEDULE.batch, seed)]
    compile_layers(branch.layers)
    kept.parent.mkdir(parents=True, exist_ok=True)
    run = Run(SCHEDULE, kept.with_suffix(".ckpt"), saying("tables", advance))
    descend_along(branch, len(order), lambda done: order[done:], lambda some: _loss(branch, some, below), run)
    return branch


def _below(reader: Reader, data: Sequence[Encoded], depth: int, advance: Advance) -> Below:
    """What the layers below the branch make of each example, computed once."""
    found: Below = {}
    with torch.inference_mode():
        for some in batches(data, 2 * SCHEDULE.batch, None):
            batch = batch_of(some)
            vectors = reader.encoded(batch.ids, batch.segments, batch.mask, len(reader.layers) - depth).half()
            found |= {id(one): vectors[at, : len(one.ids)].clone() for at, one in enumerate(some)}
            advance("tables: read", len(found), len(data))
    return found


def _loss(branch: TableBranch, some: Sequence[Encoded], below: Below) -> Tensor:
    batch = batch_of(some)
    vectors = torch.zeros(*batch.ids.shape, WIDTH)
    for row, one in enumerate(some):
        vectors[row, : len(one.ids)] = below[id(one)].float()
    with narrowed(torch.device("cpu")):
        answers, where = branch(vectors, batch.mask[:, None, None, :].bool())
        return answer_losses(answers, where, batch)


def _examples(asked: Sequence[Asked]) -> list[Example]:
    return [one for each in asked for one in to_tables.examples(each)]


# --- what it is worth -----------------------------------------------------------------------------


def figures(reader: BundledReader, judged: Sequence[Asked]) -> str:
    """Of columns and of rows: is the likeliest one asked for, are all that are, and is any there.

    Of an extreme: is the end of the column's values that is asked for told, and none where none is.
    """
    told: dict[str, list[_Told]] = {"columns": [], "rows": []}
    ends: list[_Told] = []
    for one in _examples(judged):
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


def unchanged(before: BundledReader, after: BundledReader, judged: Sequence[Asked]) -> None:
    """Raise ValueError where the reader says anything else of text than before."""
    for one in judged[::20]:
        text = one.question, one.name, tuple(" | ".join(row) for row in one.cells)
        if before.logits(*text) != after.logits(*text) or before.support(*text) != after.support(*text):
            raise ValueError(f"the reader's logits changed: {one.question}")


def _section(learned: Sequence[Asked], worth: str, fitted: TableChoice, found: Sequence[choice.Worth]) -> str:
    """The card's section on the branch."""
    template = Environment(keep_trailing_newline=True).from_string(TEMPLATE.read_text("utf-8"))
    return template.render(
        layers=BRANCH,
        fitted=fitted,
        learned=len(learned),
        worth=worth,
        found=found,
        schedule=SCHEDULE,
        books=choice.BOOKS,
    )


def _keep_card(page: Path, model: Path, section: str) -> None:
    """Write the section at the end of the card, and the file's new size and hash."""
    row = f"| file | `{MODEL}`, {model.stat().st_size / 1e6:.1f} MB, SHA-256 `{hash_of(model)[:16]}…` |"
    text = page.read_text("utf-8").split(f"\n{HEADING}\n")[0].rstrip()
    kept = [row if line.startswith("| file | `") else line for line in text.splitlines()]
    page.write_text("\n".join(kept) + "\n\n" + section, "utf-8")


if __name__ == "__main__":
    typer.run(main)
