"""A model card is written in parts, by several commands: each puts its own section in its place."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    return sha256(path.read_bytes()).hexdigest()


def with_file(text: str, model: Path) -> str:
    """The card with the size and hash of a model's file that was written anew."""
    row = f"| file | `{model.name}`, {model.stat().st_size / 1e6:.1f} MB, SHA-256 `{hash_of(model)[:16]}…` |"
    return "\n".join(row if line.startswith("| file | `") else line for line in text.split("\n"))


def with_section(text: str, heading: str, section: str) -> str:
    """The card with a section, in the place of the one of this heading or at the end."""
    first, *rest = text.split("\n## ")
    kept = [f"## {one}" for one in rest]
    at = next((n for n, one in enumerate(kept) if one.startswith(f"{heading}\n")), len(kept))
    kept[at : at + 1] = [section]
    return "\n\n".join(one.strip() for one in (first, *kept)) + "\n"
