"""What an answer of a language model is worth, without asking one (F1, X17).

Two things make it right: the passages hold the answer, and the sentences are borne out. Both are known for
labelled questions and claims on books that the reader never saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from bookbound.answer.confidence import Calibration, Curve
from bookbound.evaluation.fitting import logistic
from bookbound.model import ConfidenceLevel
from bookbound.text.scoring import FittedOn
from evaluation.books import has_evidence
from training.reader.judged_claims import Judged
from training.reader.left_out import Climbed

GIVES_IN = 0.05
"""Share of the questions that the passages leave open which a model answers all the same, at most: of 62 near
misses that reached a real one it answered none, and 0.05 is the upper end of what that allows (95 %)."""

ALTERS = 0.1
"""Share of a model's sentences that are taken to be altered; of 58 true drafts of a real one none was."""

PASSAGES = 5
"""R2."""

RIDGE = 0.1


def calibration(
    climbed: Sequence[Climbed],
    claims: Sequence[Judged],
    fitted_on: Sequence[FittedOn],
    command: str,
) -> Calibration:
    """Both curves; "high" is withheld, since no answer of a vendor's model was judged."""
    return Calibration(
        retrieval=_retrieval(climbed),
        generation=_generation(claims),
        withheld=(ConfidenceLevel.HIGH,),
        method=(
            f"retrieval: whether the evidence is among the passages of {len(climbed)} questions, one in "
            f"{1 / GIVES_IN:.0f} of the others taken to be answered; generation: whether a supported claim "
            f"is true, one in {1 / ALTERS:.0f} taken to be altered, of {len(claims)} claims"
        ),
        fitted_on=tuple(fitted_on),
        command=command,
        date=datetime.now(UTC).date().isoformat(),
        by_support=True,
    )


def _retrieval(climbed: Sequence[Climbed]) -> Curve:
    reached = [one for one in climbed if all(climb.passed for climb in one.climbs)]
    held = [
        one.answerable
        and has_evidence(
            one.labelled, [each.passage for climb in one.climbs for each in climb.admitted[:PASSAGES]]
        )
        for one in reached
    ]
    figures = [min(climb.sufficiency for climb in one.climbs) for one in reached]
    return _curve(figures, held, [1.0 if right else GIVES_IN for right in held])


def _generation(claims: Sequence[Judged]) -> Curve:
    shown = [(one.support.score, one.label) for one in claims if one.support.supported]
    true, false = (sum(one.label is label for one in claims) for label in (True, False))
    rare = ALTERS / (1 - ALTERS) * true / false
    return _curve(
        [figure for figure, _ in shown],
        [label for _, label in shown],
        [1.0 if label else rare for _, label in shown],
    )


def _curve(figures: Sequence[float], right: Sequence[bool], weights: Sequence[float]) -> Curve:
    found = logistic(np.array(figures)[:, None], np.array(right, float), np.array(weights), RIDGE)
    slope, intercept = (round(float(each), 4) for each in found)
    if slope < 0:
        share = float(np.average(np.array(right, float), weights=np.array(weights)))
        return Curve(0.0, round(float(np.log(share / (1 - share))), 4))
    return Curve(slope, intercept)
