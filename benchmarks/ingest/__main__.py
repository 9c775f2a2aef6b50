"""Cost of an ingest next to the bare embedder and peers: `python -m benchmarks.ingest`."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.ingest.side import BARE, Done, texts_of, word_pieces
from benchmarks.options import DOCS, Docs
from benchmarks.processes import PRODUCT, run
from benchmarks.report.drawing import COLOURS, drawing
from benchmarks.report.measured import Goal, Measured, Plot, Table
from benchmarks.report.showing import publish

OURS = "Bookbound"
BARE_EMBEDDER = "bare embedder"
PEERS = ("LlamaIndex", "LangChain", "Haystack")

OF_THE_BARE = 0.9
"""Share of the bare embedder's texts per second that a whole ingest has to reach."""

LEAD = (
    "A whole ingest into a fresh folder: reading, chunking, embedding, publishing, and the book's "
    "canary questions. Beside it the embedder alone over the very texts, and peers' own reading, "
    "splitting and indexing of the same pages in memory. Each in a process of its own, in turn, "
    "medians; imports and the model's loading are left out. Texts differ in length from side to side: "
    "word pieces compare the work."
)


@dataclass(frozen=True, slots=True)
class Ingested:
    """One round of one side; processor seconds are the whole process's, imports and all."""

    done: Done
    processor: float
    peak_mib: float


Figure = Callable[[Ingested], float]


def main(
    docs: Docs = DOCS,
    rounds: Annotated[int, typer.Option(min=1, help="How often each side ingests.")] = 3,
) -> None:
    """Ingest a book by every side in turn, and compare texts per second, seconds and memory.

    Example: python -m benchmarks.ingest --docs path/to/docs --rounds 1
    """
    pieces = word_pieces(texts_of(docs))
    found: dict[str, list[Ingested]] = {side: [] for side in (OURS, BARE_EMBEDDER, *PEERS)}
    for number in range(rounds):
        for side, rows in found.items():
            typer.echo(f"· round {number + 1} of {rounds}: {side}", err=True)
            rows.append(_ours(docs, pieces) if side == OURS else _other(side, docs))
    publish(_measured(found, docs))


def _ours(docs: Path, pieces: int) -> Ingested:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(PRODUCT / "bookbound"), "--data", folder, "ingest", str(docs), "--json"]
        ran = run([*command, "--book-id", "bench"])
    report = json.loads(ran.output)
    return Ingested(Done(report["embedded"], pieces, report["seconds"]), ran.processor, ran.peak_mib)


def _other(side: str, docs: Path) -> Ingested:
    bare = side == BARE_EMBEDDER
    python = str(PRODUCT / "python") if bare else sys.executable
    ran = run([python, "-m", "benchmarks.ingest.side", BARE if bare else side, str(docs)])
    return Ingested(Done(**json.loads(ran.output)), ran.processor, ran.peak_mib)


def _measured(found: Mapping[str, Sequence[Ingested]], docs: Path) -> Measured:
    rates = {
        side: _median(rows, lambda row: row.done.texts / row.done.seconds) for side, rows in found.items()
    }
    fastest = max(PEERS, key=rates.__getitem__)
    of_bare, of_peer = rates[OURS] / rates[BARE_EMBEDDER], rates[OURS] / rates[fastest]
    return Measured(
        part="ingest",
        title="Ingest",
        lead=f"{LEAD} {len(found[OURS])} rounds, {docs}.",
        goals=[
            Goal(
                "texts a second, of the bare embedder's",
                f"≥ {OF_THE_BARE}",
                f"{of_bare:.2f}",
                of_bare >= OF_THE_BARE,
            ),
            Goal(
                "texts a second, of the fastest peer's", "≥ 1.0", f"{of_peer:.2f} ({fastest})", of_peer >= 1.0
            ),
        ],
        tables=[_table(found, rates)],
        plots=[_plot(rates)],
        facts={side: [asdict(row) for row in rows] for side, rows in found.items()},
    )


def _median(rows: Sequence[Ingested], figure: Figure) -> float:
    return statistics.median(map(figure, rows))


def _table(found: Mapping[str, Sequence[Ingested]], rates: Mapping[str, float]) -> Table:
    rows = [
        (
            side,
            str(rounds[0].done.texts),
            f"{rates[side]:.1f}",
            f"{_median(rounds, lambda row: row.done.word_pieces / row.done.seconds):,.0f}",
            f"{_median(rounds, lambda row: row.done.seconds):.1f}",
            f"{_median(rounds, lambda row: row.processor):.1f}",
            f"{_median(rounds, lambda row: row.peak_mib):.0f}",
        )
        for side, rounds in found.items()
    ]
    columns = (
        "side",
        "texts",
        "texts a second",
        "word pieces a second",
        "seconds, whole book",
        "processor, s",
        "peak MiB",
    )
    return Table("A first ingest", columns, rows)


def _plot(rates: Mapping[str, float]) -> Plot:
    with drawing(height=2.6) as (axes, drawn):
        names = list(reversed(rates))
        axes.barh(
            names, [rates[name] for name in names], color=[COLOURS.get(name, "#9aa5b6") for name in names]
        )
        axes.set(xlabel="texts a second")
        axes.grid(visible=False, axis="y")
    return Plot(
        "Texts embedded a second", "The bare embedder is the limit for those who embed its texts.", drawn[0]
    )


if __name__ == "__main__":
    typer.run(main)
