"""Pairs of a true claim and a false one: `python -m training.pairs cut BOOKS DRAFTS`, then `take`.

`cut` draws passages of books, lays them out for authors (DRAFTS/01.txt, …), and suggests kinds. Authors write
DRAFTS/01.jsonl by the guide, `{"p": passage, "kind": …, "true": …, "false": …}` per line. `take` checks it
all, and writes training/pairs; a line that is wrong is named, and nothing is written then.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from typing import Annotated

import typer

from bookbound.evaluation.literal import readable
from training import books as open_books
from training import lines as written
from training.authors import BooksFolder, Drafts, lay_out, taken
from training.drafts import CLAIM_WORDS, COPIED_BY_A_CLAIM, FALSE_CLAIMS, shared_run
from training.lines import Line
from training.pointers import Book, Pointer, digest, resolve

SEED = 11

LEAST, MOST = 380, 1_500
"""Characters of a passage."""

JOINED = 1_000
"""Paragraphs are joined to passages of so many characters at most."""

LEAST_WORDS = 65

SUGGESTED = 3
"""Kinds that are suggested for a passage."""

LIKELY = {"roles": 6, "order": 6, "noun": 5, "modifier": 4, "count": 4, "name": 4, "negation": 3}
"""How often a kind is suggested; 2 for every other: the hardest ones are written most."""

STYLES = ("close", "free", "free", "joined", "asked")

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
_NO_PROSE = ("#", "|", "!", "<", ":::", "import ", "export ", "{/*", "---", "===", "[!", "> [!", "$$", "\\")

app = typer.Typer(help=__doc__, no_args_is_help=True)


@app.command()
def cut(
    folder: BooksFolder,
    drafts: Drafts,
    only: Annotated[
        list[str] | None, typer.Option("--book", help="These books; default: all that train.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="Passages of a book.")] = 420,
    size: Annotated[int, typer.Option(min=1, help="Passages for an author.")] = 210,
) -> None:
    """Draw passages and lay them out for authors."""
    drawn = random.Random(SEED)
    names = only or [name for name in written.books() if name not in written.JUDGING]
    texts = {name: open_books.read(folder, name) for name in names}
    found: list[Line] = []
    for name, text in texts.items():
        of_book = [*passages(name, text)]
        found += drawn.sample(of_book, min(most, len(of_book)))
    drawn.shuffle(found)
    lay_out(drafts, found, size, lambda at, one: _laid_out(at, one, texts[one["book"]], drawn))


def passages(name: str, book: Book) -> Iterator[Line]:
    """The prose of a book in runs of paragraphs, as pointers with the book's name; no code, no tables."""
    for file, text in book.items():
        if file.endswith(".csv"):
            continue
        for start, end in _runs(text):
            run = text[start:end].rstrip()
            if _is_prose(run):
                yield {"book": name} | asdict(Pointer(file, start, len(run), digest(run)))


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs that follow each other, joined to JOINED characters; what is no prose parts them."""
    joined: tuple[int, int] | None = None
    for block in _blocks(text):
        if block and joined and block[1] - joined[0] <= JOINED:
            joined = joined[0], block[1]
            continue
        if joined:
            yield joined
        joined = block
    if joined:
        yield joined


def _blocks(text: str) -> Iterator[tuple[int, int] | None]:
    """Paragraphs as ranges, and None where code, a heading, a table or a mark stands between them."""
    found = _FRONT_MATTER.match(text)
    place = found.end() if found else 0
    fence, start = "", -1
    for line in text[place:].splitlines(keepends=True):
        fenced = _FENCE.match(line)
        stops = fenced or fence or not line.strip() or line.lstrip().startswith(_NO_PROSE)
        if stops and start >= 0:
            yield start, place
            start = -1
        if fenced:
            fence = "" if fence == fenced[1] else fence or fenced[1]
        if stops and line.strip():
            yield None
        if not stops and start < 0:
            start = place
        place += len(line)
    if start >= 0:
        yield start, place


def _is_prose(run: str) -> bool:
    """Long enough, and neither formulas nor links nor code for the most part."""
    shown = " ".join(readable(run).split())
    letters = sum(mark.isalpha() or mark == " " for mark in shown)
    few = run.count("$") <= 6 and run.count("`") <= 16 and run.count("http") <= 2
    return (
        LEAST <= len(run) <= MOST
        and len(shown.split()) >= LEAST_WORDS
        and few
        and letters >= 0.9 * len(shown)
    )


def _laid_out(at: int, passage: Line, book: Book, drawn: random.Random) -> str:
    """A passage as an author sees it: number, book, suggested kinds and styles, text."""
    kinds: list[str] = []
    while len(kinds) < SUGGESTED:
        [kind] = drawn.choices(FALSE_CLAIMS, [LIKELY.get(one, 2) for one in FALSE_CLAIMS])
        kinds += [kind] if kind not in kinds else []
    suggested = ", ".join(f"{kind}/{drawn.choice(STYLES)}" for kind in kinds)
    text = re.sub(r"\n\s*\n+", "\n", readable(resolve(book, _pointer(passage))).strip())
    return f"=== {at} | {passage['book']} | {suggested}\n{text}\n"


@app.command()
def take(folder: BooksFolder, drafts: Drafts) -> None:
    """Check the authors' pairs and write training/pairs; of the same pair one is kept."""
    read = cache(lambda name: open_books.read(folder, name))
    found: dict[str, dict[str, Line]] = {}
    for name, made in taken(drafts, lambda draft, passage: _pair_of(draft, passage, read)):
        found.setdefault(name, {})[made["id"]] = made
    for name, of_book in found.items():
        written.write(written.pairs_file(name), [*of_book.values()])
        typer.echo(f"{name}: {len(of_book)} pairs")


def _pair_of(draft: Line, passage: Line, read: Callable[[str], Book]) -> tuple[str, Line]:
    """The name of the book, and a pair about its passage."""
    return passage["book"], pair(draft, _pointer(passage), read(passage["book"]))


def pair(draft: Line, place: Pointer, book: Book) -> Line:
    """A pair with its pointer. Raises ValueError, KeyError, PointerError."""
    true, false = checked(draft, resolve(book, place))
    return {
        "id": digest(true + false + place.sha256)[:10],
        "true": true,
        "false": false,
        "kind": draft["kind"],
        "evidence": [asdict(place)],
    }


def checked(draft: Line, passage: str) -> tuple[str, str]:
    """An author's two claims. Raises ValueError where they are no pair, KeyError."""
    true, false = (" ".join(draft[label].split()) for label in ("true", "false"))
    if draft["kind"] not in FALSE_CLAIMS:
        raise ValueError(f"no kind of claim {draft['kind']!r}")
    if true == false:
        raise ValueError(f"true and false are the same: {true}")
    for claim in (true, false):
        if len(claim.split()) not in CLAIM_WORDS:
            raise ValueError(f"{len(claim.split())} words, where a claim has 8 to 30 or a few more: {claim}")
        if (run := shared_run(claim, passage)) >= COPIED_BY_A_CLAIM:
            raise ValueError(f"{run} words in a row stand in the book: {claim}")
    return true, false


def _pointer(passage: Line) -> Pointer:
    return Pointer(**{name: one for name, one in passage.items() if name != "book"})


if __name__ == "__main__":
    app()
