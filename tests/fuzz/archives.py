"""Book archives: any bytes give files of bounded size below the docs folder, or a line of refusal."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bookbound.adapters.files.book_archive import MAX_UNPACKED, BookArchive
from bookbound.adapters.files.docs_folder import MAX_BYTES
from bookbound.errors import IngestError, PolicyError
from bookbound.source.pictures import STATIC
from tests.fuzz.mutations import mutated_archive, zipped
from tests.fuzz.target import Target

LONGEST_MESSAGE = 800
_PICTURES = {"a.png": ("img/a.png", f"../{STATIC}/a.png", "../../etc/passwd", "/etc/passwd")}


def law(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.zip")
        path.write_bytes(content)
        _check(BookArchive(path))
        assert list(Path(folder).iterdir()) == [path], "something was unpacked"


def _check(archive: BookArchive) -> None:
    try:
        archive.policy()
        files, skipped = archive.read()
        pictures = archive.pictures(_PICTURES)
    except (IngestError, PolicyError) as error:
        assert len(str(error).splitlines()) == 1, f"no single line: {error}"
        assert len(str(error)) <= LONGEST_MESSAGE, "a message that nobody reads"
        return
    for file in (*files, *skipped):
        parts = PurePosixPath(file.path).parts
        assert parts and ".." not in parts and not file.path.startswith("/"), f"leads out: {file.path!r}"
        assert file.path.isprintable() or file.path.encode(), "a name that cannot be shown"
    assert all(len(file.content) <= MAX_BYTES for file in (*files, *pictures))
    assert sum(len(file.content) for file in files) <= MAX_UNPACKED
    assert len({file.path for file in files}) == len(files), "a path twice"


def seeds() -> Iterator[bytes]:
    pages = [
        ("docs/intro.md", b"# Intro\n\nA page.\n"),
        ("docs/img/a.png", b"\x89PNG"),
        ("docs/b/c.mdx", b"# C\n"),
    ]
    yield zipped(pages)
    yield zipped(
        [(f"site/{name}", content) for name, content in pages] + [("site/bookbound.yaml", b"title: B\n")]
    )
    yield zipped([("a.md", b"# A\n"), ("é.md", b"# E\n"), ("static/a.png", b"x"), (".git/x.md", b"")])
    yield zipped([("../a.md", b"# A\n")])
    yield zipped([])


TARGET = Target(
    law, seeds, mutate=mutated_archive, longest=16 * 1024, words=("../", "docs/", ".md", "/", "C:", "PK")
)
