"""Selected text: find it in the book, and keep of the book exactly what was selected (G5, S6)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from bookbound.model import Passage, Unit

SHINGLE = 3
"""Words in a row that must agree; all of them when the selection is shorter."""

FOUND_SHARE = 0.85
"""Share of the selection's word runs that the book must hold for the selection to be the book's."""

WHOLE_SHARE = 0.8
"""Share of a unit's word runs from which on it counts as selected whole."""

_WORD = re.compile(r"[^\W_]+")
_LIST_MARK = re.compile(r"^\s*(?:\d+[.)]|[-*•–])\s+", re.MULTILINE)


def locate(selected_text: str, passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """The passages cut down to the selection, in reading order; empty when it is not in the book (S6).

    Tolerates what a browser's selection loses: markup, list marks, line breaks, soft hyphens, ligatures.
    """
    words = _words(selected_text)
    size = min(SHINGLE, len(words))
    wanted = _shingles(words, size)
    page = _of_one_page(_most_selected_first(wanted, passages, size))
    held = {run for passage in page for run in _shingles(_words(_with_headings(passage)), size)}
    if not wanted or len(wanted & held) < FOUND_SHARE * len(wanted):
        return ()
    chosen = _selected_units(page, wanted, size)
    trimmed = (_trim(passage, chosen.get(passage.chunk_id, []), wanted, size) for passage in page)
    found = (passage for passage in trimmed if passage is not None)
    return tuple(sorted(found, key=lambda passage: passage.units[0].number))


def _most_selected_first(
    wanted: set[tuple[str, ...]], passages: Iterable[Passage], size: int
) -> list[Passage]:
    def shared(passage: Passage) -> int:
        return len(wanted & _shingles(_words(passage.text), size))

    return sorted(passages, key=lambda passage: (-shared(passage), str(passage.chunk_id)))


def _of_one_page(passages: Sequence[Passage]) -> list[Passage]:
    """Those of the first one's page: a selection is made on one page, words in common stand on many."""
    return [passage for passage in passages if passage.document == passages[0].document]


def _with_headings(passage: Passage) -> str:
    """The passage with each heading before its first unit, as a selection over a heading has it."""
    parts: list[str] = []
    section = -1
    for unit in passage.units:
        if unit.section != section:
            section = unit.section
            parts.append(passage.sections[section].title)
        parts.append(passage.unit_text(unit))
    return "\n".join(parts)


def _selected_units(
    page: Sequence[Passage], wanted: set[tuple[str, ...]], size: int
) -> dict[UUID, list[Unit]]:
    """The page's units that the selection spans, each once, by passage.

    Those that lie in it whole, and a neighbour whose adjoining part does: a selection is one stretch, and a
    few words in common with some other unit are chance. Without a whole one, the unit that shares most.
    """
    units = {unit.number: (passage, unit) for passage in reversed(page) for unit in passage.units}
    share = {
        number: _share(passage.unit_text(unit), wanted, size) for number, (passage, unit) in units.items()
    }
    whole = {number for number, part in share.items() if part >= WHOLE_SHARE}
    core = whole or {max(share, key=lambda number: share[number])}
    chosen: dict[UUID, list[Unit]] = {}
    for number in sorted(units):
        passage, unit = units[number]
        text = passage.unit_text(unit)
        part = _selected_part(text, wanted, size)
        begun_before = number - 1 in core and text.startswith(part)
        goes_on_after = number + 1 in core and text.endswith(part)
        if part and (number in core or begun_before or goes_on_after):
            chosen.setdefault(passage.chunk_id, []).append(unit)
    return chosen


def _share(text: str, wanted: set[tuple[str, ...]], size: int) -> float:
    words = [word for word, _, _ in _word_spans(text)]
    if 0 < len(words) < size:
        return 1.0 if any(_holds(run, words) for run in wanted) else 0.0
    runs = _shingles(words, size)
    return len(runs & wanted) / len(runs) if runs else 0.0


def _trim(passage: Passage, units: Sequence[Unit], wanted: set[tuple[str, ...]], size: int) -> Passage | None:
    """The passage with only the selected part of these units; None when there are none."""
    pieces = [(unit, _selected_part(passage.unit_text(unit), wanted, size)) for unit in units]
    return _rebuilt(passage, pieces) if pieces else None


def _selected_part(text: str, wanted: set[tuple[str, ...]], size: int) -> str:
    spans = list(_word_spans(text))
    words = [word for word, _, _ in spans]
    if 0 < len(words) < size:
        return text if any(_holds(run, words) for run in wanted) else ""
    hits = [index for index in range(len(words) - size + 1) if tuple(words[index : index + size]) in wanted]
    if not hits:
        return ""
    last = hits[-1] + size - 1
    start = 0 if hits[0] == 0 else spans[hits[0]][1]
    end = len(text) if last == len(words) - 1 else spans[last][2]
    return text[start:end]


def _holds(run: Sequence[str], words: Sequence[str]) -> bool:
    size = len(words)
    return any(list(run[at : at + size]) == list(words) for at in range(len(run) - size + 1))


def _rebuilt(passage: Passage, pieces: Sequence[tuple[Unit, str]]) -> Passage:
    text = ""
    units: list[Unit] = []
    for unit, piece in pieces:
        if units:
            text += " " if units[-1].block == unit.block else "\n"
        units.append(replace(unit, start=len(text), end=len(text) + len(piece)))
        text += piece
    return replace(passage, text=text, units=tuple(units))


def _word_spans(text: str) -> Iterable[tuple[str, int, int]]:
    mark = _LIST_MARK.match(text)
    for match in _WORD.finditer(text, mark.end() if mark else 0):
        yield unicodedata.normalize("NFKC", match.group()).casefold(), match.start(), match.end()


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", _LIST_MARK.sub("", text.replace("\u00ad", "")))
    return [match.group().casefold() for match in _WORD.finditer(plain)]


def _shingles(words: Sequence[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(words[index : index + size]) for index in range(len(words) - size + 1)} if size else set()
