"""Twins of questions: `python -m training.twins take DRAFTS` checks what authors wrote, and adds it.

DRAFTS is what `training.pairs cut`, `training.passage_pairs cut`, or for code and lists `cut` here laid out:
passages in 01.json. For them an author writes 01.jsonl, `{"p": passage, "kind": …, "answered": …, "near":
…}`: a question that the passage answers, and one from the same mould that it leaves open (training/GUIDE.md).
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bookbound.model import UnitKind
from training import lines as written
from training.authors import BooksFolder, Drafts, lay_out, taken
from training.drafts import shared_run
from training.lines import FITTING, Line
from training.passage_pairs import split_of
from training.pointers import digest
from training.windows import of_code_or_lists

KINDS = ("attribute", "thing", "condition", "step", "comparison", "presupposition")
"""In what the twin differs: the six ways to a near miss."""

WORDS = range(3, 41)

COPIED = 7
"""So many words in a row, the same as in the passage, are a copy."""

_NAMES_ITS_PLACE = re.compile(r"\b(?:passage|the text|the author)\b", re.IGNORECASE)


DRAWN = {
    UnitKind.CODE: {
        "react-learn": 92,
        "hf-nlp-course": 92,
        "rust-book": 72,
        "d2l-maths": 48,
        "deep-rl": 44,
        "iot": 16,
    },
    UnitKind.ITEM: {
        "handbook-18f": 68,
        "economics": 52,
        "iot": 50,
        "deep-rl": 44,
        "hf-nlp-course": 36,
        "cooking": 30,
        "react-learn": 28,
        "srd-rules": 20,
        "plain-language": 18,
        "music-theory": 18,
    },
}
"""Windows that are drawn from each training book, by what they are for the most part."""

APART = 52
"""The same of the book that teaches nothing: they measure."""

app = typer.Typer(help=__doc__, no_args_is_help=True)


@app.command()
def cut(
    folder: BooksFolder,
    drafts: Drafts,
    kind: Annotated[UnitKind, typer.Option(help="What the windows are for the most part: code or item.")],
    size: Annotated[int, typer.Option(min=1, help="Windows for an author.")] = 52,
) -> None:
    """Draw windows that have no twins yet, and lay them out for authors, those apart at last."""
    if kind not in DRAWN:
        raise typer.BadParameter(f"twins are written about {' or '.join(DRAWN)}, not about {kind}")
    known = {json.dumps(line.get("evidence")) for line in written.stored(written.TWINS)}
    drawn = random.Random(len(known))
    draw = partial(_drawn, folder, kind, known, drawn)
    taught = [one for book, most in DRAWN[kind].items() for one in draw(book, most)]
    drawn.shuffle(taught)
    lay_out(drafts, [*taught, *draw(FITTING, APART)], size, _laid_out)


def _drawn(  # noqa: PLR0917  what a draw is made of
    folder: Path, kind: UnitKind, known: set[str], drawn: random.Random, book: str, most: int
) -> list[Line]:
    every = (one for one in of_code_or_lists(folder, book) if one.kind is kind)
    new = [one for one in every if json.dumps([asdict(one.place)]) not in known]
    return [
        {"book": book, "text": "\n".join([one.above, *one.texts])} | asdict(one.place)
        for one in drawn.sample(new, min(most, len(new)))
    ]


def _laid_out(at: int, passage: Line) -> str:
    return f"=== {at}\n{passage['text']}\n"


@app.command()
def take(drafts: Annotated[Path, typer.Argument(metavar="DRAFTS", exists=True, file_okay=False)]) -> None:
    """Check the authors' twins and add them; a line that is wrong is named, and nothing is written then."""
    made = taken(drafts, twins)
    typer.echo(f"{written.add(written.TWINS, made)} twins")


def twins(draft: Line, passage: Line) -> Line:
    """Twins with the place that they are about, and what they are for. Raises ValueError, KeyError."""
    answered, near = (" ".join(draft[side].split()) for side in ("answered", "near"))
    if draft["kind"] not in KINDS:
        raise ValueError(f"no kind of twins {draft['kind']!r}")
    if answered.lower() == near.lower():
        raise ValueError(f"the same question twice: {near}")
    for question in (answered, near):
        if len(question.split()) not in WORDS:
            raise ValueError(f"{len(question.split())} words, where a question has 3 to 40: {question}")
        if _NAMES_ITS_PLACE.search(question):
            raise ValueError(f"a question stands alone: {question}")
        if (run := shared_run(question, passage.get("text", ""))) >= COPIED:
            raise ValueError(f"{run} words in a row stand in the passage: {question}")
    place = _place(passage)
    return {
        "id": digest(answered + near + json.dumps(place, sort_keys=True))[:10],
        "split": _split(passage),
        "answered": answered,
        "near": near,
        "kind": draft["kind"],
    } | place


def _split(passage: Line) -> str:
    """What is about another title, or about the book that teaches nothing, measures."""
    if "row" in passage:
        return split_of(passage["title"])
    return "dev" if passage["book"] == FITTING else "train"


def _place(passage: Line) -> Line:
    if "row" in passage:
        return {"file": passage["file"], "row": passage["row"]}
    pointer = {name: passage[name] for name in ("file", "offset", "length", "sha256")}
    return {"book": passage["book"], "evidence": [pointer]}


if __name__ == "__main__":
    app()
