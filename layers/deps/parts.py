"""A part of what is deployed: a folder that is filled aside and then takes its place."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

_ZIP_EPOCH = 315532800
"""1980-01-01, the earliest time that a zip file can tell."""


@dataclass(frozen=True, slots=True)
class Part:
    """An asset's root, its size in bytes as it is unpacked, and the SHA-256 of its names and contents.

    `packages` tells the bytes of each name on the import path.
    """

    path: Path
    bytes: int
    sha256: str
    packages: dict[str, int]


@contextmanager
def only_one(out: Path) -> Iterator[None]:
    """Let one build at a time into a folder, others wait here; what a killed build left is swept away."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in out.glob(".new-*"):
            shutil.rmtree(left)
        yield


def up_to_date(path: Path, key: str, fill: Callable[[Path], None]) -> Part:
    """Return the part at a path, filled again unless it was filled for exactly this key.

    An error of `fill` goes through, and the part stays as it was.
    """
    record = path.with_suffix(".json")
    if path.is_dir() and (known := _recorded(record, path, key)):
        return known
    with tempfile.TemporaryDirectory(prefix=".new-", dir=path.parent) as aside:
        fresh, facts = Path(aside, "fresh"), Path(aside, "facts")
        fresh.mkdir()
        fill(fresh)
        _normalise(fresh)
        part = _measured(fresh, path)
        facts.write_text(json.dumps(asdict(part) | {"path": path.name, "key": key}), "utf-8")
        record.unlink(missing_ok=True)
        if path.exists():
            path.rename(Path(aside, "old"))
        fresh.rename(path)
        facts.rename(record)
    return part


def digest(root: Path, files: Iterable[Path]) -> str:
    """SHA-256 over the names, relative to a root, and contents of files; their order does not matter."""
    whole = hashlib.sha256()
    for file in sorted(files):
        whole.update(file.relative_to(root).as_posix().encode() + b"\0")
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def files_of(folder: Path) -> list[Path]:
    """Every file below a folder."""
    return [path for path in folder.rglob("*") if path.is_file()]


def _recorded(record: Path, path: Path, key: str) -> Part | None:
    if not record.is_file():
        return None
    facts = json.loads(record.read_text("utf-8"))
    if facts.pop("key") != key:
        return None
    return Part(**facts | {"path": path})


def _normalise(folder: Path) -> None:
    """Make files readable to any user of a function, without a trace of the build's time and user."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
            continue
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (_ZIP_EPOCH, _ZIP_EPOCH))
    folder.chmod(0o755)


def _measured(folder: Path, path: Path) -> Part:
    files = files_of(folder)
    sizes: Counter[str] = Counter()
    for file in files:
        sizes[_package(file.relative_to(folder))] += file.stat().st_size
    return Part(path, sizes.total(), digest(folder, files), dict(sizes.most_common()))


def _package(file: Path) -> str:
    """`python/numpy.libs/…` and `python/numpy-2.5.dist-info/…` belong to numpy."""
    names = file.parts[1:] if file.parts[0] == "python" else file.parts
    return re.split(r"[.-]", names[0])[0]
