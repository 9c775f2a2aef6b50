"""The audit folder of this machine as a trail, and a folder next to it for its digests.

A user who may write here may delete both: what a stage's lock prevents, this machine cannot.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from bookbound.errors import Unavailable


class TrailFolder:
    """Fits digesting.Trail. Both raise Unavailable."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def written(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """All files below, by their path from the root, and when each was last written, to the second."""
        with _readable():
            for path in sorted(one for one in (self._root / prefix).rglob("*") if one.is_file()):
                moment = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
                yield path.relative_to(self._root).as_posix(), moment

    def read(self, key: str) -> bytes:
        """A file's bytes. Raises KeyError where there is none."""
        return _read(self._root, key)


class DigestFolder:
    """Fits digesting.Archive. All raise Unavailable."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self, prefix: str) -> list[str]:
        """In order."""
        with _readable():
            files = [path for path in (self._root / prefix).rglob("*.json") if path.is_file()]
        return sorted(path.relative_to(self._root).as_posix() for path in files)

    def read(self, name: str) -> bytes:
        """A paper. Raises KeyError where there is none."""
        return _read(self._root, name)

    def keep(self, name: str, content: bytes) -> bool:
        """Write a paper, whole or not at all; False where there is one already."""
        path = self._root / name
        aside = path.with_name(f".{uuid4().hex}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(content)
            return _linked(aside, path)
        except OSError as error:
            raise Unavailable(f"{path} could not be written: {error.strerror}") from error

    def replaced(self, prefix: str) -> list[str]:
        """Return nothing: a folder cannot tell."""
        return []


def _linked(aside: Path, path: Path) -> bool:
    """Give a file this name; False where it is taken."""
    try:
        os.link(aside, path)
    except FileExistsError:
        return False
    finally:
        aside.unlink()
    return True


def _read(root: Path, name: str) -> bytes:
    with _readable():
        try:
            return (root / name).read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(f"{error.filename} could not be read: {error.strerror}") from error
