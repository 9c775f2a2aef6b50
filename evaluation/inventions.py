"""Planted inventions: true claims about a book, each paired with one where one thing is altered (P4).

`python -m evaluation.inventions sample_book/inventions.jsonl --data .bookbound --book sample-book`
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bookbound import wiring
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.claims.support import Support, judged
from bookbound.errors import BookNotFound
from bookbound.evaluation import records
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.evaluation.records import InputError
from bookbound.model import Passage
from bookbound.ports import Reader
from bookbound.settings import Settings


@dataclass(frozen=True, slots=True)
class Invention:
    """A claim that a passage bears out, and the same claim with one thing changed that it does not.

    Attributes:
        document: the page's path. quote: literal text of the passage, which tells it from the page's others.
        paraphrase: whether the claim shares no run of six words with the passage.
        kind: what was altered: number, name, negation, unit, quantifier, comparison, clause, outside.
    """

    id: str
    document: str
    quote: str
    claim: str
    paraphrase: bool
    kind: str
    altered: str


@dataclass(frozen=True, slots=True)
class Planted:
    """An invention with the text of the passage that it is about."""

    invention: Invention
    passage: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verifier's word on both claims of an invention."""

    invention: Invention
    claim: Support
    altered: Support


def load(path: Path, passages: Iterable[Passage]) -> list[Planted]:
    """The inventions of a JSON-lines file, each with the first passage of its page that holds its quote.

    Raises InputError with the entry, where a quote is in no passage of its page; OSError.
    """
    by_page: dict[str, list[str]] = {}
    for passage in passages:
        by_page.setdefault(passage.document, []).append(passage.text)
    return [Planted(one, _quoted(one, by_page, path)) for one in records.load(path, Invention)]


def _quoted(invention: Invention, by_page: dict[str, list[str]], path: Path) -> str:
    wanted = " ".join(invention.quote.split())
    for text in by_page.get(invention.document, ()):
        if wanted in " ".join(text.split()):
            return text
    raise InputError(f"{path}: {invention.id}: no passage of {invention.document} holds the quote")


def indexed_passages(data: Path, book_id: str) -> list[Passage]:
    """Every passage of a book's live index, in the book's order. Raises BookNotFound."""
    version = wiring.index_folder(Settings(data=data)).live_version(book_id)
    if version is None:
        raise BookNotFound(f"there is no book {book_id!r} under {data}")
    with closing(EmbeddedPoints().open(version)) as store:
        passages = asyncio.run(store.passages())
    return sorted(passages, key=lambda passage: (passage.document, passage.chunk_index))


async def check(planted: Iterable[Planted], reader: Reader) -> list[Outcome]:
    """Both claims of each, judged against the passage alone."""
    return [
        Outcome(
            one.invention,
            await judged(one.invention.claim, [one.passage], reader),
            await judged(one.invention.altered, [one.passage], reader),
        )
        for one in planted
    ]


def rates(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    """Return what was caught of the altered claims and of each kind, and kept of the untouched ones."""

    def caught(chosen: Iterable[Outcome]) -> Rate:
        return rate_of([not one.altered.supported for one in chosen])

    def kept(chosen: Iterable[Outcome]) -> Rate:
        return rate_of([one.claim.supported for one in chosen])

    kinds = sorted({one.invention.kind for one in outcomes})
    return {
        "caught": caught(outcomes),
        **{f"caught {kind}": caught(one for one in outcomes if one.invention.kind == kind) for kind in kinds},
        "kept": kept(outcomes),
        "kept paraphrases": kept(one for one in outcomes if one.invention.paraphrase),
        "kept others": kept(one for one in outcomes if not one.invention.paraphrase),
    }


def main(
    inventions: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The inventions.")],
    data: Annotated[Path, typer.Option(help="Where the book is ingested.")] = Path(".bookbound"),
    book: Annotated[str, typer.Option(help="The book's id.")] = "sample-book",
    list_misses: Annotated[
        bool, typer.Option("--list", help="Show what was missed or wrongly dropped.")
    ] = False,
) -> None:
    """Tell how many planted inventions the verifier catches, by kind, and how many true claims it keeps."""
    outcomes = asyncio.run(check(load(inventions, indexed_passages(data, book)), wiring.build_reader()))
    for name, rate in rates(outcomes).items():
        share, between = rate["rate"] or 0.0, f"{rate['low']:.1%} to {rate['high']:.1%}"
        typer.echo(f"{name:20} {share:6.1%}  {rate['hits']:3}/{rate['n']:<3}  {between}")
    if list_misses:
        for line in _misses(outcomes):
            typer.echo(line)


def _misses(outcomes: Iterable[Outcome]) -> Iterator[str]:
    for one in outcomes:
        told = f"{one.invention.id} {one.invention.kind}"
        if one.altered.supported:
            yield f"missed {told} {one.altered.score:.2f}: {one.invention.altered}"
        if not one.claim.supported:
            yield f"dropped {told} {one.claim.score:.2f} ({one.claim.missing}): {one.invention.claim}"


if __name__ == "__main__":
    typer.run(main)
