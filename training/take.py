"""`python -m training.take DRAFTS BOOKS`: drafts with quotes become the set's lines with pointers.

DRAFTS holds a folder per book with `*.jsonl`; BOOKS holds the books. A book with a wrong line is not written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from training import books, drafts
from training.drafts import DraftError, Line
from training.lines import HOME, write
from training.pointers import Book


def main(
    drafts_folder: Annotated[Path, typer.Argument(metavar="DRAFTS", exists=True, file_okay=False)],
    books_folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    only: Annotated[list[str] | None, typer.Option("--book", help="Only these books.")] = None,
) -> None:
    """Check every draft, and write training/questions and training/claims of each book."""
    faults = 0
    for folder in sorted(path for path in drafts_folder.iterdir() if path.is_dir()):
        if only and folder.name not in only:
            continue
        questions, claims, wrong = taken(folder, books.read(books_folder, folder.name))
        for fault in wrong:
            typer.echo(f"{folder.name}/{fault}", err=True)
        faults += len(wrong)
        if not wrong and questions:
            write(HOME / "questions" / f"{folder.name}.jsonl", questions)
            write(HOME / "claims" / f"{folder.name}.jsonl", claims)
            typer.echo(f"{folder.name}: {len(questions)} questions, {len(claims)} claims")
    sys.exit(1 if faults else 0)


def taken(folder: Path, book: Book) -> tuple[list[Line], list[Line], list[str]]:
    """Questions, claims, and what is wrong with the drafts; of equal lines the first counts."""
    questions: dict[str, Line] = {}
    claims: dict[str, Line] = {}
    wrong = []
    for place, draft in _drafts(folder):
        try:
            if "k" in draft:
                made = drafts.question(draft, book)
                questions.setdefault(made["id"], made)
            else:
                for claim in drafts.claims(draft, book):
                    claims.setdefault(claim["id"], claim)
        except DraftError as error:
            wrong.append(f"{place}: {error}")
    return list(questions.values()), list(claims.values()), wrong


def _drafts(folder: Path) -> Iterator[tuple[str, Line]]:
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if line.strip():
                yield f"{path.name}:{number}", json.loads(line)


if __name__ == "__main__":
    typer.run(main)
