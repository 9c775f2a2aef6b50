"""Selected text: find it in the book, and keep of the book exactly what was selected (G5, S6)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple
from uuid import UUID

from bookbound.evidence.injection import orders_of
from bookbound.model import Passage, Section, Unit, UnitKind

SHINGLE = 3
"""Words in a row that must agree; all of them when the selection is shorter."""

FOUND_SHARE = 0.85
"""Share of the selection's words that the book must hold for the selection to be the book's."""

FOREIGN_LINE = 4
"""Words in a row on one line that the book may lack: a site adds labels and numbers, no sentences."""

TAMPERED = 2
"""Words that it counts as, where the page's own words are left out, replaced or parted within a unit."""

SHORT = 5
"""Words of a selection that is searched for verbatim, because its first and last may have been cut."""

_INVISIBLE = "\u00ad\u200b-\u200d\u2060\ufeff"
_LIST_MARK = r"^\s*(?:\d{1,3}[.)]|[-*•–])\s+"
_WORD = re.compile(rf"{_LIST_MARK}|((?:[^\W_][\u0300-\u036f{_INVISIBLE}]*)+)", re.MULTILINE)
_UNSEEN = re.compile(f"[{_INVISIBLE}]")
_ADDED = re.compile(
    r"^[^\S\n]*(?:\d+(?=[^\S\n])|(?:note|tip|info|warning|danger|caution|important|copy|copied)[^\S\n]*$)"
    r"|(?<!\S)\d{1,3}\.(?=\s|$)",
    re.MULTILINE | re.IGNORECASE,
)
"""Text that may not be of the book: numbers of code lines and, within a line, of list items;
titles of admonitions and buttons, which stand alone on their line."""

Place = tuple[Passage, Unit]


class _Word(NamedTuple):
    """A normalised word; `line` is the number of the line or piece that it stands in, at `start`–`end`."""

    text: str
    line: int
    start: int
    end: int


class _Run(NamedTuple):
    """`length` words in a row that page and selection have in common, from these words on."""

    page: int
    selected: int
    length: int

    @property
    def end(self) -> _Run:
        """Point where both go on."""
        return _Run(self.page + self.length, self.selected + self.length, 0)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A unit of a page, with every passage that holds it; or a heading, in the place of the unit below it."""

    text: str
    places: tuple[Place, ...]
    is_heading: bool = False
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as far as it is known, in reading order; a word's `line` is the number of its piece."""

    pieces: Sequence[_Piece]
    words: Sequence[_Word]


def locate(selected_text: str, passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """The passages cut down to the selection, in reading order; empty when it is not in the book (S6).

    A selection is one stretch of one page, less what the page hides. Tolerates what a browser loses or adds:
    markup, list marks, line breaks, invisible characters, ligatures, line numbers, the site's own labels. A
    word that was cut at either end is kept whole; so is an order, a part of which might look like a statement
    (R10). A heading is kept only when nothing else was selected.
    """
    pages = list(_pages(passages))
    for text in dict.fromkeys((selected_text, _ADDED.sub("", selected_text))):
        words = _words(text.splitlines())
        for page in _nearest_first(words, pages):
            runs = _runs(words, page.words)
            if _is_the_books(runs, words, page.words):
                return tuple(_kept(runs, page))
    return ()


# --- pages ----------------------------------------------------------------------------------------


def _pages(passages: Iterable[Passage]) -> Iterator[_Page]:
    in_order = sorted(passages, key=lambda passage: (passage.page, passage.document, passage.chunk_index))
    for _, of_page in groupby(in_order, key=lambda passage: passage.document):
        pieces = list(_with_headings(_pieces(of_page)))
        yield _Page(pieces, _words(piece.text for piece in pieces))


def _pieces(passages: Iterable[Passage]) -> list[_Piece]:
    """A page's pieces, each once, however many passages hold it."""
    held: dict[tuple[int, str], list[Place]] = {}
    for passage in passages:
        for unit in passage.units:
            held.setdefault((unit.number, passage.unit_text(unit)), []).append((passage, unit))
    pieces = [
        _Piece(text, tuple(places), is_order=any(unit in orders_of(holder) for holder, unit in places))
        for (_, text), places in held.items()
    ]
    # A table's rows are numbered after all prose; its block stands where a reader meets it.
    return sorted(pieces, key=lambda piece: (piece.places[0][1].block, piece.places[0][1].number))


def _with_headings(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """With the headings that a reader passes, each before the first piece below it."""
    above = Section("", (), None)
    for piece in pieces:
        passage, unit = piece.places[0]
        section = passage.sections[unit.section]
        if section != above:
            places = tuple((it, replace(at, kind=UnitKind.SENTENCE, images=())) for it, at in piece.places)
            yield from (_Piece(title, places, is_heading=True) for title in _entered(above, section))
        above = section
        yield piece


def _entered(above: Section, section: Section) -> Sequence[str]:
    """Return the headings between the texts of two sections, at least those of the second one."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(above.path, section.path, strict=False))
    return section.path[min(len(list(same)), len(section.path) - 1) :]


def _nearest_first(words: Sequence[_Word], pages: Iterable[_Page]) -> list[_Page]:
    """The pages that may hold the selection; any may when it is short, for its words may be cut."""
    size = min(SHINGLE, len(words))
    wanted = set(_shingles(words, size))
    shared = ((len(wanted.intersection(_shingles(page.words, size))), page) for page in pages)
    likely = [entry for entry in shared if 2 * entry[0] >= len(wanted) or len(words) <= SHORT]
    return [page for _, page in sorted(likely, key=lambda entry: -entry[0])]


# --- alignment ------------------------------------------------------------------------------------


def _runs(words: Sequence[_Word], page: Sequence[_Word]) -> list[_Run]:
    """Return what both have in common, in the order of both, no word twice."""
    size = min(SHINGLE, len(words))
    if len(words) <= SHORT:
        words = _in_full(words, page)
    matcher = SequenceMatcher(None, _shingles(page, size), _shingles(words, size), autojunk=False)
    runs: list[_Run] = []
    end = _Run(0, 0, 0)
    for block in matcher.get_matching_blocks()[:-1]:
        # Neighbouring blocks of shingles may share words.
        shift = max(0, end.page - block.a, end.selected - block.b)
        if block.size + size - 1 > shift:
            runs.append(_Run(block.a + shift, block.b + shift, block.size + size - 1 - shift))
            end = runs[-1].end
    return _with_cut_words(runs, words, page)


def _in_full(words: Sequence[_Word], page: Sequence[_Word]) -> list[_Word]:
    """A few words as the page has them, though the first and the last may lack their other half."""
    texts = [word.text for word in words]
    found = [
        stretch
        for stretch in _shingles(page, len(texts))
        if stretch[0].endswith(texts[0])
        and stretch[-1].startswith(texts[-1])
        and list(stretch[1:-1]) == texts[1:-1]
    ]
    full = texts if not found or tuple(texts) in found else found[0]
    return [word._replace(text=text) for word, text in zip(words, full, strict=True)]


def _with_cut_words(runs: list[_Run], words: Sequence[_Word], page: Sequence[_Word]) -> list[_Run]:
    """The runs, longer by the first and the last word of the selection where these were cut."""
    if not runs:
        return runs
    first = runs[0]
    if first.selected == 1 and first.page and page[first.page - 1].text.endswith(words[0].text):
        runs = [_Run(first.page - 1, 0, first.length + 1), *runs[1:]]
    last, end = runs[-1], runs[-1].end
    left_over = [word.text for word in words[end.selected :]]
    if len(left_over) == 1 and end.page < len(page) and page[end.page].text.startswith(left_over[0]):
        runs = [*runs[:-1], last._replace(length=last.length + 1)]
    return runs


def _is_the_books(runs: Sequence[_Run], words: Sequence[_Word], page: Sequence[_Word]) -> bool:
    """Return whether almost nothing was added, and nothing changed (S6)."""
    if not runs:
        return False
    foreign = sum(
        TAMPERED for before, after in pairwise(runs) if not _is_fair(before.end.page, after.page, page)
    )
    ends = (_Run(0, 0, 0), *runs, _Run(len(page), len(words), 0))
    for before, after in pairwise(ends):
        added = words[before.end.selected : after.selected]
        by_line = Counter(word.line for word in added)
        if max(by_line.values(), default=0) > FOREIGN_LINE:
            return False
        foreign += len(added)
    return foreign <= (1 - FOUND_SHARE) * len(words)


def _is_fair(start: int, end: int, page: Sequence[_Word]) -> bool:
    """Return whether the page is split between whole pieces: it may hide some, or put labels there."""
    return page[start - 1].line != page[start].line and page[end - 1].line != page[end].line


# --- what is kept ---------------------------------------------------------------------------------


def _kept(runs: Sequence[_Run], page: _Page) -> Iterator[Passage]:
    """Each piece in the passage that holds most of the selection, so that neighbours stay together."""
    parts = [(page.pieces[number], text) for number, text in _uncut(_parts(runs, page), page.pieces)]
    parts = [part for part in parts if not part[0].is_heading] or parts
    shares = Counter(passage.chunk_id for piece, _ in parts for passage, _ in piece.places)
    held: dict[UUID, list[tuple[Place, str]]] = {}
    for piece, text in parts:
        place = max(piece.places, key=lambda place: shares[place[0].chunk_id])
        held.setdefault(place[0].chunk_id, []).append((place, text))
    for entries in held.values():
        yield _rebuilt(entries[0][0][0], [(unit, text) for (_, unit), text in entries])


def _parts(runs: Iterable[_Run], page: _Page) -> Iterator[tuple[int, str]]:
    """The numbers of the pieces that the selection touches, and from its first to its last word of each."""
    places = (at for run in runs for at in range(run.page, run.end.page))
    for number, group in groupby(places, key=lambda at: page.words[at].line):
        touched = list(group)
        text = page.pieces[number].text
        first, last = page.words[touched[0]], page.words[touched[-1]]
        begins = touched[0] == 0 or page.words[touched[0] - 1].line != number
        ends = touched[-1] + 1 == len(page.words) or page.words[touched[-1] + 1].line != number
        yield number, text[0 if begins else first.start : len(text) if ends else last.end]


def _uncut(parts: Iterable[tuple[int, str]], pieces: Sequence[_Piece]) -> list[tuple[int, str]]:
    """The parts, and for a part of an order all pieces in a row that are one."""
    kept: dict[int, str] = {}
    for number, text in parts:
        sides = range(number, -1, -1), range(number, len(pieces))
        whole = (at for side in sides for at in takewhile(lambda at: pieces[at].is_order, side))
        kept |= {number: text} | {at: pieces[at].text for at in whole}
    return sorted(kept.items())


def _rebuilt(passage: Passage, parts: Iterable[tuple[Unit, str]]) -> Passage:
    text = ""
    units: list[Unit] = []
    for unit, part in parts:
        if units:
            paragraph = units[-1].kind is unit.kind is UnitKind.SENTENCE and units[-1].block == unit.block
            text += " " if paragraph else "\n"
        units.append(replace(unit, start=len(text), end=len(text) + len(part)))
        text += part
    return replace(passage, text=text, units=tuple(units))


# --- words ----------------------------------------------------------------------------------------


def _words(lines: Iterable[str]) -> list[_Word]:
    """The words of some lines, without list marks, as they compare."""
    return [
        _Word(_plain(match[1]), number, match.start(), match.end())
        for number, line in enumerate(lines)
        for match in _WORD.finditer(line)
        if match[1]
    ]


def _plain(word: str) -> str:
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", word)).casefold()


def _shingles(words: Sequence[_Word], size: int) -> list[tuple[str, ...]]:
    texts = [word.text for word in words]
    return list(zip(*(texts[at:] for at in range(size)), strict=False))
