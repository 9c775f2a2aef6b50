"""Cost of verifying an answer: milliseconds from draft to verdicts, with passages never seen before.

`python -m benchmarks.verification --inventions sample_book/inventions.jsonl --data .bookbound`
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bookbound import wiring
from bookbound.adapters.bundled.reader import BundledReader
from bookbound.claims import alignment, polarity, wording
from bookbound.claims.support import read_alone, support
from bookbound.evaluation.rates import percentile
from bookbound.ports import Reader
from evaluation.inventions import Planted, indexed_passages, load

Answer = Sequence[tuple[str, str]]
"""Sentences, each with the passage that it cites."""

SENTENCES, PASSAGES = 6, 5
"""Sentences of an answer, and the passages that they cite."""

SCATTERED = 8
"""Sentences of the worst answer, each citing a different passage."""

_CACHES = (
    wording.wording,
    alignment.measured,
    polarity.denied,
)


def main(
    inventions: Annotated[Path, typer.Option(help="The claims that stand for an answer's sentences.")],
    data: Annotated[Path, typer.Option(help="Where their book is ingested.")] = Path(".bookbound"),
    book: Annotated[str, typer.Option(help="The book's id.")] = "sample-book",
) -> None:
    """Verify the claims, an answer's worth at a time; print p50 and p95."""
    reader = wiring.build_reader()
    planted = load(inventions, indexed_passages(data, book))
    verified_in([(one.invention.claim, one.passage) for one in planted[:20]], reader, rounds=1)
    gc.collect()
    # What opening the index left behind would be gone through again and again.
    gc.freeze()
    usual, scattered = list(_usual(planted)), list(_scattered(planted))
    for title, answers, rounds in (
        (f"{SENTENCES} sentences on {PASSAGES} passages, seen first", usual, 1),
        (f"{SCATTERED} sentences on {SCATTERED} passages, seen first", scattered, 1),
        (f"{SCATTERED} sentences on {SCATTERED} passages, seen before", scattered, 2),
    ):
        spent = [verified_in(answer, reader, rounds) for answer in answers]
        typer.echo(f"{title:46} p50 {percentile(spent, 50):5.1f} ms   p95 {percentile(spent, 95):5.1f} ms")


def _usual(planted: Sequence[Planted]) -> Iterator[Answer]:
    """The true claims about some passages, with altered ones until there are enough."""
    for at in range(0, len(planted) - PASSAGES + 1, PASSAGES):
        chosen = planted[at : at + PASSAGES]
        altered = chosen[: SENTENCES - PASSAGES]
        yield [
            *((one.invention.claim, one.passage) for one in chosen),
            *((one.invention.altered, one.passage) for one in altered),
        ]


def _scattered(planted: Sequence[Planted]) -> Iterator[Answer]:
    for at in range(0, len(planted) - SCATTERED + 1, SCATTERED):
        yield [(one.invention.claim, one.passage) for one in planted[at : at + SCATTERED]]


def verified_in(answer: Answer, reader: Reader, rounds: int) -> float:
    """Milliseconds of the last of several rounds over an answer, the first of them with empty caches."""
    for cache in _CACHES:
        cache.cache_clear()
    if isinstance(reader, BundledReader):
        reader.support.cache_clear()
    spent = 0.0
    for _ in range(rounds):
        start = time.perf_counter()
        logits = asyncio.run(reader.judge([read_alone(sentence, [passage]) for sentence, passage in answer]))
        for (sentence, passage), logit in zip(answer, logits, strict=True):
            support(sentence, [passage], logit)
        spent = time.perf_counter() - start
    return 1000 * spent


if __name__ == "__main__":
    typer.run(main)
