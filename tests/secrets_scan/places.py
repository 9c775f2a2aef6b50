"""Places searched for shapes: the repository with its history, and the templates of every stage."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

Texts = Iterator[tuple[str, str]]
"""Places of texts, each with its text."""


def working_tree(root: Path) -> Texts:
    """Every file that is tracked, or would be."""
    for name in _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0"):
        path = root / name.decode()
        if path.is_file():
            yield name.decode(), _text(path.read_bytes())


def history(root: Path) -> Texts:
    """Every file as it ever was in a commit."""
    listed = (
        line.partition(" ") for line in _git(root, "rev-list", "--objects", "--all").decode().splitlines()
    )
    names = {blob: name for blob, _, name in listed if name}
    rest = _git(root, "cat-file", "--batch", given="\n".join(names).encode())
    while rest:
        head, _, rest = rest.partition(b"\n")
        blob, kind, size = head.decode().split()
        if kind == "blob":
            yield f"{names[blob]} ({blob[:8]})", _text(rest[: int(size)])
        rest = rest[int(size) + 1 :]


def templates() -> Texts:
    """Yield what is synthesised for every stage; the functions' code is the repository's."""
    from infra.app import build
    from infra.assets import Assets
    from infra.stages import STAGES

    with tempfile.TemporaryDirectory() as folder:
        nothing = Path(folder, "nothing")
        nothing.mkdir()
        build(folder, STAGES, Assets(*[nothing] * len(fields(Assets)))).synth()
        for path in sorted(Path(folder).rglob("*.json")):
            yield path.relative_to(folder).as_posix(), _text(path.read_bytes())


def _git(root: Path, *arguments: str, given: bytes | None = None) -> bytes:
    return subprocess.run(["git", *arguments], cwd=root, input=given, capture_output=True, check=True).stdout


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
