"""Locations of index versions' points: in each version's folder, or at a server that the folder names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bookbound.errors import Unavailable
from bookbound.index.manifest import Entry, Manifest
from bookbound.ports import PassageStore


class OpenPoints(PassageStore, Protocol):
    """One version's points, for reading. `count` tells how many there are; raises Unavailable."""

    async def count(self) -> int: ...

    def close(self) -> None: ...


class Points(Protocol):
    """All versions' points; each version is known by its folder.

    `write` stores a version's windows aside and tells how many are there then. `publish` tells other clients
    of the store which version is the book's live one; our own readers go by the folder alone. `drop` deletes
    what lies outside the folder, unless another version has it too; the folder itself is its owner's to
    delete. These three raise IngestError, and so does `holds`: whether all of a version's windows seem there.
    `open` and `damaged`, the text that tells what to do about a version that is not whole, are for readers;
    `open` raises Unavailable.
    """

    def write(self, folder: Path, manifest: Manifest, entries: Sequence[Entry]) -> int: ...

    def holds(self, folder: Path, windows: int) -> bool: ...

    def publish(self, folder: Path, book_id: str) -> None: ...

    def drop(self, folder: Path) -> None: ...

    def open(self, folder: Path) -> OpenPoints: ...

    def damaged(self, folder: Path) -> str: ...

    async def aclose(self) -> None: ...


async def require_all(points: OpenPoints, windows: int, damaged: str) -> None:
    """Raises Unavailable when a version has not all of its points, or when that cannot be told (R7)."""
    if await points.count() != windows:
        raise Unavailable(damaged)
