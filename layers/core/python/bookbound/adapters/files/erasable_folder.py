"""To be erased from: the audit folder of this machine, to which servers append, and copies of a stage's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bookbound.adapters.files.audit_folder import locked
from bookbound.audit.digest_format import sha256
from bookbound.audit.erasure import Advance, Change, Held, Seen, Witness
from bookbound.errors import Unavailable


class ErasableFolder:
    """Fits erasing.Place; a server that appends to a file waits while that is rewritten."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def look(self, prefix: str, into: Callable[[bytes], Held], advance: Advance) -> Iterator[Seen]:
        """Look into every file below."""
        with _usable():
            paths = sorted(path for path in (self._root / prefix).rglob("*") if path.is_file())
        for number, path in enumerate(paths, 1):
            with _usable():
                try:
                    found = into(path.read_bytes())
                except FileNotFoundError:
                    continue
            advance(f"{prefix} here", number, len(paths))
            yield Seen(path.relative_to(self._root).as_posix(), current=True, held=found)

    def rewrite(self, keys: Sequence[str], change: Change, before: Witness) -> Iterator[str]:
        """Rewrite the files, whole or not at all."""
        for key in keys:
            with _usable():
                self._rewrite(key, change, before)
            yield key

    def _rewrite(self, key: str, change: Change, before: Witness) -> None:
        path = self._root / key
        # Outside of the trail, and the same each time: what a killed run left is written over by the next.
        aside = self._root / f".{sha256(key.encode())[:16]}"
        try:
            with locked(path, os.O_RDWR):
                old = path.read_bytes()
                new = change(old)
                if new == old:
                    return
                before(key, old, new)
                if new is None:
                    path.unlink()
                    aside.unlink(missing_ok=True)
                else:
                    _write(aside, new)
                    aside.replace(path)
        except FileNotFoundError:
            return


class CopiedFolder(ErasableFolder):
    """Copies of files kept elsewhere; a user who needs them fetches them again."""

    def rewrite(self, keys: Sequence[str], change: Change, before: Witness) -> Iterator[str]:
        """Delete the files."""
        for key in keys:
            with _usable():
                (self._root / key).unlink(missing_ok=True)
            yield key


def _write(path: Path, content: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(file)


@contextmanager
def _usable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(f"{error.filename}: {error.strerror}") from error
