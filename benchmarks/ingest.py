"""What an ingest costs beside the bare embedder, in the same run: `python -m benchmarks.ingest`."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from bookbound import wiring
from bookbound.adapters.tokenizer import TokenCounter
from bookbound.chunking import chunk_page, windows
from bookbound.settings import Settings


def main(docs: Annotated[Path, typer.Argument(help="A docs folder.")] = Path("sample_book/docs")) -> None:
    """Ingest a book twice into a fresh folder; before and after, embed its texts by the embedder alone."""
    texts = _texts(docs)
    before = _bare(texts)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        first = wiring.ingest(settings, docs, "bench", None, lambda step, done, of: None)
        second = wiring.ingest(settings, docs, "bench", None, lambda step, done, of: None)
    after = _bare(texts)
    bare = 2 * len(texts) / (before + after)
    whole = first.embedded / first.seconds
    typer.echo(f"{docs}: {first.pages} pages, {first.passages} passages, {first.windows} windows")
    typer.echo(f"first ingest   {first.seconds:7.1f} s  {first.embedded:5} texts  {whole:6.1f} texts/s")
    typer.echo(f"bare embedder  {before:7.1f} s before, {after:.1f} s after  {bare:6.1f} texts/s")
    typer.echo(f"ratio          {whole / bare:.2f} (whole ingest: reading, chunking and publishing included)")
    typer.echo(f"second ingest  {second.seconds:7.1f} s  {second.embedded:5} texts embedded")


def _bare(texts: list[str]) -> float:
    """Seconds to embed the texts by the embedder alone."""
    embedder = wiring.build_embedder(Settings())
    started = time.perf_counter()
    asyncio.run(embedder.embed_passages(texts))
    return time.perf_counter() - started


def _texts(docs: Path) -> list[str]:
    count, sizes = TokenCounter(), wiring.chunk_sizes(Settings())
    found = [
        text
        for page in wiring.dry_run(docs, None).pages
        for passage in chunk_page(page, sizes=sizes, count_tokens=count, book_id="bench")
        for window in windows(passage, max_tokens=sizes.window, count_tokens=count)
        for text in (window.embedded_text, *window.sentences)
    ]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    typer.run(main)
