"""Stage at which each question was decided: what loses answers, and what catches the rest (E2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from bookbound.evaluation.judging import Run, Verdict
from bookbound.evaluation.rates import Rate, rate
from bookbound.evaluation.retrieval import TOP, searched_for_evidence

VERIFICATION = "P4 supported"
"""Stage that catches a question after its draft: too few sentences are supported, or none."""


class Stage(StrEnum):
    """Stages where a question to answer can end, in order; the first that applies counts."""

    NO_RESPONSE = "no_response"
    NOT_FETCHED = "evidence_not_fetched"
    BELOW_TOP = "evidence_below_top5"
    LADDER = "barred_by_g1_g2"
    SCOPE = "barred_by_g4"
    BLEND = "barred_by_g6_g7"
    SUFFICIENCY = "barred_by_sufficiency"
    OTHER_GATE = "barred_by_another_gate"
    UNSUPPORTED = "draft_not_supported"
    OTHER_SOURCE = "answered_from_another_source"
    RIGHT_SOURCE = "answered_from_the_right_source"


STAGE_NAMES = {
    Stage.NO_RESPONSE: "no response",
    Stage.NOT_FETCHED: "evidence not among the candidates",
    Stage.BELOW_TOP: "evidence below the first five candidates",
    Stage.LADDER: "barred by the similarity ladder (G1, G2)",
    Stage.SCOPE: "barred as out of scope (G4)",
    Stage.BLEND: "barred by score or number of passages (G6, G7)",
    Stage.SUFFICIENCY: "barred by sufficiency (G9)",
    Stage.OTHER_GATE: "barred by another gate",
    Stage.UNSUPPORTED: "draft not supported by its sources (P4)",
    Stage.OTHER_SOURCE: "answered from another source",
    Stage.RIGHT_SOURCE: "answered from a right source",
}
"""Each stage as a reader sees it."""

_STAGES = {
    "G1": Stage.LADDER,
    "G2": Stage.LADDER,
    "G4": Stage.SCOPE,
    "G6": Stage.BLEND,
    "G7": Stage.BLEND,
    "G9": Stage.SUFFICIENCY,
    "P4": Stage.UNSUPPORTED,
}


def lost(verdicts: Iterable[Verdict]) -> dict[str, Rate]:
    """Every stage's share of the questions to answer whose evidence is labelled; the shares add up to 1."""
    ended = [stage(each) for each in verdicts if each.labelled.expect == "answer" and each.labelled.quotes]
    counts = Counter(ended)
    return {one.value: rate(counts[one], len(ended)) for one in Stage}


def stage(verdict: Verdict) -> Stage:
    """Return where a question to answer ended; what retrieval lost counts as lost there in any case."""
    rank = verdict.evidence_rank
    if verdict.right_source:
        return Stage.RIGHT_SOURCE
    if verdict.run.response is None:
        return Stage.NO_RESPONSE
    if searched_for_evidence(verdict) and (rank is None or rank > TOP):
        return Stage.NOT_FETCHED if rank is None else Stage.BELOW_TOP
    if verdict.answered:
        return Stage.OTHER_SOURCE
    return _STAGES.get(caught_by(verdict.run).split()[0], Stage.OTHER_GATE)


def caught(verdicts: Iterable[Verdict]) -> dict[str, dict[str, Rate]]:
    """For each kind of question to refuse, the share that each gate refused; the rest was answered."""
    by_kind: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.labelled.expect == "refuse":
            by_kind.setdefault(verdict.labelled.kind, []).append(verdict)
    return {kind: _by_gate(group) for kind, group in by_kind.items()}


def _by_gate(verdicts: Sequence[Verdict]) -> dict[str, Rate]:
    refused = (each.run for each in verdicts if each.run.response is not None and not each.answered)
    counts = Counter(caught_by(run) for run in refused)
    return {gate: rate(counts[gate], len(verdicts)) for gate in sorted(counts)}


def caught_by(run: Run) -> str:
    """The gate that refused: verification after a draft, else the last gate that did not pass."""
    if run.generator_calls:
        return VERIFICATION
    failed = (finding.gate for finding in reversed(run.findings) if not finding.passed)
    return next(failed, "not recorded")
