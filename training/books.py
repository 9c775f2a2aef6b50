"""Open textbooks as folders: `<root>/<book>/docs/**`."""

from __future__ import annotations

from pathlib import Path

from training.pointers import Book

READ = (".md", ".mdx", ".csv")


def read(root: Path, book: str) -> Book:
    """Every text file of a book's docs folder; raises FileNotFoundError without one."""
    docs = root / book / "docs"
    if not docs.is_dir():
        raise FileNotFoundError(f"no folder {docs}")
    return {
        path.relative_to(docs).as_posix(): path.read_bytes().decode()
        for path in sorted(docs.rglob("*"))
        if path.suffix in READ and path.is_file()
    }
