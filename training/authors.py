"""What is laid out for authors, and what they wrote: passages in DRAFTS/01.json, drafts in 01.jsonl."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from training.drafts import Line
from training.pointers import PointerError

Made = TypeVar("Made")

BooksFolder = Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)]
Drafts = Annotated[Path, typer.Argument(metavar="DRAFTS", file_okay=False)]


def numbered(at: int, passage: Line) -> str:
    """A passage as an author sees it: its number and its text."""
    return f"=== {at}\n{re.sub(' +', ' ', passage['text'])}\n"


def lay_out(
    drafts: Path, passages: Sequence[Line], size: int, shown: Callable[[int, Line], str] = numbered
) -> None:
    """Write passages for authors, `size` for each: as they are, and as `shown` with their numbers."""
    drafts.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, len(passages), size), 1):
        some = passages[start : start + size]
        (drafts / f"{number:02}.json").write_text(json.dumps(some), "utf-8")
        laid = [shown(at, one) for at, one in enumerate(some)]
        (drafts / f"{number:02}.txt").write_text("\n".join(laid), "utf-8")
    typer.echo(f"{len(passages)} passages in {drafts}")


def taken(drafts: Path, make: Callable[[Line, Line], Made]) -> list[Made]:
    """What is made of each draft and its passage. Names every line that is wrong; then raises Exit."""

    def of_passages(path: Path) -> Callable[[Line], Made]:
        cut_up = json.loads(path.with_suffix(".json").read_text("utf-8"))
        return lambda draft: make(draft, cut_up[draft["p"]])

    return checked(drafts, of_passages)


def checked(drafts: Path, make_of: Callable[[Path], Callable[[Line], Made]]) -> list[Made]:
    """What is made of each draft, file by file. Names every line that is wrong; then raises Exit."""
    found: list[Made] = []
    wrong = []
    for path in sorted(drafts.glob("*.jsonl")):
        make = make_of(path)
        for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                found.append(make(json.loads(text)))
            except (ValueError, LookupError, TypeError, AttributeError, PointerError) as error:
                wrong.append(f"{path.name}:{number}: {type(error).__name__}: {error}")
    for fault in wrong:
        typer.echo(fault, err=True)
    if wrong:
        raise typer.Exit(1)
    return found
