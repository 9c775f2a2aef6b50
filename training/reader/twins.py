"""Twins of questions: one that a passage answers, and one of the same mould that it leaves open (G9).

What both have in common cancels out, as with pairs of claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bookbound.claims.reading import units
from bookbound.evidence.windowing import ROWS, named_cells
from training import lines as written
from training.lines import Line
from training.reader.claims import Example, example, passages_of
from training.reader.examples import TABLES
from training.reader.table_examples import Asked
from training.windows import read_at


def examples(books: Path, reading: Path, lines: Sequence[Line]) -> list[Example]:
    """Both questions of each pair of twins, the answered one first, with their passage or window."""
    of_rows = passages_of(reading, [line for line in lines if "row" in line])
    found: list[Example] = []
    for line in lines:
        if "row" in line:
            read: tuple[str, Sequence[str]] = "", units(of_rows[line["file"], line["row"]])
        else:
            read = read_at(books, line["book"], written.pointer(line["evidence"][0]))
        found += _both(line, *read)
    return found


def _both(line: Line, above: str, texts: Sequence[str]) -> Iterator[Example]:
    group = {"group": line.get("book") or line["file"]}
    for label, side in ((1, "answered"), (0, "near")):
        yield example(line[side], above, texts, label, line["kind"]) | group


# --- tables ---------------------------------------------------------------------------------------


def of_tables(asked: Sequence[Asked]) -> list[Example]:
    """Pairs of questions to one table: one that a window of its rows answers, one that the table leaves open.

    The open one is read with its own rows where they lie in one window, else with the other's. Extremes are
    left out, and what ranges over more rows: a window does not tell them.
    """
    of_table: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        of_table[one.key].append(one)
    found: list[Example] = []
    for some in of_table.values():
        told = [one for one in some if not one.lacks and one.extreme in (None, "none") and _window(one)]
        for at, near in enumerate(one for one in some if one.lacks and told):
            same_rows = [one for one in told if _window(one) == _window(near)] or told
            answered = same_rows[at % len(same_rows)]
            kind, window = near.lacks or "", _window(near) or _window(answered)
            found += [_of_rows(answered, _window(answered), 1, kind), _of_rows(near, window, 0, kind)]
    return found


def _window(asked: Asked) -> range:
    """The rows that are read as one and that a question is about; empty where they are none or too many."""
    windows = {row // ROWS for row in asked.rows}
    if len(windows) != 1:
        return range(0)
    (at,) = windows
    return range(at * ROWS, min(len(asked.cells), (at + 1) * ROWS))


def _of_rows(asked: Asked, rows: range, label: int, kind: str) -> Example:
    """As the ladder reads rows (`evidence/reading.py`): each cell with its column's name."""
    header = " | ".join(asked.header)
    texts = [" | ".join(named_cells(" | ".join(asked.cells[row]), header)) for row in rows]
    return example(asked.question, asked.name, texts, label, kind) | {"group": TABLES}
