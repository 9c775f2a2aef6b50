"""Facts about a book before it is chunked: files as they lie, places on the site, parsed pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from bookbound.model import Image, Section, UnitKind


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the docs folder: `path` relative to it, POSIX."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was left out, and the reason as a person would want to read it.

    Attributes:
        failed: True when the file should have gone in and could not (the exit code says so); False when
            leaving it out is what the policy or the file itself asks for (excluded, draft).
    """

    path: str
    reason: str
    failed: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a page on the site: permalink, and 1-based place in sidebar order (I3)."""

    url: str
    page: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit before chunking: see `model.Unit` for the meaning of the fields."""

    text: str
    kind: UnitKind
    section: int
    block: int
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a page, or a CSV file, or a sheet of a workbook (T1)."""

    caption: str | None
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    section: int
    block: int


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page. `pieces` and `tables` are each in reading order; both point into `sections`.

    Attributes:
        sections: sections[0] is the page's title itself (anchor None).
        stripped: what was taken out and how often, e.g. ("import ×2", "<Tabs> tag ×1", "comment ×1").
    """

    document: str
    document_id: UUID
    title: str
    page: int
    url: str
    revision: str
    last_update: str | None
    sections: tuple[Section, ...]
    pieces: tuple[Piece, ...]
    tables: tuple[Table, ...]
    stripped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadBook:
    """All pages in sidebar order, and what was left out."""

    pages: tuple[Page, ...]
    skipped: tuple[Skipped, ...]


class BookSource(Protocol):
    """Source of a book's files. `read` raises IngestError when there is nothing to read at all.

    `pictures` takes what `pictures.picture_places` gives, and leaves out what cannot be read; the path of a
    picture is the one at which the site serves it.
    """

    def read(self) -> tuple[list[SourceFile], list[Skipped]]: ...

    def pictures(self, places: Mapping[str, Sequence[str]]) -> list[SourceFile]: ...
