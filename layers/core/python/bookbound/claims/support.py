"""Support of a claim by passages (P4).

The reader says whether the passages bear the claim out. The claim is also aligned with them word by word
(alignment): the part that they hold is a graded feature, as is whether it asserts anything (likeness); its
numbers and names, which a reader takes for one another, are checked one by one (checks).
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
from bookbound.claims.polarity import denied
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

LEAST_HELD = 0.51
"""Share of a claim's telling words that its passages say at least (P4), whatever the reader says."""


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

    A logistic regression over likeness, times exp(-d) for each check that objects: a wrong number or name is
    not made good by all the other words.

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
        return math.exp(-discount) / (1 + math.exp(-logit))


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
    score, held = model.score(found), found["in_passages"]
    if held < LEAST_HELD:
        score = min(score, model.threshold * held / LEAST_HELD)
    elif score >= model.threshold:
        return Support(True, score)
    return Support(False, score, _missing(alignment, objections, model.discounts))


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
    return bool(before.words) and before.words[-1].clause in denied(before)


def _missing(a: Alignment, objections: Mapping[str, str | None], discounts: Mapping[str, float]) -> str:
    """The objection that weighs most; without one, what no passage says."""
    found = [(discounts[name], words) for name, words in objections.items() if words and discounts[name]]
    if found:
        return max(found)[1]
    words = [a.claim.words[place].text for place in a.telling if place not in a.said]
    return f"unsupported: {' '.join(words[:SHOWN])}" if words else "the way it is put"


@cache
def shipped() -> SupportModel:
    """The model that ships, as `python -m evaluation.fit_support` wrote it."""
    return SupportModel(**shipped_fit("support.json"))
