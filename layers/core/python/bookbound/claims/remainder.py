"""Rest of a claim, one of its terms aside, in the passages, and its nearness to a place of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from bookbound.claims.alignment import Alignment
from bookbound.claims.layout import heads
from bookbound.claims.wording import Wording

_GOVERNS = 0.9
"""Nearness of an entry's head to all of its entry."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Rest of a claim, one of its terms aside, as the passages say it.

    Attributes:
        weights: claim's word → how rare it is in the passages, in (0, 1].
        by_sentence: sentence → claim's word → its weight there, in (0, 1].
    """

    weights: Mapping[int, float]
    by_sentence: Mapping[int, Mapping[int, float]]

    def without(self, term: range) -> Rest:
        """The same without a term."""
        kept = {p: weight for p, weight in self.weights.items() if p not in term}
        said = {
            sentence: row if row.keys().isdisjoint(term) else {p: far for p, far in row.items() if p in kept}
            for sentence, row in self.by_sentence.items()
        }
        return Rest(kept, said)

    @property
    def total(self) -> float:
        return sum(self.weights.values())

    def core(self) -> tuple[int, float] | None:
        """The sentence that says most, and which share of all; None where several do."""
        ranked = sorted(((sum(row.values()), s) for s, row in self.by_sentence.items()), reverse=True)
        if not ranked or not ranked[0][0] or (len(ranked) > 1 and math.isclose(ranked[0][0], ranked[1][0])):
            return None
        return ranked[0][1], ranked[0][0] / self.total

    def beyond(self, sentence: int, core: int) -> float:
        """The share that a sentence says and the core does not."""
        said, there = self.by_sentence.get(sentence, {}), self.by_sentence[core]
        return sum(max(0.0, far - there.get(p, 0.0)) for p, far in said.items()) / self.total


def rest_of(a: Alignment) -> Rest:
    """The whole claim; what a table's header says holds of every row and tells none from another."""
    held = a.passages
    weights: dict[int, float] = {}
    rows: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for p in a.telling:
        sentences = {held.words[at].sentence for at in a.matches[p]}
        if sentences and not sentences & held.headers:
            weights[p] = math.log1p(held.sentences / len(sentences)) / math.log1p(held.sentences)
            for at, far in a.matches[p].items():
                row = rows[held.words[at].sentence]
                row[p] = max(row.get(p, 0.0), far * weights[p])
    return Rest(weights, rows)


def nearness(a: Alignment, rest: Rest, term: range, at: int) -> float:
    """Return how near the rest is to a place of the passages, in [0, 1]; words near the term count most."""
    total = near = 0.0
    for p, rarity in rest.weights.items():
        weight = rarity / (1 + min(abs(p - term.start), abs(p - term.stop + 1)) / 6)
        total += weight
        near += weight * max(
            (far * _near(a.passages, one, at) for one, far in a.matches[p].items() if one != at), default=0.0
        )
    return near / total


def _near(held: Wording, one: int, at: int) -> float:
    """Return how near a word is to a place; a row is one thing, and an entry's head governs all of it."""
    a, b = held.words[one], held.words[at]
    if a.sentence != b.sentence:
        return 0.0
    if a.column is not None:
        return 1.0
    if at in heads(held) and one not in heads(held):
        return _GOVERNS
    return 1 / (1 + abs(a.clause - b.clause) / 2) / (1 + max(0, abs(one - at) - 3) / 8)
