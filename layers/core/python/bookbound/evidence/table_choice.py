"""Does a table answer, or what the reader found in the text? A fitted choice (T1, G9).

The reader tells which column and which rows of a table are asked for, whether they are there, and whether
an extreme of them is (`table_reading`). A question to the text has a likely table too, so it counts as well
what the reader makes of these rows as of any other text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from bookbound.evidence.book_tables import BookTable, TableRow
from bookbound.evidence.table_reading import TableRead
from bookbound.evidence.windowing import named_cells
from bookbound.model import Excerpt, Reading
from bookbound.question.inquiry import Inquiry
from bookbound.text.scoring import FittedOn, Lexicon, logistic
from bookbound.text.terms import content_stems

FEATURES = ("held", "row", "words", "alone", "best", "end")
"""See `weighed`."""

MOST_ROWS = 20
"""Rows that an answer shows."""

EVERYWHERE = 0.2
"""Share of a book's windows from which a word says nothing about a table: the robot's name, the subject's."""

EMPTY = frozenset({"", "-", "–", "—", "n/a", "?"})

_COUNTS = re.compile(r"\bhow\s+many\b|\b(?:the|total)\s+number\s+of\b|\bcount\b", re.IGNORECASE)

NEARLY = 2.0
"""Logit that a row may lack to be shown with the one that is likeliest meant; from 0 on any row is."""

NEARLY_OF_MANY = 3.0
"""The same where more rows than are shown are from 0 on."""

READ_ALONE = 4
"""Rows offered, from the first, that are read by themselves."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The rows of a table that a question would be answered with, by their places there.

    Attributes:
        features: what speaks for it, FEATURES by name; none before it is weighed.
    """

    read: TableRead
    places: tuple[int, ...]
    features: dict[str, float] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """Rows in the table's order."""
        return tuple(self.read.table.rows[at] for at in self.places)

    @property
    def excerpt(self) -> Excerpt:
        """The first rows alone, as the reader reads a table's rows."""
        table, some = self.read.table, self.rows[:READ_ALONE]
        header = " | ".join(table.header)
        texts = (" | ".join(named_cells(" | ".join(row.cells), header)) for row in some)
        return Excerpt(some[0].passage, table.name, tuple(row.unit for row in some), tuple(texts))


@dataclass(frozen=True, slots=True)
class TableChoice:
    """The probability that a table answers: a logistic regression over FEATURES."""

    weights: dict[str, float]
    intercept: float
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""

    def score(self, features: Mapping[str, float]) -> float:
        """The probability, in (0, 1), that rows offered with these FEATURES answer."""
        return logistic(self.intercept + sum(self.weights[name] * features[name] for name in FEATURES))

    def choose(self, offered: Offer | None, bar: float) -> Offer | None:
        """An offer that has been weighed; None where there is none, or it is less likely than `bar`."""
        return offered if offered and self.score(offered.features) >= bar else None


def nearest_table(found: Sequence[BookTable]) -> BookTable | None:
    """Return the first table that the search found, of those that have columns to choose among."""
    return next((table for table in found if len(table.header) > 1), None)


def table_of(best: Reading, found: Sequence[BookTable]) -> BookTable | None:
    """Return the table of which the unit that belongs likeliest to the answer is a row, if it is one."""
    return next((one for one in found if len(one.header) > 1 and _pointed(best) in one.places), None)


def _pointed(reading: Reading) -> tuple[UUID, int]:
    """Where the unit stands that belongs likeliest to the answer, as `BookTable.places`."""
    return reading.excerpt.passage.chunk_id, reading.excerpt.units[reading.pointed]


def offer(inquiry: Inquiry, read: TableRead) -> Offer | None:
    """What a table that was read has to offer; None where it is closed, or none of its rows is meant."""
    rows = [] if read.is_closed else _rows(inquiry.text, read)[:MOST_ROWS]
    return Offer(read, tuple(rows)) if rows else None


def weighed(inquiry: Inquiry, made: Offer, alone: Reading, best: Reading | None, lexicon: Lexicon) -> Offer:
    """Return the offer with FEATURES.

    held, row: the logits that a column holds what is asked for, and that the likeliest row is meant. words:
    share of the question's words, weighted by idf, that stand in the table. alone: the logit of belonging to
    an answer that the likeliest row has when the offer's excerpt is read by itself, as any text. best: 1
    where the unit that was read best of all, by `best`, is one of the rows. end: the logit that an extreme is
    asked for, if it is one, else 0: that a row is the highest does not stand in the row.
    """
    weights = {word: lexicon.idf(word) for word in _said(inquiry, lexicon)}
    # In a set's order, which differs from one process to the next, plain sums would differ in their last bit.
    total = math.fsum(weights.values()) or 1.0
    held = _explained(inquiry, weights, made.read.table)
    return replace(
        made,
        features={
            "held": made.read.held,
            "row": max(made.read.rows),
            "words": math.fsum(map(weights.__getitem__, held)) / total,
            "alone": max(alone.units),
            "best": float(best is not None and _points_to(best, made)),
            "end": max(0.0, made.read.end),
        },
    )


def _points_to(reading: Reading, made: Offer) -> bool:
    """Return whether the unit that belongs likeliest to the answer is one of the rows offered."""
    return _pointed(reading) in {(row.passage.chunk_id, row.unit) for row in made.rows}


def _said(inquiry: Inquiry, lexicon: Lexicon) -> frozenset[str]:
    """The question's content words but those that stand everywhere in the book."""
    words = content_stems(inquiry.text)
    return frozenset(one for one in words if lexicon.frequencies.get(one, 0) <= EVERYWHERE * lexicon.windows)


def _explained(inquiry: Inquiry, said: Iterable[str], table: BookTable) -> frozenset[str]:
    """What of the question stands in a table or above it."""
    return inquiry.understood(table.stems).intersection(said)


# --- rows -----------------------------------------------------------------------------------------


def _rows(question: str, read: TableRead) -> list[int]:
    """The rows that answer, by their places: those that the question ranges over, or the extreme of them.

    Where the values that an extreme is asked of cannot be compared, or which end it is cannot be told, all of
    these rows answer.
    """
    if not read.table.whole and (read.is_extreme or _COUNTS.search(question)):
        return []
    if read.way and (found := _extreme(read, read.way)):
        return found
    likeliest = max(read.rows)
    meant = _from(read, min(0.0, likeliest - NEARLY))
    found = meant if len(meant) <= MOST_ROWS else _from(read, likeliest - NEARLY_OF_MANY)
    filled = any(read.table.rows[at].cells[read.column].strip() not in EMPTY for at in found)
    return found if filled else []


def _extreme(read: TableRead, way: int) -> list[int]:
    """The row that has this end of the values, among those that the question ranges over, or all of them."""
    sure = _from(read, 0.0)
    among = sure if len(sure) > 1 else [*range(len(read.rows))]
    return [among[at] for at in read.table.extreme([read.table.rows[at] for at in among], read.column, way)]


def _from(read: TableRead, bar: float) -> list[int]:
    return [at for at, logit in enumerate(read.rows) if logit >= bar]
