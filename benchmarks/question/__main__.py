"""Cost of a warm question as a book grows, and next to peers: `python -m benchmarks.question`."""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.options import DOCS, QUESTIONS, Docs, Questions
from benchmarks.question.beside import peers_over, taken
from benchmarks.question.grown import InPython, copied, entries_of, grown
from benchmarks.question.parts import Asked, Size, Stopwatch
from benchmarks.question.shown import measured
from benchmarks.report.showing import publish
from bookbound import ingest_wiring, wiring
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.version_folder import read_manifest
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.app import App
from bookbound.evaluation import questions as labels
from bookbound.index.manifest import Entry
from bookbound.ports import PassageStore
from bookbound.settings import Settings

BOOK = "bench"
WARM_UP = 3


def main(
    docs: Docs = DOCS,
    questions: Questions = QUESTIONS,
    sizes: Annotated[
        str, typer.Option(help="Windows of grown books, after the book as it is; commas between.")
    ] = "1000,10000",
    asked: Annotated[int, typer.Option(min=1, help="Questions at each size, spread over the file.")] = 40,
) -> None:
    """Ingest a book aside, grow it, and put the same questions to it and to peers in turn.

    Example: python -m benchmarks.question --sizes 1000 --asked 20
    """
    labelled = [each for each in labels.load(questions) if each.selected_text is None]
    chosen = [each.question for each in labelled[:: max(1, len(labelled) // asked)]][:asked]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        typer.echo(f"· ingest {docs}", err=True)
        report = ingest_wiring.ingest(settings, docs, BOOK, None, lambda step, done, of: None)
        found = asyncio.run(_all(settings, chosen, [report.windows, *map(int, sizes.split(","))]))
    publish(measured(found, docs, len(chosen)))


async def _all(settings: Settings, questions: Sequence[str], sizes: Sequence[int]) -> list[Size]:
    version = wiring.index_folder(settings).live_version(BOOK)
    assert version, "the book has just been ingested"
    manifest = read_manifest(version)
    entries = entries_of(version, manifest.windows)
    found = []
    for size in sizes:
        larger, folder = grown(entries, size), settings.data / f"grown-{size}"
        folder.mkdir()
        EmbeddedPoints().write(folder, manifest, larger)
        # An app of its own each: what it embedded for the size before would cost it nothing.
        with closing(EmbeddedPoints().open(folder)) as store:
            async with wiring.local(settings) as app:
                found.append(await _at(larger, store, app, questions))
    return found


async def _at(entries: Sequence[Entry], store: PassageStore, app: App, questions: Sequence[str]) -> Size:
    """Ask each side every question in turn, so that a busy moment affects all of them."""
    typer.echo(f"· {len(entries)} windows: index them for all", err=True)
    book = await app.deps.library.open(BOOK)
    ours = Asked(app, replace(book, store=store))
    reference = InPython(entries, app.deps.embedder.dimensions)
    peers = peers_over(copied(entries), MiniLmEmbedder().embed)
    hybrid = frozenset(peer.name for peer in peers if peer.hybrid)
    size = Size(len(entries), peers={peer.name: [] for peer in peers}, hybrid=hybrid)
    # What lies in memory for some is not gone through by the collector while others are measured.
    gc.collect()
    gc.freeze()
    for number, question in enumerate([*questions[:WARM_UP], *questions]):
        if number % 10 == 0:
            typer.echo(f"· {len(entries)} windows: question {number} of {len(questions)}", err=True)
        spent = await ours.spent(question)
        watch = Stopwatch()
        with watch.running():
            reference.search(*ours.store.asked)
        times = {peer.name: taken(peer, question) for peer in peers}
        if number >= WARM_UP:
            size.ours.append(spent)
            size.in_python.append(watch.take())
            for name, time in times.items():
                size.peers[name].append(time)
    gc.unfreeze()
    return size


if __name__ == "__main__":
    typer.run(main)
