"""Passages by authors: `python -m training.passages WRITTEN DRAFTS` adds them to the set and lays them out.

WRITTEN holds the authors' files, an object per line: `{"title": …, "text": …}`, a passage as it stands in a
textbook on a matter that no book here is about (training/GUIDE.md). DRAFTS is for authors of pairs and of
twins about them, as `training.passage_pairs cut` lays out public passages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from training import lines as written
from training.authors import checked, lay_out
from training.lines import Line
from training.pointers import digest

WORDS = range(80, 221)


def main(
    by_authors: Annotated[Path, typer.Argument(metavar="WRITTEN", exists=True, file_okay=False)],
    drafts: Annotated[Path, typer.Argument(metavar="DRAFTS", file_okay=False)],
    size: Annotated[int, typer.Option(min=1, help="Passages for an author.")] = 40,
) -> None:
    """Check the authors' passages and add them; a line that is wrong is named, and nothing is written."""
    made = checked(by_authors, lambda _: passage)
    written.add(written.PASSAGES, made)
    found = [
        {"file": written.OWN, "row": one["id"], "title": one["title"], "text": one["passage"]} for one in made
    ]
    lay_out(drafts, found, size)


def passage(draft: Line) -> Line:
    """A passage as the set has it. Raises ValueError, KeyError."""
    text, title = (" ".join(draft[name].split()) for name in ("text", "title"))
    if len(text.split()) not in WORDS:
        raise ValueError(f"{len(text.split())} words, where a passage has 80 to 220: {text[:60]}")
    if not title:
        raise ValueError(f"a passage has a title, which keeps what is apart: {text[:60]}")
    return {"id": digest(text)[:10], "title": title, "passage": text}


if __name__ == "__main__":
    typer.run(main)
