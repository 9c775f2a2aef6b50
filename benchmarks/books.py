"""The peers on open books: `python -m benchmarks.books BOOKS`, before `python -m evaluation.books`.

Each peer reads and indexes a book by its own splitter, on the product's embedder, and is asked every question
that is not about selected text. A run that is stopped goes on with the next peer or book.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.answers import glue
from benchmarks.peers.peer import Peer
from benchmarks.peers.registry import peer
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.vector_cache import VectorCache
from bookbound.evaluation.questions import Labelled
from bookbound.local.progress import steps
from evaluation.asked_books import BookRuns
from evaluation.books import labelled
from training import lines as written

PEERS = ("LlamaIndex", "LangChain", "Haystack")


def main(
    folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    only: Annotated[
        list[str] | None, typer.Option("--book", help="Only these; default: those that judge.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Where vectors and outcomes go.")] = Path("build/books"),
) -> None:
    """Ask the peers the questions of the judging books."""
    runs, names = BookRuns(data), only or written.JUDGING
    with (
        closing(VectorCache(data / "peers", MiniLmEmbedder.model_id)) as memory,
        steps(Console(stderr=True)) as advance,
    ):
        embed = glue.RememberedEmbedder(MiniLmEmbedder(), memory)
        asked = {name: [one for one in labelled(folder, name) if one.selected_text is None] for name in names}
        todo = [
            (each, name)
            for name in names
            for each in PEERS
            if not {one.id for one in asked[name]} <= runs.peer_scores(each, name).keys()
        ]
        for done, (each, name) in enumerate(todo, 1):
            runs.keep_peer(each, name, _scores(peer(each, embed), folder / name / "docs", asked[name]))
            advance("peers", done, len(todo))


def _scores(asked: Peer, docs: Path, questions: Sequence[Labelled]) -> dict[str, float]:
    found = glue.ask(asked, glue.own_pieces(asked, docs), questions)
    return {one.labelled.id: one.score for one in found}


if __name__ == "__main__":
    typer.run(main)
