"""Ingest of a book into this machine's index: the adapters of an ingest, which no question needs."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

from bookbound import ingesting, wiring
from bookbound.adapters.bundled.tokenizer import TokenCounter
from bookbound.adapters.files.book_archive import BookArchive, is_archive
from bookbound.adapters.files.docs_folder import POLICY_FILE, DocsFolder, default_book_id, load_policy
from bookbound.adapters.files.vector_cache import VectorCache
from bookbound.evidence.sufficiency import shipped
from bookbound.index.indexing import Progress
from bookbound.index.run_report import IngestReport
from bookbound.policy.book_policy import Policy
from bookbound.settings import Settings
from bookbound.source.book_reader import read_book
from bookbound.source.pages import BookSource, ReadBook
from bookbound.text.scoring import ScoreMap


def ingest(
    settings: Settings,
    docs: Path,
    book_id: str | None,
    policy_path: Path | None,
    progress: Progress,
    *,
    score_map: ScoreMap | None = None,
) -> IngestReport:
    """Bring this machine's index of a book up to its docs, a folder or a .zip; blocks.

    The score map is the given one, else what `calibrate` fitted for the book, else the embedder's own.
    Raises IngestError, PolicyError, Unavailable.
    """
    source, policy = _book(docs, policy_path)
    embedder = wiring.build_embedder(settings)
    chosen_id = book_id or settings.book or default_book_id(docs)
    index = wiring.index_folder(settings)
    refitted = index.refitted_map(chosen_id, embedder.model_id)
    memory = VectorCache(settings.data / "embeddings", embedder.model_id)
    deps = ingesting.IngestDeps(
        embedder=embedder,
        reader=wiring.build_reader(),
        memory=memory,
        index=index,
        # Chunking counts a unit twice, once for its passage and once for its window.
        count_tokens=cache(TokenCounter()),
        sizes=wiring.chunk_sizes(settings),
        score_map=score_map or refitted or wiring.shipped_score_map(embedder.model_id),
        sufficiency=shipped(),
        progress=progress,
    )
    with closing(memory):
        report = asyncio.run(ingesting.ingest(source, policy, chosen_id, deps))
    index.keep_policy_path(chosen_id, policy_path or _own_policy(docs))
    return report


def dry_run(docs: Path, policy_path: Path | None) -> ReadBook:
    """Return an ingest's input, without any index (--dry-run). Raises IngestError, PolicyError."""
    source, policy = _book(docs, policy_path)
    files, unreadable = source.read()
    book = read_book(files, policy, book_id="dry-run")
    return replace(book, skipped=(*unreadable, *book.skipped))


def _own_policy(docs: Path) -> Path | None:
    """Where a folder's policy is, or would be; an archive's cannot be changed by itself."""
    if is_archive(docs):
        return None
    return DocsFolder(docs).policy_path() or docs.absolute().parent / POLICY_FILE


def _book(docs: Path, policy_path: Path | None) -> tuple[BookSource, Policy]:
    """Return the book's source and its policy: the named file's, else its own, else the default."""
    source = BookArchive(docs) if is_archive(docs) else DocsFolder(docs)
    return source, load_policy(policy_path) if policy_path else source.policy()
