"""What it costs to verify an answer: milliseconds for eight sentences, with passages never seen before.

`python -m benchmarks.verification --inventions sample_book/inventions.jsonl --data .bookbound`
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bookbound import alignment, polarity, wording
from bookbound.support import support
from evaluation.inventions import Planted, indexed_passages, load
from evaluation.rates import percentile

SENTENCES = 8
"""Of an answer; each cites a passage of its own."""

_CACHES = (
    wording.wording,
    alignment.measured,
    polarity.denials,
)


def main(
    inventions: Annotated[Path, typer.Option(help="The claims that stand for an answer's sentences.")],
    data: Annotated[Path, typer.Option(help="Where their book is ingested.")] = Path(".bookbound"),
    book: Annotated[str, typer.Option(help="The book's id.")] = "sample-book",
) -> None:
    """Verify the claims, an answer's worth at a time; print p50 and p95 of the processor's time."""
    planted = load(inventions, indexed_passages(data, book))
    _verify(planted, rounds=1)
    for title, rounds in (("passages seen first", 1), ("passages seen before", 2)):
        spent = [_verify(planted[at : at + SENTENCES], rounds) for at in range(0, len(planted), SENTENCES)]
        typer.echo(f"{title:21} p50 {percentile(spent, 50):5.1f} ms   p95 {percentile(spent, 95):5.1f} ms")


def _verify(answer: Sequence[Planted], rounds: int) -> float:
    """Milliseconds of the last of several rounds over an answer, the first of them with empty caches."""
    for cache in _CACHES:
        cache.cache_clear()
    spent = 0.0
    for _ in range(rounds):
        start = time.process_time()
        for one in answer:
            support(one.invention.claim, [one.passage])
        spent = time.process_time() - start
    return 1000 * spent


if __name__ == "__main__":
    typer.run(main)
