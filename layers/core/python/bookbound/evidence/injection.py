"""Sentences of a book that give orders to the answerer: no evidence for anything (R10). Pure.

A textbook gives orders too, to its reader, about its subject. The others are detected by their form: they
speak of instructions that were given before, give the answerer a role, demand how a reply begins, or put
words in its mouth. Only the book is read so, never a reader's question (V4).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress, takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from bookbound.evidence.injection_patterns import MENTIONED, STATED, has_form_of_order
from bookbound.model import Evidence, Passage, Section, Unit, UnitKind
from bookbound.source.pages import Page

LEFT_OUT = "…"
"""Stands for each character of an order where only evidence is read, so that offsets hold."""

WORDS_TOLD = 8
"""Words of an order that a warning shows."""

_SHOWN = (UnitKind.CODE, UnitKind.ROW)
"""Kinds of text that a book shows, and says nothing with."""

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_DOUBLE = re.compile("[“”„‟«»＂]")
_SINGLE = re.compile("[‘’‚‛]")
_QUOTATION = re.compile(r"\"([^\"]*)(?:\"|$)|(?<![\w'])'([^']{2,})(?:'(?!\w)|$)")
_APART = re.compile(r"\n| \| ")
_MARKS = re.compile(r"^(?:[\s#>*•|/–-]|<!--|\d{1,3}[.)](?=\s))+")
_STATEMENT = re.compile(
    r"(?:yes, |no, )?(?:(?i:the|an?|it|its|this|that|these|those|there|he|she|they|we|I|my|our|your|all"
    r"|every|each|most"
    r"|some|both)\b(?:\W+\w+){2}|[\w-]+(?: [A-Z0-9][\w-]*){0,3} (?i:is|are|was|were|has|have|had|can|cannot"
    r"|will|must"
    r"|may|does|do|did|[a-z]{3,}s)\b\W*\w)"
)
_ABOUT_PROMPTS = re.compile(
    r"\b(?:prompts?|prompting|prompt injections?|language models?|LLMs?|chat ?bots?|jailbreaks?|chat"
    r" templates?"
    r"|system messages?)\b",
    re.IGNORECASE,
)


# --- one text -------------------------------------------------------------------------------------


@lru_cache(maxsize=16_384)
def is_order(text: str) -> bool:
    """Return whether a unit of book text orders the answerer; each line and each cell is read alone.

    A sentence that tells what others say or write gives no order. A line that is only a quotation does what
    its words do.
    """
    return any(map(_gives_order, _APART.split(_plain(text))))


@lru_cache(maxsize=16_384)
def reports_order(text: str) -> bool:
    """Return whether the text is no order but quotes one: the book's voice, the quote tells nothing."""
    return any(is_order(inner) for inner in _quotations(_plain(text)))


def _gives_order(line: str) -> bool:
    line = _MARKS.sub("", line)
    masked = _QUOTATION.sub(lambda found: STATED if _STATEMENT.match(_inner(found)) else MENTIONED, line)
    if masked.strip(" .!?,;:-") in (STATED, MENTIONED):
        return any(map(_gives_order, _quotations(line)))
    return has_form_of_order(masked)


def _quotations(line: str) -> list[str]:
    return [inner for found in _QUOTATION.finditer(line) if (inner := _inner(found))]


def _inner(found: re.Match[str]) -> str:
    return (found[1] or found[2] or "").strip()


def _plain(text: str) -> str:
    """Return the text as compared: no invisible characters, compatible ones alike, straight quotes."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    straight = _SINGLE.sub("'", _DOUBLE.sub('"', visible))
    return "\n".join(" ".join(line.split()) for line in straight.split("\n"))


# --- texts in a row -------------------------------------------------------------------------------


class Line(NamedTuple):
    """A unit of text among others; `above` is what stands over it: headings, a table's caption and header."""

    text: str
    kind: UnitKind
    block: int
    above: str


def orders(lines: Sequence[Line]) -> frozenset[int]:
    """Return which of some units in reading order are orders, with what an order may announce.

    That is the rest of its paragraph, and where this ends in a colon, the list or other text that comes next.
    Code and table rows next to words on prompts or language models are examples, and no orders.
    """
    found: set[int] = set()
    for at, line in enumerate(lines):
        if at not in found and is_order(line.text) and not _is_example(lines, at):
            found.update(_announced(lines, at))
    return frozenset(found)


def _announced(lines: Sequence[Line], at: int) -> range:
    """The order itself and what it may announce."""
    last = at
    if lines[at].kind is UnitKind.SENTENCE:
        last = _end(lines, at, lambda line: line.kind is UnitKind.SENTENCE and line.block == lines[at].block)
    if lines[last].text.rstrip().endswith(":") and last + 1 < len(lines):
        block = lines[last + 1].block
        last = _end(lines, last + 1, lambda line: line.block == block)
    return range(at, last + 1)


def _end(lines: Sequence[Line], first: int, belongs: Callable[[Line], bool]) -> int:
    """The last of the lines in a row from `first` on that belong to it."""
    return first + sum(1 for _ in takewhile(belongs, lines[first + 1 :]))


def _is_example(lines: Sequence[Line], at: int) -> bool:
    if lines[at].kind not in _SHOWN:
        return False
    beside = (
        next((line.text for line in side if line.kind not in _SHOWN), "")
        for side in (reversed(lines[:at]), lines[at + 1 :])
    )
    return any(_ABOUT_PROMPTS.search(text) and not is_order(text) for text in (lines[at].above, *beside))


# --- passages -------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def orders_of(passage: Passage) -> frozenset[Unit]:
    """The units of a passage that are orders, or announced by one."""
    return frozenset(passage.units[at] for at in orders(_lines(passage)))


def fair(evidence: Evidence) -> Evidence:
    """The evidence without the orders in it, under the same ids; a passage of nothing else has no unit."""
    exhibits = tuple(
        replace(exhibit, candidate=replace(exhibit.candidate, passage=without_orders(exhibit.passage)))
        for exhibit in evidence.exhibits
    )
    return replace(evidence, exhibits=exhibits)


@lru_cache(maxsize=1024)
def without_orders(passage: Passage) -> Passage:
    """The passage with its evidence alone: orders are no units of it, and LEFT_OUT stands in their place.

    Nor is an order shown as a heading, where the one above stands for it, or as the words of a picture.
    """
    found = orders_of(passage)
    return replace(
        passage,
        text=_blanked(passage.text, found),
        sections=tuple(_fair_section(section, passage.document) for section in passage.sections),
        units=tuple(_fair_unit(unit) for unit in passage.units if unit not in found),
    )


@lru_cache(maxsize=1024)
def asserted(passage: Passage) -> str:
    """Return what a passage without orders says: its text without orders that it shows or quotes."""
    told = [not asserts(passage, at) for at in range(len(passage.units))]
    return _blanked(passage.text, compress(passage.units, told))


def asserts(passage: Passage, unit: int) -> bool:
    """Return whether a passage says a unit itself, and does not show or quote an order by it."""
    text = passage.unit_text(passage.units[unit])
    return not (is_order(text) or reports_order(text))


def _lines(passage: Passage) -> list[Line]:
    first_row, _ = passage.table_rows or (0, 0)
    head = " ".join(passage.unit_text(unit) for unit in passage.units if unit.number < first_row)
    above = [f"{' > '.join(section.path)} {head}" for section in passage.sections]
    return [
        Line(passage.unit_text(unit), unit.kind, unit.block, above[unit.section]) for unit in passage.units
    ]


def _blanked(text: str, units: Iterable[Unit]) -> str:
    for unit in units:
        text = text[: unit.start] + LEFT_OUT * (unit.end - unit.start) + text[unit.end :]
    return text


def _fair_section(section: Section, document: str) -> Section:
    path = tuple(title for title in section.path if not is_order(title))
    if path == section.path:
        return section
    title = path[-1] if path else PurePosixPath(document).name
    return Section(title, path or (title,), None if is_order(section.title) else section.anchor)


def _fair_unit(unit: Unit) -> Unit:
    images = tuple(replace(image, alt="") if is_order(image.alt) else image for image in unit.images)
    return replace(unit, images=images) if images != unit.images else unit


# --- pages ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Order:
    """An order in a page, as reported to the author: page, heading above it, first words."""

    path: str
    section: str
    words: str

    def __str__(self) -> str:
        return (
            f"{self.path}, under {self.section!r}: {self.words!r} reads as an order to whoever answers, "
            "so no answer is made from it"
        )


def orders_in(page: Page) -> tuple[Order, ...]:
    """The orders in a page's text, tables, headings and pictures, each once."""
    lines = [*_piece_lines(page), *_table_lines(page)]
    found = orders([line for _, line in lines])
    told = [(section, line.text) for at, (section, line) in enumerate(lines) if at in found]
    told += [(at, section.title) for at, section in enumerate(page.sections) if is_order(section.title)]
    told += [
        (piece.section, image.alt) for piece in page.pieces for image in piece.images if is_order(image.alt)
    ]
    return tuple(
        dict.fromkeys(Order(page.document, page.sections[at].title, _first_words(text)) for at, text in told)
    )


def _piece_lines(page: Page) -> Iterator[tuple[int, Line]]:
    for piece in page.pieces:
        above = " > ".join(page.sections[piece.section].path)
        yield piece.section, Line(piece.text, piece.kind, piece.block, above)


def _table_lines(page: Page) -> Iterator[tuple[int, Line]]:
    for table in page.tables:
        above = " ".join((*page.sections[table.section].path, table.caption or "", *table.header))
        yield table.section, Line(table.caption or "", UnitKind.SENTENCE, table.block, above)
        for cells in (table.header, *table.rows):
            yield table.section, Line(" | ".join(cells), UnitKind.ROW, table.block, above)


def _first_words(text: str) -> str:
    words = text.split()
    return " ".join(words[:WORDS_TOLD]) + (f" {LEFT_OUT}" if len(words) > WORDS_TOLD else "")
