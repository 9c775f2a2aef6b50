"""Does a table answer, or what the reader found in the text? A fitted choice (T1, G9).

The reader tells which column and which rows of a table are asked for, and whether they are there
(`table_reading`); the wording tells what is to be done with them. A question to the text has a likely table
too, so it counts as well what the reader makes of these rows as of any other text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from bookbound.evidence.book_tables import BookTable, TableRow
from bookbound.evidence.table_lookup import (
    COMPARES,
    COUNTS,
    EMPTY,
    EVERYWHERE,
    MOST_ALIKE,
    MOST_ROWS,
    asks_for_list,
    direction,
)
from bookbound.evidence.table_reading import TableRead
from bookbound.evidence.windowing import named_cells
from bookbound.model import Excerpt, Reading
from bookbound.question.inquiry import Inquiry
from bookbound.text.scoring import FittedOn, Lexicon, logistic
from bookbound.text.terms import content_stems

FEATURES = ("held", "row", "place", "words", "alone", "best")
"""See `weighed`."""

NEAREST = 2
"""Tables, from the first that the search found, that are read."""

NEARLY = 1.0
"""Logit that a row may lack to be shown with the one that is likeliest meant."""

OF_SEVERAL = 2.0
"""The same where a list is asked for, and 0 is always enough."""

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

    def choose(self, offers: Sequence[Offer], bar: float) -> Offer | None:
        """The likeliest of the offers that have been weighed; None where it is less likely than `bar`."""
        likeliest = max(offers, key=lambda one: self.score(one.features), default=None)
        return likeliest if likeliest and self.score(likeliest.features) >= bar else None


def nearest_tables(inquiry: Inquiry, found: Sequence[BookTable], lexicon: Lexicon) -> list[BookTable]:
    """Return the tables that are worth reading: the first few that hold a word of the question."""
    said = _said(inquiry, lexicon)
    near = (table for table in found if len(table.header) > 1 and _explained(inquiry, said, table))
    return list(islice(near, NEAREST))


def offers(inquiry: Inquiry, read: Sequence[TableRead]) -> list[Offer]:
    """What each table that was read has to offer; nothing where the wording fits none of its rows."""
    fitting = ((one, _rows(inquiry.text, one)[:MOST_ROWS]) for one in read)
    return [Offer(one, tuple(rows)) for one, rows in fitting if rows]


def weighed(
    inquiry: Inquiry, made: Sequence[Offer], alone: Sequence[Reading], best: Reading | None, lexicon: Lexicon
) -> list[Offer]:
    """Return the offers, which come with the nearest table first, with FEATURES.

    held, row: the logits that a column holds what is asked for, and that the likeliest row is meant. place:
    log(1 + place) among the offers. words: share of the question's words, weighted by idf, that stand in the
    table. alone: the logit of belonging to an answer that the likeliest row has when the rows are read by
    themselves, as any text: `alone` has a reading of each offer's excerpt. best: 1 where the unit that was
    read best of all, by `best`, is one of the rows.
    """
    weights = {word: lexicon.idf(word) for word in _said(inquiry, lexicon)}
    # In a set's order, which differs from one process to the next, plain sums would differ in their last bit.
    total = math.fsum(weights.values()) or 1.0
    return [
        replace(
            one,
            features={
                "held": one.read.held,
                "row": max(one.read.rows),
                "place": math.log1p(place),
                "words": math.fsum(map(weights.__getitem__, _explained(inquiry, weights, one.read.table)))
                / total,
                "alone": max(reading.units),
                "best": float(best is not None and _points_to(best, one)),
            },
        )
        for place, (one, reading) in enumerate(zip(made, alone, strict=True))
    ]


def _points_to(reading: Reading, offer: Offer) -> bool:
    """Return whether the unit that belongs likeliest to the answer is one of the rows offered."""
    at = max(range(len(reading.units)), key=lambda at: reading.units[at])
    pointed = reading.excerpt.passage.chunk_id, reading.excerpt.units[at]
    return pointed in {(row.passage.chunk_id, row.unit) for row in offer.rows}


def _said(inquiry: Inquiry, lexicon: Lexicon) -> frozenset[str]:
    """The question's content words but those that stand everywhere in the book."""
    words = content_stems(inquiry.text)
    return frozenset(one for one in words if lexicon.frequencies.get(one, 0) <= EVERYWHERE * lexicon.windows)


def _explained(inquiry: Inquiry, said: Iterable[str], table: BookTable) -> frozenset[str]:
    """What of the question stands in a table or above it."""
    return inquiry.understood(table.stems).intersection(said)


# --- rows -----------------------------------------------------------------------------------------


def _rows(question: str, read: TableRead) -> list[int]:
    """The rows that a question's wording asks for, by their places."""
    everything = list(range(len(read.rows)))
    meant = [at for at in everything if read.rows[at] > 0]
    if way := direction(question):
        among = meant if 1 < len(meant) < len(everything) else everything
        found = read.table.extreme([read.table.rows[at] for at in among], read.column, way)
        return [among[at] for at in found] if read.table.whole else []
    if COUNTS.search(question) and not meant:
        return everything if len(everything) == read.table.total else []
    if asks_for_list(question):
        return [at for at in everything if read.rows[at] > min(0.0, max(read.rows) - OF_SEVERAL)]
    if COMPARES.search(question):
        return meant if len(meant) > 1 else sorted(sorted(everything, key=lambda at: -read.rows[at])[:2])
    return _named(read)


def _named(read: TableRead) -> list[int]:
    """The row that is likeliest meant, and those hardly less so."""
    bar = max(read.rows) - NEARLY
    found = [at for at, logit in enumerate(read.rows) if logit >= bar]
    filled = [at for at in found if read.table.rows[at].cells[read.column].strip() not in EMPTY]
    return filled if len(filled) <= MOST_ALIKE else []
