"""Plan of an ingest: the version that the pages make, and what is new in it (I4)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from bookbound.evidence.injection import Order, orders_in
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.index.chunking import ChunkSizes
from bookbound.index.manifest import Manifest
from bookbound.model import BookRef
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Page, ReadBook, Skipped, SourceFile
from bookbound.text.scoring import ScoreMap

FORMAT = 6
"""Part of every version's name: raise it when the same pages would give another index."""

PAGES_A_BATCH = 25
CHARACTERS_A_BATCH = 60_000
"""Some 1,000 texts to embed, so that a batch takes minutes where a vendor's limit is shared by several."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what an index holds, except the pages and their policy.

    `embedder` is its model's id. `sufficiency` is the model that will judge the book's questions, and so its
    canary questions.
    """

    sizes: ChunkSizes
    embedder: str
    dimensions: int
    score_map: ScoreMap
    sufficiency: SufficiencyModel


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of an ingest.

    Attributes:
        book: the book with the version that its pages make, the same wherever they are ingested.
        pages: each page's document → its `page_key`, in sidebar order.
        changed: documents whose text is not that of the live version, new ones included.
        removed: documents of the live version that no longer exist.
        skipped: files that were left out.
        orders: text in the pages that addresses the answerer, not a reader (R10).
    """

    book: BookRef
    pages: Mapping[str, str]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    orders: tuple[Order, ...] = ()


def plan(
    book: ReadBook,
    pictures: Sequence[SourceFile],
    policy: Policy,
    *,
    book_id: str,
    recipe: Recipe,
    live: Manifest | None,
) -> Plan:
    """Name the version of these pages, and compare them with the live one's by their content."""
    pages = {page.document: page_key(page) for page in book.pages}
    before = live.pages if live else {}
    return Plan(
        book=BookRef(book_id, _version(book.pages, pictures, policy, recipe)),
        pages=pages,
        changed=tuple(document for document, key in pages.items() if before.get(document) != key),
        removed=tuple(sorted(before.keys() - pages.keys())),
        skipped=book.skipped,
        orders=tuple(order for page in book.pages for order in orders_in(page)),
    )


def page_key(page: Page) -> str:
    """Return a fingerprint of a page's text, in 32 hexadecimal digits; its place does not count."""
    text = [
        [page.title, [section.path for section in page.sections]],
        [[piece.text, piece.kind, piece.section, piece.block] for piece in page.pieces],
        [asdict(table) for table in page.tables],
    ]
    return hashlib.sha256(json.dumps(text).encode()).hexdigest()[:32]


def batches(pages: Sequence[Page]) -> Iterator[Sequence[Page]]:
    """The pages in their order, up to PAGES_A_BATCH and CHARACTERS_A_BATCH at a time, at least one."""
    start = size = 0
    for at, page in enumerate(pages):
        added = _characters(page)
        if at > start and (at - start == PAGES_A_BATCH or size + added > CHARACTERS_A_BATCH):
            yield pages[start:at]
            start, size = at, 0
        size += added
    if pages:
        yield pages[start:]


def _characters(page: Page) -> int:
    cells = (cell for table in page.tables for row in table.rows for cell in row)
    return sum(len(piece.text) for piece in page.pieces) + sum(map(len, cells))


def _version(pages: Sequence[Page], pictures: Sequence[SourceFile], policy: Policy, recipe: Recipe) -> str:
    """Named by all that makes the index what it is, so that an unchanged book keeps its version."""
    settings = [FORMAT, asdict(recipe), asdict(policy)]
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for page in pages:
        digest.update(repr(replace(page, stripped=())).encode())
    for picture in pictures:
        digest.update(picture.path.encode() + picture.content)
    return digest.hexdigest()[:12]
