"""What the reader could learn of tables: `python -m training.reader.tables BOOKS` (E2).

Its last layers are trained once more, as a branch, on questions to tables: which column holds what is asked
for, which rows are meant, and whether any does. What the reader says of text stays as it is. One in ten of
the tables is left out, and judges. Nothing of it ships (decision 33).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console
from torch import Tensor

from bookbound.adapters.bundled.reader import CUT_OFF, MODEL
from bookbound.evaluation.rates import auroc
from bookbound.local.progress import Advance, steps
from training.reader import table_examples as to_tables
from training.reader.encoding import Encoded, batch_of, batches, encode, encoded_pairs
from training.reader.examples import Example
from training.reader.fitting import (
    Run,
    Schedule,
    answer_losses,
    compile_layers,
    descend_along,
    keep,
    saying,
)
from training.reader.halves import all_books
from training.reader.network import WIDTH, Reader, TableBranch, branch_of
from training.reader.shipped import restored
from training.reader.table_examples import Asked

SHIPPED = Path("layers/core/python/bookbound/data/reader")
SCHEDULE = Schedule(rate=2e-4, epochs=3, seed=1)


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="Where the branch goes; one that is there is judged.")] = Path(
        "build/reader/tables"
    ),
    shipped: Annotated[
        Path, typer.Option("--from", help="The folder of the reader to go on from.")
    ] = SHIPPED,
) -> None:
    """Train the branch, and print what the reader tells of tables that were left out, before and after."""
    reader = restored(shipped / MODEL)
    learned, judged = _data(books)
    with steps(Console(stderr=True)) as advance:
        untaught = branch_of(reader).eval()
        pairs = [*encoded_pairs(_examples(judged))]
        below = _below(reader, [one for _, one in pairs], len(untaught.layers), advance)
        before = figures(untaught, pairs, below)
        after = figures(trained(reader, learned, work / "branch.pt", advance), pairs, below)
    typer.echo(f"{len(learned)} questions to learn from, {len(judged)} to tables that were left out")
    typer.echo(f"before: {before}")
    typer.echo(f"after: {after}")


def _data(books: Path) -> tuple[list[Asked], list[Asked]]:
    """What learns, and what judges: whole tables are kept apart."""
    asked = [*to_tables.own()]
    asked += [one for book in all_books() for one in to_tables.of_books_tables(books, book)]
    learned, judged = to_tables.split(asked)
    further = [one for book in all_books() for one in to_tables.of_book(books, book)]
    further += [one for book in all_books() for one in to_tables.of_text(books, book)]
    left_out = {one.key for one in judged}
    return learned + [one for one in further if one.key not in left_out], judged


# --- training -------------------------------------------------------------------------------------


Below = dict[int, Tensor]
"""By an example's identity, the reader's vectors below the branch, `[pieces, WIDTH]`, in half precision."""


def trained(reader: Reader, learned: Sequence[Asked], kept: Path, advance: Advance) -> TableBranch:
    """The branch, from `kept` if it is there; else taught, and kept."""
    branch = branch_of(reader)
    if kept.exists():
        branch.load_state_dict(torch.load(kept, weights_only=True))
        branch.eval()
        return branch
    torch.manual_seed(SCHEDULE.seed)
    data = encode(_examples(learned))
    below = _below(reader, data, len(branch.layers), advance)
    seeds = (SCHEDULE.seed * 100 + number for number in range(SCHEDULE.epochs))
    order = [some for seed in seeds for some in batches(data, SCHEDULE.batch, seed)]
    compile_layers(branch.layers)
    kept.parent.mkdir(parents=True, exist_ok=True)
    run = Run(SCHEDULE, kept.with_suffix(".ckpt"), saying("tables", advance))
    descend_along(branch, len(order), lambda done: order[done:], lambda some: _loss(branch, some, below), run)
    keep(branch.state_dict(), kept)
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
    answers, where = branch(vectors, batch.mask[:, None, None, :].bool())
    return answer_losses(answers, where, batch)


def _examples(asked: Sequence[Asked]) -> list[Example]:
    return [one for each in asked for one in to_tables.examples(each)]


# --- what it is worth -----------------------------------------------------------------------------


def figures(branch: TableBranch, judged: Sequence[tuple[Example, Encoded]], below: Below) -> str:
    """Share of right columns and rows where one is asked for, and the AUROC of there being one."""
    told: dict[str, list[tuple[bool | None, float, int]]] = {"columns": [], "rows": []}
    with torch.inference_mode():
        for row, one in judged:
            answers, where = branch(below[id(one)].float()[None], None)
            units = [
                float(where[0, start:end].mean()) if end > start else CUT_OFF for start, end in one.units
            ]
            single = row["answers"] and row["labels"] and sum(row["labels"]) == 1
            hit = row["labels"][units.index(max(units))] == 1 if single else None
            told[row["above"].split()[0]].append((hit, float(answers[0]), row["answers"]))
    return "; ".join(f"{name} {_told(rows)}" for name, rows in told.items())


def _told(rows: Sequence[tuple[bool | None, float, int]]) -> str:
    hits = [hit for hit, _, _ in rows if hit is not None]
    sides = ([logit for _, logit, is_there in rows if is_there == side] for side in (1, 0))
    return f"{sum(hits)} of {len(hits)} right, AUROC {auroc(*sides) or 0.0:.3f}"


if __name__ == "__main__":
    typer.run(main)
