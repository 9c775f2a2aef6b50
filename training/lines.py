"""The lines of the set: questions and claims with pointers, and the same with the text pointed to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.pointers import Book, Pointer, resolve

HOME = Path("training")
JUDGING = ("astronomy", "business-law", "microbiology", "philosophy", "us-history")
"""Books under NonCommercial licences: they judge and never train."""

FITTING = "physical-ai"
"""A book that neither teaches the reader nor judges: on pairs about it the check of claims is fitted."""

PASSAGE_PAIRS = HOME / "passage_pairs.jsonl"
TWINS = HOME / "twins.jsonl"
PASSAGES = HOME / "passages.jsonl"
OWN = "passages"
"""The file that a passage of our own is named by, next to the public ones."""
FOLLOW_UPS = HOME / "follow_ups.jsonl"
FITTING_QUESTIONS = HOME / "fitting.jsonl"

Line = dict[str, Any]


def books() -> list[str]:
    """The books that have questions, in alphabetical order."""
    return sorted(path.stem for path in (HOME / "questions").glob("*.jsonl"))


def check_that_train(names: Iterable[str]) -> None:
    """Raise ValueError where one of these books judges or fits."""
    if others := {*names} & {*JUDGING, FITTING}:
        raise ValueError(f"books that judge or fit never train: {', '.join(sorted(others))}")


def questions(book: str) -> list[Line]:
    """A book's questions, with pointers; those about FITTING teach nothing and judge nothing."""
    return list(stored(FITTING_QUESTIONS if book == FITTING else HOME / "questions" / f"{book}.jsonl"))


def to_tables(book: str) -> list[Line]:
    """Further questions to a book's tables, with pointers; those that judge are left out."""
    lines = stored(Path("evaluation/requests/tables.jsonl"))
    return [line | {"also_in": []} for line in lines if line["book"] == book and line["split"] == "dev"]


def claims(book: str) -> list[Line]:
    """A book's claims, with pointers."""
    return list(stored(HOME / "claims" / f"{book}.jsonl"))


def paired() -> list[str]:
    """The books that have pairs of claims, in alphabetical order."""
    return sorted(path.stem for path in (HOME / "pairs").glob("*.jsonl"))


def pairs(book: str) -> list[Line]:
    """A book's pairs of a true claim and a false one, with pointers."""
    return list(stored(pairs_file(book)))


def pairs_file(book: str) -> Path:
    """Where a book's pairs lie."""
    return HOME / "pairs" / f"{book}.jsonl"


def passage_pairs(split: str) -> list[Line]:
    """Pairs about passages of public files: `train`, or `dev`, about other titles, which teach nothing."""
    return [line for line in stored(PASSAGE_PAIRS) if line["split"] == split]


def follow_ups(split: str) -> list[Line]:
    """Follow-up questions about no book: `train`, or `dev`, which teach nothing."""
    return [line for line in stored(FOLLOW_UPS) if line["split"] == split]


def twins(split: str) -> list[Line]:
    """Twins of questions: `train`, or `dev`, about other titles, which teach nothing."""
    return [line for line in stored(TWINS) if line["split"] == split]


def pair_claims(book: str) -> list[Line]:
    """Both claims of each pair, in the form of `claims`."""
    return [
        {
            "id": f"{line['id']}-{side}",
            "claim": line[side],
            "evidence": line["evidence"],
            "label": side == "true",
            "kind": line["kind"],
        }
        for line in pairs(book)
        for side in ("true", "false")
    ]


def readable_question(line: Line, book: Book) -> Line:
    """A line as `bookbound evaluate` reads it. Raises PointerError."""
    made = dict(line) | {
        name: [{"file": one["file"], "quote": resolve(book, pointer(one))} for one in line[name]]
        for name in ("evidence", "also_in")
    }
    selected = line.get("selected_text")
    made["selected_text"] = resolve(book, pointer(selected)) if selected else None
    return made


def readable_claim(line: Line, book: Book) -> Line:
    """A line as `bookbound verify` reads it. Raises PointerError."""
    return dict(line) | {"evidence": [resolve(book, pointer(one)) for one in line["evidence"]]}


def pointer(stored: Mapping[str, Any]) -> Pointer:
    """The pointer that a line holds."""
    return Pointer(**stored)


def write(path: Path, lines: Sequence[Line]) -> None:
    """Write lines as JSON, one per line, in the order of their ids, which tell nothing of kinds or labels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = sorted(lines, key=lambda line: str(line["id"]))
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in ordered), "utf-8")


def add(path: Path, made: Iterable[Line]) -> int:
    """Add lines to a file, each in the place of one with its id; return how many the file has then."""
    found = {line["id"]: line for line in (*stored(path), *made)}
    write(path, [*found.values()])
    return len(found)


def stored(path: Path) -> Iterator[Line]:
    """The lines of a file, with pointers."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
