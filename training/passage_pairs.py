"""Pairs of claims about public passages: `python -m training.passage_pairs cut READING DRAFTS`, and `take`.

They are about people, places, laws and events, as books on history and law are, and unlike those that train.
`cut` draws passages of READING that have no pair yet and lays them out for authors (DRAFTS/01.txt, …). They
write DRAFTS/01.jsonl as for `training.pairs`. `take DRAFTS` checks that, and adds it to
training/passage_pairs.jsonl.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Annotated

import typer

from training import lines as written
from training.authors import Drafts, lay_out, taken
from training.lines import Line
from training.pairs import LEAST_WORDS, checked
from training.pointers import digest

SEED = 5

SOURCES = {
    "squadshifts-wiki": 0.31,
    "squad-sample": 0.16,
    "qed": 0.16,
    "fairytaleqa": 0.09,
    "squad-train-part": 0.07,
    "squad-dev": 0.07,
    "wikiqa": 0.07,
    "cast-snippets": 0.04,
    "policyqa": 0.03,
}
"""Public files with passages of an encyclopaedia, of tales, of the web and of policies, and the share that is
drawn of each."""

LEAST, MOST = 420, 1_250
"""Characters of a passage."""

NEAR_WHAT_JUDGES = (
    "Atlantic_slave_trade",
    "Colonial_history_of_the_United_States",
    "Flag_of_the_United_States",
    "Insurance_in_the_United_States",
    "Morality",
    "Political_divisions_of_the_United_States",
    "Republican_Party_(United_States)",
)
"""Titles that are left out: books on the same matter judge."""

DEV = 9
"""Of so many titles the pairs of one are kept apart: they measure, and teach nothing."""

app = typer.Typer(help=__doc__, no_args_is_help=True)
Reading = Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)]


@app.command()
def cut(
    reading: Reading,
    drafts: Drafts,
    count: Annotated[int, typer.Option(min=1, help="Passages in all.")] = 800,
    size: Annotated[int, typer.Option(min=1, help="Passages for an author.")] = 100,
) -> None:
    """Draw passages, of as many titles as there are, and lay them out for authors."""
    drawn = random.Random(SEED)
    used = {(line["file"], line["row"]) for line in written.stored(written.PASSAGE_PAIRS)}
    found: list[Line] = []
    for name, share in SOURCES.items():
        rows = [row for row in _prose(reading, name) if (name, row["row"]) not in used]
        found += _of_many_titles(rows, round(count * share), drawn)
    drawn.shuffle(found)
    lay_out(drafts, found, size)


def _prose(reading: Path, name: str) -> list[Line]:
    """A file's passages once each: the row that has it first, its title, and the text."""
    found: dict[str, Line] = {}
    with (reading / f"{name}.jsonl").open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            text = row["passage"]
            drawable = row["split"] == "train" and row["title"] not in NEAR_WHAT_JUDGES
            if drawable and text not in found and _is_prose(text):
                found[text] = {"file": name, "row": row["id"], "title": row["title"], "text": text}
    return [*found.values()]


def _is_prose(text: str) -> bool:
    letters = sum(mark.isalpha() or mark in " .," for mark in text)
    return LEAST <= len(text) <= MOST and len(text.split()) >= LEAST_WORDS and letters > 0.93 * len(text)


def _of_many_titles(rows: list[Line], count: int, drawn: random.Random) -> list[Line]:
    """One passage of each title, then a second one, and so on; one without a title stands for itself."""
    by_title: dict[str, list[Line]] = {}
    for row in drawn.sample(rows, len(rows)):
        by_title.setdefault(row["title"] or row["row"], []).append(row)
    found: list[Line] = []
    while len(found) < count and any(by_title.values()):
        some = [of_title.pop() for of_title in by_title.values() if of_title]
        found += drawn.sample(some, len(some))
    return found[:count]


@app.command()
def take(drafts: Drafts) -> None:
    """Check the authors' pairs and add them; a line that is wrong is named, and nothing is written then."""
    made = taken(drafts, pair)
    typer.echo(f"{written.add(written.PASSAGE_PAIRS, made)} pairs")


def pair(draft: Line, passage: Line) -> Line:
    """A pair with the row that it is about, and what it is for. Raises ValueError, KeyError."""
    true, false = checked(draft, passage["text"])
    return {
        "id": digest(true + false + passage["row"])[:10],
        "split": split_of(passage["title"]),
        "true": true,
        "false": false,
        "kind": draft["kind"],
        "file": passage["file"],
        "row": passage["row"],
    }


def split_of(title: str) -> str:
    """What all that is written about a title, or after a first question, is for: to teach, or to measure."""
    return "dev" if title and int(digest(title), 16) % DEV == 0 else "train"


if __name__ == "__main__":
    app()
