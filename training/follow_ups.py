"""Follow-up questions: `python -m training.follow_ups DRAFTS` checks authors' lines and adds them to the set.

DRAFTS holds the authors' files, an object per line: `{"previous": …, "question": …, "meant": …, "ask": …,
"terms": […]}`, a question, one asked after it, and that one in full. A completion is right where it has all
`terms`; "a|b" stands for either. The questions are about no book (training/GUIDE.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from bookbound.question.follow_up import Form, Reading
from bookbound.question.validation import QUESTION_LIMIT
from bookbound.text.terms import content_stems, stem, tokens
from training import lines as written
from training.authors import checked
from training.lines import Line
from training.passage_pairs import split_of
from training.pointers import digest

ALONE = "alone"
"""A question after another one that leans on nothing of it."""

KINDS = ("pronoun", "attribute", "swap", "bare", "implicit", ALONE, "ordinal", "compare", "more")
"""How the second question leans on the first."""

_NOT_FOR = {"attribute": Form.SWAP, "swap": Form.ATTRIBUTE}
"""The form that puts an attribute in the place of a thing, or the other way round: all terms may be there."""


def is_read_right(line: Mapping[str, Any], text: str) -> bool:
    """Return whether a reading names all that it was meant to name, and a new topic is left alone."""
    said = {stem(one) for one in tokens(text)}
    named = (
        any(said.issuperset(map(stem, tokens(one))) for one in term.split("|")) for term in line["terms"]
    )
    return all(named) and (line.get("ask") != ALONE or text == line["question"])


def is_meant(line: Mapping[str, Any], one: Reading) -> bool:
    """Return whether a reading is what is meant: it has all that it must name, in a form that asks for it."""
    if tokens(one.text) == tokens(line.get("meant", "")):
        return True
    return is_read_right(line, one.text) and one.form is not _NOT_FOR.get(line["ask"])


def main(drafts: Annotated[Path, typer.Argument(metavar="DRAFTS", exists=True, file_okay=False)]) -> None:
    """Check the authors' follow-ups and add them; a line that is wrong is named, and nothing is written."""
    made = checked(drafts, lambda _: follow_up)
    typer.echo(f"{written.add(written.FOLLOW_UPS, made)} follow-ups")


def follow_up(draft: Line) -> Line:
    """Return a draft as a line of the set, with its id and split. Raises ValueError, KeyError."""
    previous, question, meant = (" ".join(draft[name].split()) for name in ("previous", "question", "meant"))
    line = {"question": question, "ask": draft["ask"], "terms": draft["terms"]}
    if draft["ask"] not in KINDS:
        raise ValueError(f"no kind of follow-ups {draft['ask']!r}")
    if max(map(len, (previous, question, meant))) > QUESTION_LIMIT:
        raise ValueError(f"a question has at most {QUESTION_LIMIT} characters: {meant}")
    if not all(tokens(one) for term in draft["terms"] or [""] for one in term.split("|")):
        raise ValueError(f"terms are words: {draft['terms']}")
    if not is_read_right(line, meant):
        raise ValueError(f"not all terms stand in what is meant: {meant}")
    if draft["ask"] != ALONE and is_read_right(line, question):
        raise ValueError(f"nothing that is left out is among the terms: {question}")
    return {
        "id": digest(previous + question)[:10],
        "split": split_of(" ".join(content_stems(previous))),
        "previous": previous,
        "meant": meant,
    } | line


if __name__ == "__main__":
    typer.run(main)
