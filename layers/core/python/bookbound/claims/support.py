"""Support of a claim by passages (P4).

The reader says whether the passages bear the claim out. The claim is also aligned with them word by word
(alignment): the part that they hold, and their likeness, are graded features (likeness); faults of a word
that they do hold are found by named checks (checks).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bookbound.claims.alignment import Alignment, align
from bookbound.claims.checks import CHECKS
from bookbound.claims.likeness import LIKENESS
from bookbound.claims.polarity import denials
from bookbound.claims.reading import claim_read, units, without_number
from bookbound.claims.wording import wording
from bookbound.model import ClaimRead
from bookbound.ports import Reader
from bookbound.text.scoring import FittedOn, logistic, shipped_fit
from bookbound.text.sentences import sentence_spans

LONGEST = 2_000
"""Characters: what is longer is no sentence, and is supported only where it is literal text."""

SHOWN = 8
"""Words of a claim that are named as unsupported."""

BORNE_OUT = "borne_out"
"""The reader's judgement among the graded features: the logistic of its logit, in [0, 1]."""

LEAST_HELD = 0.6
LEAST_HELD_OF_SHORT = 0.7
SHORT = 5
"""Telling words; in a claim of as few, one that no passage says is a good part of what it says."""


@dataclass(frozen=True, slots=True)
class Support:
    """Support of a claim by passages.

    Attributes:
        score: in [0, 1].
        missing: what the passages do not support, in a few words; None when the claim is supported.
    """

    supported: bool
    score: float
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class SupportModel:
    """Model of how likely a claim is supported, and the score at or above which it passes.

    A logistic regression over likeness, times exp(-d) for each check that objects: a fault in one word is not
    made good by all the others. The nearer the claim follows the book's own order of words, the more an
    objection counts, since another wording is then no excuse: d is weighted by 0.5 to 1.5.

    Attributes:
        weights, intercept: of LIKENESS and BORNE_OUT. discounts: d ≥ 0 of each of CHECKS.
    """

    weights: Mapping[str, float]
    intercept: float
    discounts: Mapping[str, float]
    threshold: float
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""

    def score(self, features: Mapping[str, float]) -> float:
        """The probability, in (0, 1), that a claim of these features is supported."""
        logit = self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
        discount = sum(discount * features[name] for name, discount in self.discounts.items())
        return math.exp(-discount * closeness(features)) / (1 + math.exp(-logit))


def closeness(features: Mapping[str, float]) -> float:
    """Return the weight of an objection, in [0.5, 1.5]."""
    return 0.5 + features["same_order"]


async def judged(claim: str, passages: Sequence[str], reader: Reader) -> Support:
    """Return whether plain texts support a claim."""
    [logit] = await reader.judge([read_alone(claim, passages)])
    return support(claim, passages, logit)


def read_alone(claim: str, passages: Sequence[str]) -> ClaimRead:
    """A claim with plain texts, as the reader reads it."""
    return claim_read(without_number(claim), "", [unit for passage in passages for unit in units(passage)])


def support(claim: str, passages: Sequence[str], logit: float) -> Support:
    """Return whether passages support a claim, of which the reader says that by a logit.

    Literal text of a passage is supported by it. The number of a list's item orders an answer, and claims
    nothing.
    """
    claim = without_number(claim)
    if any(is_quotation(claim, passage) for passage in passages):
        return Support(True, 1.0)
    if len(claim) > LONGEST:
        return Support(False, 0.0, "length")
    alignment = align(claim, passages)
    if not alignment.telling:
        return Support(False, 0.0, "words that say something")
    model = shipped()
    objections = {name: check(alignment) for name, check in CHECKS.items()}
    found = features(alignment, objections, logit)
    score, held, least = model.score(found), found["in_passages"], least_held(alignment)
    if held < least:
        score = min(score, model.threshold * held / least)
    elif score >= model.threshold:
        return Support(True, score)
    return Support(False, score, _missing(alignment, objections, model.discounts))


def least_held(alignment: Alignment) -> float:
    """The share of a claim that its passages must hold, however alike they say it; more of a short one."""
    return LEAST_HELD_OF_SHORT if len(alignment.telling) <= SHORT else LEAST_HELD


def features(alignment: Alignment, objections: Mapping[str, str | None], logit: float) -> dict[str, float]:
    """Return the parts of the score, by name: graded ones in [0, 1], and 1 for each check that objects."""
    graded = {name: feature(alignment) for name, feature in LIKENESS.items()}
    graded[BORNE_OUT] = logistic(logit)
    return graded | {name: float(found is not None) for name, found in objections.items()}


def is_quotation(claim: str, passage: str) -> bool:
    """Return whether a claim is literal text of a passage, white space aside, with no "not" cut off."""
    parts = claim.split()
    if not parts or " ".join(parts) not in " ".join(passage.split()):
        return False
    literal = re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, parts)) + r"(?!\w)")
    return any(not _turned_before(passage, found.start()) for found in literal.finditer(passage))


def _turned_before(passage: str, start: int) -> bool:
    """Return whether a negation stands in the same clause before an offset."""
    line = passage.rfind("\n", 0, start) + 1
    sentence = max(
        (line + first for first, _ in sentence_spans(passage[line:]) if line + first <= start), default=line
    )
    before = wording(passage[sentence:start])
    return any(before.words[denial.cue].clause == before.words[-1].clause for denial in denials(before))


def _missing(a: Alignment, objections: Mapping[str, str | None], discounts: Mapping[str, float]) -> str:
    """The objection that weighs most; without one, what no passage says."""
    found = [(discounts[name], words) for name, words in objections.items() if words and discounts[name]]
    if found:
        return max(found)[1]
    words = [a.claim.words[place].text for place in a.telling if not a.strength_in_two(place)]
    return f"unsupported: {' '.join(words[:SHOWN])}" if words else "the way it is put"


@cache
def shipped() -> SupportModel:
    """The model that ships, as `python -m evaluation.fit_support` wrote it."""
    return SupportModel(**shipped_fit("support.json"))
