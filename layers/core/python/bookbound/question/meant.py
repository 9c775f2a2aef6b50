"""Which reading of a follow-up is meant: a fitted choice among those that code wrote (X18).

It weighs whether both questions bear a reading out, whether the book answers it, and that people mean what
they typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bookbound.model import ClaimRead
from bookbound.question.follow_up import Form, Reading, Readings
from bookbound.text.scoring import FittedOn, shipped_fit

ABOVE = "asked before; asked now"
"""What stands above two questions where the reader is to tell what the second one means."""

LIKELY = "likely"
"""How likely the book answers a reading, in [0, 1]: known once it was searched."""

FEATURES = ("borne_out", "typed_leaning", "typed_alone")
"""See `features`."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A conditional logit model over FEATURES and LIKELY: the reading of the highest sum is what is meant.

    Source: D. McFadden, Conditional logit analysis of qualitative choice behavior (1974).
    """

    weights: dict[str, float]
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""

    @property
    def of_book(self) -> float:
        """The most that the book can add to a reading's sum."""
        return self.weights[LIKELY]

    def sums(self, found: Readings, borne_out: Sequence[float]) -> list[float]:
        """Return each reading's sum without LIKELY, known before the book is searched."""
        return [
            sum(self.weights[name] * value for name, value in one.items())
            for one in features(found, borne_out)
        ]

    def meant(self, found: Readings, borne_out: Sequence[float], likely: Sequence[float]) -> Reading:
        """Return the reading that is meant, the book having been asked for each; the first of equal ones."""
        sums = [
            value + self.of_book * one for value, one in zip(self.sums(found, borne_out), likely, strict=True)
        ]
        return found.all[sums.index(max(sums))]


def as_claims(found: Readings) -> list[ClaimRead]:
    """Return each reading as a claim, to be checked against both questions."""
    return [ClaimRead(one.text, ABOVE, (found.before, found.typed)) for one in found.all]


def features(found: Readings, borne_out: Sequence[float]) -> list[dict[str, float]]:
    """Return FEATURES of each reading.

    borne_out: the reader's logit that both questions together bear it out.
    typed_leaning, typed_alone: the words as typed, where they leave out something for certain, and where not.
    """
    return [
        {
            "borne_out": logit,
            "typed_leaning": float(one.form is Form.TYPED and found.leans),
            "typed_alone": float(one.form is Form.TYPED and not found.leans),
        }
        for one, logit in zip(found.all, borne_out, strict=True)
    ]


@cache
def shipped() -> Choice:
    """The choice that ships, as `python -m training.reader.follow_ups` wrote it."""
    return Choice(**shipped_fit("follow_ups.json"))
