"""A book's files from a docs folder on disk."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bookbound.errors import IngestError, PolicyError
from bookbound.policy import book_policy as policies
from bookbound.policy import policy_file
from bookbound.policy.book_policy import Policy
from bookbound.source.mkdocs import CONFIG_FILES
from bookbound.source.pages import Skipped, SourceFile
from bookbound.source.pictures import STATIC
from bookbound.source.source_files import SITE_FILES, is_book_file, is_page_file

MAX_BYTES = 5 * 2**20
"""A larger file is never read into memory."""
MAX_DEPTH = 50
"""Folders inside each other."""

POLICY_FILE = "bookbound.yaml"
ADVICE = "give the docs folder of a site, or a .zip of it, with .md, .mdx, .csv or .xlsx files"


class DocsFolder:
    """The files of a site's docs folder; fits `pages.BookSource`.

    Hidden folders, `node_modules` and `i18n` are not looked into, nor are folders behind links. What says
    something about the site (SITE_FILES) is taken from the folder, else from next to it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[list[SourceFile], list[Skipped]]:
        """Every file that a book may need, and those that cannot be read, each sorted by path.

        Raises:
            IngestError: no such folder, or no page in it; says what to do.
        """
        root = self._root()
        return with_pages((*_walk(root), *_site_files_beside(root)), self._path)

    def pictures(self, places: Mapping[str, Sequence[str]]) -> list[SourceFile]:
        """The pictures that lie at one of their places, in the docs folder or the site's static folder.

        Raises IngestError when there is no docs folder.
        """
        root = self._root()
        roots = (root, root.parent / STATIC)
        found = ((path, _first_picture(root, roots, candidates)) for path, candidates in places.items())
        return [SourceFile(path, content) for path, content in found if content is not None]

    def policy(self) -> Policy:
        """Return bookbound.yaml's policy, in or next to the docs, else the default. Raises PolicyError."""
        path = self.policy_path()
        return load_policy(path) if path else policies.DEFAULT

    def policy_path(self) -> Path | None:
        """Return the path of bookbound.yaml: in the docs, else next to them."""
        beside = (self._path / POLICY_FILE, self._path.parent / POLICY_FILE)
        return next((path for path in beside if path.is_file()), None)

    def _root(self) -> Path:
        try:
            root = self._path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise IngestError(f"{self._path} does not exist; {ADVICE}") from error
        if not root.is_dir():
            raise IngestError(f"{self._path} is not a folder; {ADVICE}")
        return root


def _walk(root: Path) -> Iterator[SourceFile | Skipped]:
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            yield _unreadable(folder.relative_to(root).as_posix(), error)
            continue
        for entry in entries:
            if is_ignored(entry.name):
                continue
            path = entry.relative_to(root).as_posix()
            if not _is_unicode(path):
                yield Skipped(os.fsencode(path).decode("utf-8", "replace"), "its name is not UTF-8")
            elif entry.is_symlink():
                yield from _linked(entry, path, root)
            elif not entry.is_dir():
                yield from _file(entry, path)
            elif path.count("/") >= MAX_DEPTH:
                yield Skipped(path, f"more than {MAX_DEPTH} folders deep")
            else:
                waiting.append(entry)


def with_pages(found: Iterable[SourceFile | Skipped], source: Path) -> tuple[list[SourceFile], list[Skipped]]:
    """Return what was read and what was not, sorted by path. Raises IngestError without a page."""
    ordered = sorted(found, key=lambda file: file.path)
    files = [file for file in ordered if isinstance(file, SourceFile)]
    skipped = [file for file in ordered if isinstance(file, Skipped)]
    if not any(is_page_file(file.path) for file in files):
        reasons = "".join(f"; {note.path}: {note.reason}" for note in skipped[:1])
        raise IngestError(f"{source} holds no page that can be read{reasons}; {ADVICE}")
    return files, skipped


def is_ignored(name: str) -> bool:
    """Return whether it is hidden, Excel's for an open workbook, a foreign package or a translation."""
    return name.startswith((".", "~$")) or name in ("node_modules", "i18n")


def _is_unicode(path: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in path)


def _linked(link: Path, path: str, root: Path) -> Iterator[SourceFile | Skipped]:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        yield Skipped(path, "a symlink that leads nowhere, or to itself")
        return
    if target.is_dir() and link.is_relative_to(target):
        yield Skipped(path, "symlink loop: it leads to a folder that holds it")
    elif not target.is_relative_to(root):
        if target.is_dir() or is_book_file(path):
            yield Skipped(path, "symlink leaves the docs folder")
    elif target.is_dir():
        yield Skipped(path, "symlink to another folder of the book, which is read there", failed=False)
    else:
        yield from _file(target, path)


def _first_picture(root: Path, roots: Sequence[Path], candidates: Sequence[str]) -> bytes | None:
    contents = (_picture(root / candidate, roots) for candidate in candidates)
    return next((content for content in contents if content is not None), None)


def _picture(file: Path, roots: Sequence[Path]) -> bytes | None:
    """The file's content, None when it is not there, leads out of the site, or is too large."""
    try:
        target = file.resolve(strict=True)
        if not any(map(target.is_relative_to, roots)) or not target.is_file():
            return None
        with target.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, RuntimeError, ValueError):
        return None
    return content if len(content) <= MAX_BYTES else None


def _file(file: Path, path: str) -> Iterator[SourceFile | Skipped]:
    if not is_book_file(path):
        return
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            yield Skipped(path, "not a regular file")
            return
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        yield _unreadable(path, error)
        return
    if len(content) > MAX_BYTES:
        yield Skipped(path, f"larger than {MAX_BYTES // 2**20} MiB")
    else:
        yield SourceFile(path, content)


def _site_files_beside(root: Path) -> Iterator[SourceFile | Skipped]:
    for name in SITE_FILES:
        # The docs folder of MkDocs may lie deeper: `docs_dir: src/docs`.
        above = root.parents[: 2 if name in CONFIG_FILES else 1]
        places = (folder / name for folder in (root, *above))
        nearest = next((place for place in places if place.is_file()), None)
        if nearest and nearest.parent != root:
            yield from _file(nearest, name)


def _unreadable(path: str, error: OSError) -> Skipped:
    return Skipped(path, f"cannot be read: {error.strerror or type(error).__name__}")


def load_policy(path: Path) -> Policy:
    """The policy that a file states. Raises PolicyError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error})") from error
    return parse_policy(content, str(path))


def parse_policy(content: bytes, name: str) -> Policy:
    """The policy that a file's content states; `name` is for messages. Raises PolicyError."""
    try:
        return policy_file.load(content.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PolicyError(f"{name}:{line}: not UTF-8") from error


def default_book_id(docs: Path) -> str:
    """A book's id when none is given: the name of the site's folder, else of the docs' own or the archive."""
    folder = docs.resolve()
    folder = folder.with_suffix("") if folder.is_file() else folder
    name = folder.parent.name if folder.name == "docs" else folder.name
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "book"
