"""A book as one ZIP file, to be sent: all that an ingest of its docs folder reads, and nothing else."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bookbound.adapters.files.book_archive import BookArchive, is_archive
from bookbound.adapters.files.docs_folder import POLICY_FILE, DocsFolder, load_policy
from bookbound.errors import IngestError
from bookbound.policy import book_policy as policies
from bookbound.source.book_reader import read_book
from bookbound.source.pages import BookSource
from bookbound.source.pictures import picture_places

_DOCS = "docs"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_UNIX, _FILE = 3, 0o100644 << 16


@contextmanager
def packed(docs: Path, policy: Path | None = None) -> Iterator[Path]:
    """A ZIP file that `BookArchive` reads as the book; gone after the block.

    A docs folder becomes `docs/` in it, with its pictures and its policy, or the one given. The same files
    always make the same bytes. A .zip stays as it is, unless a policy is given.

    Raises IngestError when it is no book, or a file of it cannot be read: the job would miss that without
    knowing; PolicyError.
    """
    if is_archive(docs) and policy is None:
        BookArchive(docs).read()
        BookArchive(docs).policy()
        yield docs
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "book.zip")
        _write(path, _members(docs, policy))
        BookArchive(path).policy()  # opens it, as the job will: what is too large, or named twice, ends here
        yield path


def _members(docs: Path, policy_path: Path | None) -> dict[str, bytes]:
    """The files by their path in the archive."""
    source: BookSource = BookArchive(docs) if is_archive(docs) else DocsFolder(docs)
    if isinstance(source, DocsFolder):
        policy_path = policy_path or source.policy_path()
    policy = load_policy(policy_path) if policy_path else policies.DEFAULT
    files, skipped = source.read()
    if failed := [one for one in skipped if one.failed]:
        raise IngestError(
            f"{len(failed)} of the files cannot be sent, mend or remove them; "
            f"first {failed[0].path}: {failed[0].reason}"
        )
    places = picture_places(read_book(files, policy, book_id="packing").pages, policy)
    # Each place by itself: which of them counts, decides who reads the archive.
    pictures = source.pictures({place: (place,) for found in places.values() for place in found})
    members = {posixpath.normpath(f"{_DOCS}/{file.path}"): file.content for file in (*files, *pictures)}
    return members | ({POLICY_FILE: policy_path.read_bytes()} if policy_path else {})


def _write(path: Path, members: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = _UNIX, _FILE
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, members[name])
