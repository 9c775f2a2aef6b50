"""`python -m training.check BOOKS`: whether the set is sound; `make questions-check` runs it.

Fails on a pointer that leads nowhere or elsewhere, on the same question twice, on near-duplicates, and where
a bag of words tells near misses from answerable questions, or false claims from true ones, by wording alone.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bookbound.local.progress import steps
from training import agreement, artefacts, books, drafts, lines, nearest
from training.lines import Line
from training.pointers import Book, PointerError

MOST = 0.60
"""AUROC that wording alone may reach."""

WIDTH = 190
"""Columns of the tables."""

ALIKE = 0.85
"""Share of common words (Jaccard) from which two questions of a book count as one."""


def main(
    folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    near: Annotated[
        Path | None, typer.Option(help="Write the passages nearest to each near miss here.")
    ] = None,
    at: Annotated[int, typer.Option(min=1, help="How many passages per near miss.")] = 10,
    counts: Annotated[
        bool, typer.Option("--counts", help="Write what is shown to training/counts.txt.")
    ] = False,
) -> None:
    """Check the questions and claims of every book against the books."""
    asked = {name: lines.questions(name) for name in lines.books()}
    claimed = {name: lines.claims(name) for name in asked}
    paired = {name: lines.pair_claims(name) for name in lines.paired()}
    every = sorted(asked.keys() | paired.keys())
    faults = []
    with steps(Console(stderr=True)) as advance:
        for done, name in enumerate(every, 1):
            text = books.read(folder, name)
            claims = [*claimed.get(name, ()), *paired.get(name, ())]
            faults += [f"{name}: {fault}" for fault in _unresolved(asked.get(name, ()), claims, text)]
            faults += [f"{name}: {fault}" for fault in _doubles(asked.get(name, ()))]
            if near and name in asked:
                near.mkdir(parents=True, exist_ok=True)
                (near / f"{name}.txt").write_text(nearest.listing(asked[name], text, at), "utf-8")
            advance("books", done, len(every))
    console = Console(width=WIDTH, record=True)
    console.print(_counts(asked), _lengths(asked), _claim_counts(claimed))
    console.print(_pair_counts(paired), _agreement())
    for kind, value, telling in artefacts.of(asked, claimed, paired):
        console.print(
            f"{kind}: AUROC {value:.3f} by wording alone, leave one book out; most telling: {telling}"
        )
        if value > MOST:
            faults.append(
                f"{kind} are betrayed by their wording: AUROC {value:.3f}, at most {MOST} is allowed"
            )
    if counts:
        (lines.HOME / "counts.txt").write_text(console.export_text(), "utf-8")
    for fault in faults:
        typer.echo(fault, err=True)
    sys.exit(1 if faults else 0)


def _unresolved(asked: Sequence[Line], claimed: Sequence[Line], text: Book) -> Iterator[str]:
    for line in (*asked, *claimed):
        try:
            made = (
                lines.readable_claim(line, text) if "claim" in line else lines.readable_question(line, text)
            )
        except PointerError as error:
            yield f"{line['id']}: {error}"
        else:
            if "claim" not in line and (line["expect"] == "answer") != bool(made["evidence"]):
                yield f"{line['id']}: evidence and expectation do not fit"


def _doubles(asked: Sequence[Line]) -> Iterator[str]:
    for name, count in Counter(line["id"] for line in asked).items():
        if count > 1:
            yield f"{name} occurs {count} times"
    # A near miss and an answerable question from one mould are wanted: they may differ by a word.
    plain = [line for line in asked if "selected_text" not in line]
    words = [frozenset(line["question"].lower().split()) for line in plain]
    for (one, ours), (other, theirs) in combinations(zip(plain, words, strict=True), 2):
        if one["expect"] == other["expect"] and len(ours & theirs) >= ALIKE * len(ours | theirs):
            yield f"{one['id']} and {other['id']} ask the same"


def _counts(asked: dict[str, list[Line]]) -> Table:
    kinds = (*drafts.ANSWERED, *drafts.REFUSED)
    table = Table("book", *kinds, "all", title="Questions by kind")
    for name, each in asked.items():
        counted = Counter(line["kind"] for line in each)
        mark = "*" if name in lines.JUDGING else ""
        table.add_row(f"{name}{mark}", *(str(counted[kind]) for kind in kinds), str(len(each)))
    whole = Counter(line["kind"] for each in asked.values() for line in each)
    table.add_row("all (* judges only)", *(str(whole[kind]) for kind in kinds), str(whole.total()))
    return table


def _lengths(asked: dict[str, list[Line]]) -> Table:
    table = Table("kind", "median words", "least", "most", title="Length of questions")
    for kind in (*drafts.ANSWERED, *drafts.REFUSED):
        lengths = [
            len(line["question"].split())
            for lines in asked.values()
            for line in lines
            if line["kind"] == kind
        ]
        table.add_row(kind, f"{median(lengths):g}", str(min(lengths)), str(max(lengths)))
    return table


def _claim_counts(claimed: dict[str, list[Line]]) -> Table:
    table = Table("kind of claim", "label", "claims", title="Claims by kind")
    whole = Counter((line["kind"], line["label"]) for each in claimed.values() for line in each)
    for (kind, label), count in sorted(whole.items(), key=lambda item: (not item[0][1], -item[1])):
        table.add_row(kind, str(label).lower(), str(count))
    true = sum(count for (_, label), count in whole.items() if label)
    table.add_row("all", f"{true / whole.total():.0%} true", str(whole.total()))
    return table


def _pair_counts(paired: dict[str, list[Line]]) -> Table:
    table = Table("book", *drafts.FALSE_CLAIMS, "all", title="Pairs of claims by what is altered")
    for name, each in paired.items():
        counted = Counter(line["kind"] for line in each if not line["label"])
        table.add_row(name, *(str(counted[kind]) for kind in drafts.FALSE_CLAIMS), str(counted.total()))
    whole = Counter(line["kind"] for each in paired.values() for line in each if not line["label"])
    table.add_row("all", *(str(whole[kind]) for kind in drafts.FALSE_CLAIMS), str(whole.total()))
    return table


def _agreement() -> Table:
    table = Table("of", "kind", "read twice", "agree", "kappa", title="Second reading, without labels")
    for of, kind, read, agree, kappa in agreement.by_kind(agreement.read()):
        table.add_row(of, kind, str(read), str(agree), f"{kappa:.3f}")
    return table


if __name__ == "__main__":
    typer.run(main)
