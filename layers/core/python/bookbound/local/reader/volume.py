"""One version of a book, laid out for reading: its pages by address, and its pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.adapters.files.version_folder import FILES, PICTURES, read_manifest
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page
from bookbound.source.pictures import media_type, site_path


@dataclass(frozen=True, slots=True)
class Leaf:
    """Content at one address: a page, and the table files that are shown there."""

    path: str
    pages: tuple[Page, ...]

    @property
    def title(self) -> str:
        """The page's title."""
        return self.pages[0].title

    @property
    def url(self) -> str:
        """The page's permalink."""
        return self.pages[0].url


@dataclass(frozen=True, slots=True)
class Volume:
    """A book version; `leaves` in reading order, `pictures` by `site_path`."""

    folder: Path
    title: str
    language: str
    leaves: tuple[Leaf, ...]
    pictures: Mapping[str, Path]

    def find(self, path: str) -> int | None:
        """The place in `leaves` of the page at a site path."""
        return next((place for place, leaf in enumerate(self.leaves) if leaf.path == path), None)


def load(folder: Path) -> Volume:
    """The volume that an index version's folder holds. Raises IngestError when it is unreadable."""
    manifest = read_manifest(folder)
    files, _ = DocsFolder(folder / FILES).read()
    book = read_book(files, manifest.policy, book_id=manifest.book.id)
    return Volume(
        folder=folder,
        title=manifest.policy.title,
        language=manifest.policy.language,
        leaves=tuple(_leaves(book.pages)),
        pictures=_pictures(folder / PICTURES),
    )


def _leaves(pages: Iterable[Page]) -> list[Leaf]:
    """Pages of the same address as one; those of other sites are left out."""
    by_path: dict[str, tuple[Page, ...]] = {}
    for page in pages:
        path = site_path(page.url)
        if path is not None:
            by_path[path] = (*by_path.get(path, ()), page)
    return [Leaf(path, together) for path, together in by_path.items()]


def _pictures(root: Path) -> dict[str, Path]:
    return {path.relative_to(root).as_posix(): path for path in root.rglob("*") if media_type(path.name)}
