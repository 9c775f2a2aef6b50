"""Canary questions: a fresh index is asked before it is switched to, and its threshold settled by them (G9).

Nothing is generated: what is looked at is whether the gates would let the question be answered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bookbound.book import Book
from bookbound.evidence.gates import STATED, Barred
from bookbound.evidence.ladder import Climb
from bookbound.evidence.retrieval import climbs
from bookbound.evidence.sufficiency import Assessor, SufficiencyModel
from bookbound.model import RefusalReason
from bookbound.ports import Embedder
from bookbound.text import language

MARGIN = 0.10
"""Maximum distance of a book's threshold from the model's, which many questions were weighed for:
a threshold moved for one question moves for every reader's."""

_STEPS = 1000
"""Steps of a settled threshold, a thousandth next to a score: the score's last bits decide nothing."""

Wish = Literal["answer", "refuse"]


@dataclass(frozen=True, slots=True)
class Asked:
    """Verdict of the gates on a canary question, at any threshold.

    Attributes:
        sufficiency: of the best rung, in (0, 1); None where another gate refuses on every one.
        reason, gate: of the refusal where the threshold is not reached.
    """

    question: str
    wish: Wish
    sufficiency: float | None
    reason: RefusalReason
    gate: str

    def passes(self, threshold: float) -> bool:
        """Return whether it would be answered."""
        return self.sufficiency is not None and self.sufficiency >= threshold


@dataclass(frozen=True, slots=True)
class Canary:
    """Outcome of a canary question, for the report.

    Attributes:
        reason, gate: why it is refused, and which gate does; None when it is answered.
        sufficiency: of the best rung, in (0, 1); None where another gate refuses.
        remedy: what is wrong, and what an author can do; None when all is as wished.
    """

    question: str
    wish: Wish
    answered: bool
    reason: RefusalReason | None
    gate: str | None
    sufficiency: float | None
    remedy: str | None


@dataclass(frozen=True, slots=True)
class Checkup:
    """Result of the canary questions: the book's own threshold (None: the model's), and each of them."""

    threshold: float | None
    canaries: tuple[Canary, ...]


async def check(book: Book, embedder: Embedder, assessor: Assessor) -> Checkup:
    """Ask the book every canary question of its policy, and settle its threshold. Raises Unavailable.

    Questions of which it is stated where they are answered are asked too; they move no threshold.
    """
    asked = [
        await ask(question, "answer", book, embedder, assessor) for question in book.policy.canary_answer
    ]
    asked += [
        await ask(question, "refuse", book, embedder, assessor) for question in book.policy.canary_refuse
    ]
    settled = weighed(asked, assessor.model)
    book = replace(book, sufficiency_threshold=settled.threshold)
    stated = [
        await _stated(question, place, book, embedder, assessor)
        for place, questions in book.policy.answered_in.items()
        for question in questions
    ]
    return replace(settled, canaries=(*settled.canaries, *stated))


def weighed(asked: Sequence[Asked], model: SufficiencyModel) -> Checkup:
    """Settle the threshold by what came of canary questions, and tell how each ends at it."""
    threshold = settle(model.threshold, asked)
    canaries = tuple(_canary(one, threshold, asked, model) for one in asked)
    return Checkup(None if threshold == model.threshold else threshold, canaries)


async def ask(question: str, wish: Wish, book: Book, embedder: Embedder, assessor: Assessor) -> Asked:
    """Ask one canary question alone, as a reader asks it, up every rung of the ladder."""
    unreached = replace(book, sufficiency_threshold=math.inf)
    found = await climbs(question, None, unreached, embedder, assessor)
    verdicts = (one.decisive.verdict for one in found)
    barred = max((one for one in verdicts if isinstance(one, Barred)), key=lambda one: len(one.findings))
    if language.other_language(question, book.policy.language):
        return Asked(question, wish, None, barred.reason, _LANGUAGE)
    return Asked(question, wish, _best(found), barred.reason, barred.findings[-1].gate)


async def _stated(question: str, place: str, book: Book, embedder: Embedder, assessor: Assessor) -> Canary:
    """Ask a question that `answered_in` has, and tell if it is not answered from there."""
    found = await climbs(question, None, book, embedder, assessor)
    verdicts = [one.decisive.verdict for one in found]
    barred = next((one for one in verdicts if isinstance(one, Barred)), None)
    gate = barred.findings[-1].gate if barred else None
    there = any(one.gate == STATED for verdict in verdicts for one in verdict.findings)
    remedy = _REMEDIES.get(gate or "", "is the page there, and a heading of that anchor?")
    return Canary(
        question=question,
        wish="answer",
        answered=any(one.passed for one in found),
        reason=barred.reason if barred else None,
        gate=gate,
        sufficiency=_best(found),
        remedy=None if there else f"not answered from {place}, as answered_in says that it is: {remedy}",
    )


def _best(found: Iterable[Climb]) -> float | None:
    judged = (tried.judged for one in found for tried in one.tried)
    return max((one.score for one in judged if one), default=None)


def settle(threshold: float, asked: Sequence[Asked]) -> float:
    """The threshold nearest to the model's that lets the canaries to answer pass and holds the others back.

    Where both cannot be, refusing wins. At most MARGIN away; a canary to refuse that no threshold within that
    can hold back keeps it from being lowered.
    """
    floor = max(_floors(threshold, asked))
    ceilings = map(_below, _scores(asked, "answer"))
    return max(floor, min([threshold, *(ceiling for ceiling in ceilings if ceiling >= floor)]))


def _floors(threshold: float, asked: Sequence[Asked]) -> list[float]:
    holding = map(_above, _scores(asked, "refuse"))
    return [threshold - MARGIN, *(one if one <= threshold + MARGIN else threshold for one in holding)]


def _scores(asked: Iterable[Asked], wish: Wish) -> list[float]:
    return [one.sufficiency for one in asked if one.wish == wish and one.sufficiency is not None]


def _below(score: float) -> float:
    return (math.ceil(score * _STEPS) - 1) / _STEPS


def _above(score: float) -> float:
    return (math.floor(score * _STEPS) + 1) / _STEPS


# --- the report -----------------------------------------------------------------------------------

_LANGUAGE = "language"
_OTHER_WORDS = "give the reader's words as an alias or a glossary entry"
_REMEDIES = {
    "G4 in scope": "narrow the pattern in out_of_scope that matches it",
    "G7 enough passages": "too few passages qualify, and weak_evidence is refuse",
    "G14 knowledge question": "it asks for work to be done; word it as a question",
    _LANGUAGE: "it is in another language than the book",
}


def _canary(one: Asked, threshold: float, asked: Sequence[Asked], model: SufficiencyModel) -> Canary:
    answered = one.passes(threshold)
    right = answered == (one.wish == "answer")
    return Canary(
        question=one.question,
        wish=one.wish,
        answered=answered,
        reason=None if answered else one.reason,
        gate=None if answered else one.gate,
        sufficiency=one.sufficiency,
        remedy=None if right else _remedy(one, threshold, asked, model),
    )


def _remedy(one: Asked, threshold: float, asked: Sequence[Asked], model: SufficiencyModel) -> str:
    """Return what is wrong with a canary question that is not as wished, and what to do."""
    if one.sufficiency is None:
        remedy = _REMEDIES.get(one.gate, _OTHER_WORDS)
        return f"refused by {one.gate}, which a threshold does not mend: {remedy}"
    scored = f"sufficiency {one.sufficiency:.3f}, threshold {threshold:.3f}"
    if one.wish == "refuse":
        return f"answered ({scored}, which rises no further): refuse it by a pattern in out_of_scope"
    limit = "which falls no further"
    if _below(one.sufficiency) >= model.threshold - MARGIN:
        to_refuse = (each for each in asked if each.wish == "refuse")
        highest = max(to_refuse, key=lambda each: each.sufficiency or 0.0)
        limit = f"held there by {highest.question!r}"
    return f"refused ({scored}, {limit}): {_OTHER_WORDS}, or write the passage in plainer words"
