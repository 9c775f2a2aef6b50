"""Digest of the sample book's index: `python -m tests.core.sample_index` writes it again.

Run it when `planning.FORMAT` was raised, since the same pages give another index.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from functools import cache
from pathlib import Path

from bookbound import wiring
from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.index.indexing import IndexDeps, index
from bookbound.index.version_plan import FORMAT
from bookbound.ingesting import read
from bookbound.settings import Settings
from testing.fakes import FakeEmbedder, MemoryOfVectors

RECORD = Path(__file__).with_suffix(".json")
DOCS = Path(__file__).parents[2] / "sample_book" / "docs"


def digest() -> str:
    """SHA-256 over every window of the sample book and its terms, as they are indexed now."""
    source = DocsFolder(DOCS)
    book, _, _ = read(source, source.policy(), "sample-book")
    sizes = wiring.chunk_sizes(Settings(_env_file=None))  # type: ignore[call-arg]
    deps = IndexDeps(FakeEmbedder(), MemoryOfVectors(), cache(TokenCounter()), sizes)
    found = asyncio.run(index(book.pages, "sample-book", deps))
    whole = hashlib.sha256()
    for entry in found.entries:
        whole.update(repr(entry.window).encode() + json.dumps(dict(entry.sparse)).encode())
    return whole.hexdigest()


if __name__ == "__main__":
    RECORD.write_text(json.dumps({"format": FORMAT, "digest": digest()}) + "\n", "utf-8")
