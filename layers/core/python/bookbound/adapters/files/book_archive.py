"""A book's files from an untrusted ZIP file: nothing is unpacked to disk, and little into memory."""

from __future__ import annotations

import io
import posixpath
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePosixPath

from bookbound.adapters.files.docs_folder import (
    ADVICE,
    MAX_BYTES,
    MAX_DEPTH,
    POLICY_FILE,
    is_ignored,
    parse_policy,
    with_pages,
)
from bookbound.errors import IngestError, PolicyError
from bookbound.policy import book_policy as policies
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Skipped, SourceFile
from bookbound.source.pictures import STATIC, media_type
from bookbound.source.source_files import SITE_FILES, is_book_file, is_page_file

MAX_DIRECTORY = 8 * 2**20
"""Bytes of the list of entries, which is read at once and grows tenfold in memory."""
MAX_ENTRIES = 20_000
"""Many times the files of a large book's site, and too few for what its packages bring along."""
MAX_UNPACKED = 256 * 2**20
"""Bytes of pages, tables and pictures together: they lie in memory until the index is built.

With this and the limit of a file, a ratio needs none: a page of zeros is an odd page, not a danger.
"""
MAX_NAME = 255
"""Bytes of a file's or folder's name; no file system takes more."""
MAX_PATH = 800
"""Bytes of a path; with a version's folder before it, it fits into an S3 key's 1,024."""

_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
_DOCS = "docs/"
_OUTWARD = re.compile(r"/|[A-Za-z]:|(?:.*/)?\.\.(?:/|$)", re.DOTALL)
_UNPRINTABLE = re.compile(r"[\\\x00-\x1f\x7f-\x9f]")
_NO_ARCHIVE = (zipfile.BadZipFile, NotImplementedError, OverflowError, OSError, ValueError, struct.error)
_DAMAGED = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error)


def is_archive(docs: Path) -> bool:
    """Return whether the book is to be read from a ZIP file: the path is a file's and ends in .zip."""
    return docs.suffix.lower() == ".zip" and docs.is_file()


class BookArchive:
    """Files of a site's docs folder in a ZIP file; fits `pages.BookSource`, as `DocsFolder` does.

    The docs folder is the archive's `docs/`, else the `docs/` in the one folder that is all of the archive,
    else the archive itself. What lies next to it counts as next to a folder: `static/`, the policy, the
    site's manifest; pages there are left out, and named. Links are not followed. A file that cannot be read
    is left out alone; an archive that leads out of itself, could be read in two ways, or exceeds the limits
    above is refused whole.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[list[SourceFile], list[Skipped]]:
        """Every file that a book may need, and those that cannot be read, each sorted by path.

        Raises:
            IngestError: no ZIP file, one that is refused, or no page in it; says what to do.
        """
        with self._opened() as contents:
            return with_pages(contents.files(), self._path)

    def pictures(self, places: Mapping[str, Sequence[str]]) -> list[SourceFile]:
        """The pictures that lie at one of their places, in the docs folder or the site's static folder.

        Raises IngestError as `read` does, but not for want of pages.
        """
        with self._opened() as contents:
            found = ((path, contents.picture(candidates)) for path, candidates in places.items())
            return [SourceFile(path, content) for path, content in found if content is not None]

    def policy(self) -> Policy:
        """Return the policy of bookbound.yaml in or next to the docs, else the default.

        Raises IngestError as `pictures` does, PolicyError.
        """
        with self._opened() as contents:
            path = contents.beside(POLICY_FILE)
            if path is None:
                return policies.DEFAULT
            content, name = contents.content(path), f"{self._path}/{path}"
        if isinstance(content, str):
            raise PolicyError(f"{name}: {content}")
        return parse_policy(content, name)

    @contextmanager
    def _opened(self) -> Iterator[_Contents]:
        with ExitStack() as stack:
            try:
                stream = stack.enter_context(_Stream(self._path))
                archive = stack.enter_context(zipfile.ZipFile(stream))
                contents = _Contents.of(archive, stream.seek(0, io.SEEK_END))
            except UnicodeDecodeError as error:
                name = error.object.decode("utf-8", "replace")
                raise IngestError(f"{self._path}: the name {_shown(name)} is not UTF-8; {ADVICE}") from error
            except _NO_ARCHIVE as error:
                raise IngestError(f"{self._path} cannot be read as a book: {error}; {ADVICE}") from error
            yield contents


class _Stream(io.FileIO):
    """The file, with no more of it in memory at once than a list of entries may take."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY:
            raise zipfile.BadZipFile(f"its list of files is larger than {MAX_DIRECTORY // 2**20} MiB")
        return super().read(size)


@dataclass(frozen=True, slots=True)
class _Contents:
    """An archive that may be read: its files by path, and its docs folder, "" or with a closing slash."""

    archive: zipfile.ZipFile
    members: Mapping[str, zipfile.ZipInfo]
    docs: str

    @classmethod
    def of(cls, archive: zipfile.ZipFile, size: int) -> _Contents:
        """Raises BadZipFile for what is refused whole; `size` is the archive's, in bytes."""
        entries = archive.infolist()
        if len(entries) > MAX_ENTRIES:
            raise zipfile.BadZipFile(f"it holds more than {MAX_ENTRIES:,} files")
        if sum(info.compress_size for info in entries) > size:
            raise zipfile.BadZipFile("its files share their content, as those of a ZIP bomb do")
        members = _members(entries)
        if _unpacked(members) > MAX_UNPACKED:
            raise zipfile.BadZipFile(f"it unpacks to more than {MAX_UNPACKED // 2**20} MiB")
        return cls(archive, members, _docs(members))

    def files(self) -> Iterator[SourceFile | Skipped]:
        for path in self.members:
            if not path.startswith(self.docs):
                if is_page_file(path) and not _is_ignored(path):
                    yield Skipped(path, f"beside the book, which is in {self.docs}", failed=False)
            elif not _is_ignored(path.removeprefix(self.docs)):
                yield from self._file(path, path.removeprefix(self.docs))
        for name in SITE_FILES:
            beside = self.beside(name)
            if beside and not beside.startswith(self.docs):
                yield from self._file(beside, name)

    def beside(self, name: str) -> str | None:
        """Return the path of a file of the site: in the docs folder, else next to it."""
        places = (self.docs + name, self.docs.removesuffix(_DOCS) + name)
        return next((path for path in places if path in self.members), None)

    def picture(self, candidates: Sequence[str]) -> bytes | None:
        """The content at the first place that has one and lies in the docs or static folder."""
        site = f"{self.docs.removesuffix(_DOCS)}{STATIC}/" if self.docs else self.docs
        for candidate in candidates:
            path = posixpath.normpath(posixpath.join(self.docs, candidate))
            if path in self.members and path.startswith((self.docs, site)):
                content = self.content(path)
                if isinstance(content, bytes):
                    return content
        return None

    def content(self, path: str) -> bytes | str:
        """A member's content, or why it cannot be had."""
        info = self.members[path]
        if reason := _obstacle(info):
            return reason
        try:
            with self.archive.open(info) as stream:
                content = stream.read(MAX_BYTES + 1)
        except _DAMAGED:
            return "its content in the archive is damaged"
        return content if len(content) <= MAX_BYTES else f"larger than {MAX_BYTES // 2**20} MiB"

    def _file(self, path: str, name: str) -> Iterator[SourceFile | Skipped]:
        if is_book_file(name) or _is_link(self.members[path]):
            content = self.content(path)
            yield Skipped(name, content) if isinstance(content, str) else SourceFile(name, content)


def _members(entries: Iterable[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The files by path. Raises BadZipFile when one leads out, or two are the same anywhere."""
    members: dict[str, zipfile.ZipInfo] = {}
    taken: dict[str, str] = {}
    for info in entries:
        name = _name(info)
        if name.endswith("/"):
            continue
        path = str(PurePosixPath(name))
        twin = taken.setdefault(_folded(path), path)
        if path in members:
            raise zipfile.BadZipFile(f"it holds {_shown(path)} twice")
        if twin != path:
            raise zipfile.BadZipFile(f"{_shown(twin)} and {_shown(path)} are one file on many systems")
        members[path] = info
    for folded, path in taken.items():
        folders = accumulate(folded.split("/")[:-1], posixpath.join)
        if above := next((folder for folder in folders if folder in taken), None):
            raise zipfile.BadZipFile(f"{_shown(taken[above])} is a file, and the folder of {_shown(path)}")
    return members


def _name(info: zipfile.ZipInfo) -> str:
    """Return an entry's name, as UTF-8 regardless of its flag. Raises BadZipFile, UnicodeDecodeError."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8_NAME:
        name = name.encode("cp437").decode("utf-8")
    if name in ("", ".") or _OUTWARD.match(name):
        raise zipfile.BadZipFile(f"the path {_shown(name)} leads out of it")
    if _UNPRINTABLE.search(name):
        raise zipfile.BadZipFile(f"the path {_shown(name)} holds a backslash or a control character")
    if name.count("/") > MAX_DEPTH:
        raise zipfile.BadZipFile(f"the path {_shown(name)} is more than {MAX_DEPTH} folders deep")
    if len(name.encode()) > MAX_PATH or max(len(part.encode()) for part in name.split("/")) > MAX_NAME:
        raise zipfile.BadZipFile(f"the path {_shown(name)} is too long")
    return name


def _folded(path: str) -> str:
    """The same for paths that differ in case or in how accents are written, and in nothing else."""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", path).casefold())


def _docs(members: Iterable[str]) -> str:
    """The docs folder of the archive."""
    seen = [path for path in members if not _is_ignored(path)]
    tops = {f"{path.partition('/')[0]}/" for path in seen}
    sites = ("", *tops) if len(tops) == 1 else ("",)
    folders = (site + _DOCS for site in sites)
    return next((folder for folder in folders if any(path.startswith(folder) for path in seen)), "")


def _unpacked(members: Mapping[str, zipfile.ZipInfo]) -> int:
    """Bytes that reading can give at most: no entry gives more than it declares."""
    sizes = (
        info.file_size for path, info in members.items() if is_book_file(path) or media_type(path) is not None
    )
    return sum(min(size, MAX_BYTES) for size in sizes)


def _obstacle(info: zipfile.ZipInfo) -> str | None:
    """Return why an entry is not read at all, if so."""
    if _is_link(info):
        return "a symlink, which is not followed in an archive; put the file itself in"
    if _kind(info) not in (0, stat.S_IFREG):
        return "not a regular file"
    if info.flag_bits & _ENCRYPTED:
        return "protected by a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "compressed by another method than Deflate"
    return None


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(_kind(info))


def _kind(info: zipfile.ZipInfo) -> int:
    """The type of the file as Unix has it, 0 where the archive does not tell."""
    return stat.S_IFMT(info.external_attr >> 16)


def _is_ignored(path: str) -> bool:
    return any(map(is_ignored, path.split("/")))


def _shown(name: str) -> str:
    """The name as one short line."""
    return ascii(name) if len(name) <= 80 else f"{name[:80]!a}…"
