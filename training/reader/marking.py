"""Which units of a window are evidence: those that share text with a quote from the book's Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from bookbound.evaluation.literal import readable
from bookbound.model import Window
from training.lines import Line
from training.reader.corpus import read_of

Marked = tuple[str, list[str], list[int]]
"""What is read: what stands above, the units' texts, and 1 for each unit that is evidence."""

LEAST, PART = 12, 0.4
"""A run that a unit shares with a quote counts from so many characters, and this part of the shorter one."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A quote's letters and digits in small letters, and the filled cells of the table's rows that it has.

    A row is read with the header's names between its cells ("Item: Wagon | Cost: 35 gp"), so it shares no
    long run with the quote: there, cell is laid over cell.
    """

    text: str
    rows: tuple[tuple[str, ...], ...]

    def share(self, unit: str) -> float:
        """Which part of the quote a unit holds, 0 to 1; 0 if it is no evidence."""
        cells = [_values(cell) for cell in unit.split(" | ")]
        held = max((_size(row) for row in self.rows if _is_row(cells, row)), default=0)
        if held:
            return held / sum(map(_size, self.rows))
        return _run(squeezed(unit), self.text) / max(1, len(self.text))


def may_hold(window: Window, quotes: Iterable[Line]) -> bool:
    """Whether a quote is from the window's document."""
    return any(one["file"] == window.passage.document for one in quotes)


def marked(window: Window, quotes: Sequence[Line]) -> tuple[list[Marked], float]:
    """What is read of a window with the units that are evidence, and the share of the best-held quote."""
    here = [_quote(one["quote"]) for one in quotes if one["file"] == window.passage.document]
    read = []
    held = dict.fromkeys(here, 0.0)
    for above, texts in read_of(window):
        labels = []
        for text in texts:
            shares = {quote: quote.share(text) for quote in here}
            labels.append(int(any(shares.values())))
            for quote, share in shares.items():
                held[quote] += share
        read.append((above, texts, labels))
    return read, min(1.0, max(held.values(), default=0.0))


def is_evidence(text: str, quotes: Iterable[Line]) -> bool:
    """Whether a sentence holds a part of a quote."""
    return any(_quote(one["quote"]).share(text) for one in quotes)


def _quote(quote: str) -> _Quote:
    return _Quote(squeezed(readable(quote)), tuple(_rows(quote)))


def _rows(quote: str) -> Iterator[tuple[str, ...]]:
    """The rows with two filled cells or more; what stands above a table's rule is its header."""
    lines = quote.split("\n")
    rules = [at for at, line in enumerate(lines) if "-" in line and "|" in line and not squeezed(line)]
    for line in lines[rules[-1] + 1 if rules else 0 :]:
        cells = tuple(filter(None, (squeezed(readable(cell)) for cell in line.split("|"))))
        if len(cells) > 1:
            yield cells


def _is_row(cells: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """Whether all cells of a quoted row are among a unit's."""
    return all(any(one in values for values in cells) for one in row)


def _values(cell: str) -> list[str]:
    """What a read cell may say, with and without the name of its column."""
    parts = cell.split(": ")
    return [squeezed(": ".join(parts[at:])) for at in range(len(parts))]


def _size(row: Sequence[str]) -> int:
    return sum(map(len, row))


def _run(unit: str, quote: str) -> int:
    if not unit or not quote:
        return 0
    if unit in quote or quote in unit:
        return min(len(unit), len(quote))
    same = SequenceMatcher(None, unit, quote, autojunk=False).find_longest_match()
    return same.size if same.size >= max(LEAST, PART * min(len(unit), len(quote))) else 0


def squeezed(text: str) -> str:
    """A text's letters and digits alone, in small letters."""
    return "".join(character for character in text.casefold() if character.isalnum())
