"""Twins of questions: `python -m training.twins DRAFTS` checks what authors wrote and adds it to the set.

DRAFTS is what `training.pairs cut` or `training.passage_pairs cut` laid out: passages in 01.json. For them an
author writes 01.jsonl, `{"p": passage, "kind": …, "answered": …, "near": …}`: a question that the passage
answers, and one from the same mould that it leaves open (training/GUIDE.md).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from training import lines as written
from training.authors import taken
from training.drafts import shared_run
from training.lines import Line
from training.passage_pairs import split_of
from training.pointers import digest

KINDS = ("attribute", "thing", "condition", "step", "comparison", "presupposition")
"""In what the twin differs: the six ways to a near miss."""

WORDS = range(3, 41)

COPIED = 7
"""So many words in a row, the same as in the passage, are a copy."""

_NAMES_ITS_PLACE = re.compile(r"\b(?:passage|the text|the author)\b", re.IGNORECASE)


def main(drafts: Annotated[Path, typer.Argument(metavar="DRAFTS", exists=True, file_okay=False)]) -> None:
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
        "split": split_of(passage["title"]) if "row" in passage else "train",
        "answered": answered,
        "near": near,
        "kind": draft["kind"],
    } | place


def _place(passage: Line) -> Line:
    if "row" in passage:
        return {"file": passage["file"], "row": passage["row"]}
    pointer = {name: passage[name] for name in ("file", "offset", "length", "sha256")}
    return {"book": passage["book"], "evidence": [pointer]}


if __name__ == "__main__":
    typer.run(main)
