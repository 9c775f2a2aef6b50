"""The summary of an evaluation: every rate beside its counts and its 95 % interval (E2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from statistics import fmean, median
from typing import Any

from bookbound.confidence import BUILT_IN, PROMISES, shipped
from bookbound.model import ConfidenceLevel
from evaluation.curves import curves
from evaluation.judging import Run, Verdict, judge
from evaluation.literal import searchable_book
from evaluation.questions import Labelled
from evaluation.rates import Rate, percentile, rate_of
from evaluation.retrieval import retrieval_rates
from evaluation.stages import caught, lost

Summary = dict[str, Any]

ATTRIBUTION_TARGET = 0.90
"""E1: the share of a draft's sentences that their sources support."""

BANDS = 10
"""Equal parts of [0, 1] by which confidence is held against accuracy."""


def summarise(
    labelled: Sequence[Labelled],
    runs: Sequence[Run],
    book_text: Mapping[str, str] | None = None,
    generator: str = BUILT_IN,
) -> Summary:
    """The figures of the runs over their labels, JSON-ready.

    `book_text` maps each document, relative to the docs folder, to its raw text; without it no excerpt is
    checked against the book and literal_citation_rate has n = 0. `generator` wrote the answers, which tells
    the levels that are withheld. Raises ValueError when a question has no run.
    """
    verdicts = judge_all(labelled, runs, book_text)
    to_answer = [verdict for verdict in verdicts if verdict.labelled.expect == "answer"]
    to_refuse = [verdict for verdict in verdicts if verdict.labelled.expect == "refuse"]
    return {
        "questions": len(verdicts),
        "errors": sum(verdict.run.response is None for verdict in verdicts),
        "answered_rate": _answered(to_answer),
        "answered_rate_by_kind": _by_kind(to_answer),
        "false_answer_rate": _by_kind(to_refuse),
        "false_answer_rate_overall": _answered(to_refuse),
        **_answer_quality(verdicts),
        "reason_accuracy": rate_of(_known(verdict.right_reason for verdict in verdicts)),
        "retrieval": retrieval_rates(verdicts),
        "lost": lost(verdicts),
        "caught": caught(verdicts),
        "generator_calls_on_refusal": _generator_calls_on_refusal(verdicts),
        "reliability": _by_level(verdicts, shipped(generator).withheld),
        "reliability_by_score": _by_score(verdicts),
        "latency_ms": _latency(verdicts),
        "curves": curves(verdicts),
        "failures": [_failure(verdict) for verdict in verdicts if verdict.wrong],
    }


def judge_all(
    labelled: Sequence[Labelled], runs: Sequence[Run], book_text: Mapping[str, str] | None
) -> list[Verdict]:
    """A verdict for each question, in the questions' order."""
    by_id = {run.id: run for run in runs}
    if missing := [question.id for question in labelled if question.id not in by_id]:
        raise ValueError(f"no run for {len(missing)} questions, first {missing[0]!r}")
    book = None if book_text is None else searchable_book(book_text)
    return [judge(question, by_id[question.id], book) for question in labelled]


def latencies(runs: Iterable[Run]) -> list[float]:
    """Total milliseconds of every response."""
    return [float(run.response["latency_ms"]["total"]) for run in runs if run.response is not None]


def _answer_quality(verdicts: Sequence[Verdict]) -> Summary:
    answers = [verdict.run.response for verdict in verdicts if verdict.answered and verdict.run.response]
    points = chain.from_iterable(verdict.points for verdict in verdicts)
    excerpts = chain.from_iterable(verdict.excerpts for verdict in verdicts)
    return {
        "right_source_rate": rate_of(_known(verdict.right_source for verdict in verdicts)),
        "answer_points_rate": rate_of([found for _, found in points]),
        "median_sentences": median(len(answer["sentences"]) for answer in answers) if answers else None,
        "literal_citation_rate": rate_of([literal for _, literal in excerpts]),
        "every_sentence_cited_rate": rate_of(_known(verdict.all_cited for verdict in verdicts)),
        "attribution_coverage": _attribution([answer["attribution_coverage"] for answer in answers]),
    }


def _answered(verdicts: Sequence[Verdict]) -> Rate:
    return rate_of([verdict.answered for verdict in verdicts])


def _by_kind(verdicts: Sequence[Verdict]) -> dict[str, Rate]:
    kinds = dict.fromkeys(verdict.labelled.kind for verdict in verdicts)
    return {
        kind: _answered([verdict for verdict in verdicts if verdict.labelled.kind == kind]) for kind in kinds
    }


def _known(outcomes: Iterable[bool | None]) -> list[bool]:
    return [outcome for outcome in outcomes if outcome is not None]


def _attribution(coverages: Sequence[float | None]) -> Summary:
    known = [coverage for coverage in coverages if coverage is not None]
    return {
        "rate": fmean(known) if known else None,
        "lowest": min(known, default=None),
        "n": len(known),
        "target": ATTRIBUTION_TARGET,
    }


def _generator_calls_on_refusal(verdicts: Sequence[Verdict]) -> int:
    """Calls for refused questions; only a draft that failed its attribution may leave any (G8, P4)."""
    refused = (verdict for verdict in verdicts if verdict.run.response is not None and not verdict.answered)
    return sum(verdict.run.generator_calls for verdict in refused)


def _by_level(verdicts: Sequence[Verdict], withheld: Collection[ConfidenceLevel]) -> dict[str, Summary]:
    """How often answers of each level are right (F3)."""
    judged = _judged(verdicts)
    return {
        level.value: {
            **_reliability([(score, right) for given, score, right in judged if given == level]),
            "target": PROMISES.get(level),
            "withheld": level in withheld,
        }
        for level in ConfidenceLevel
    }


def _by_score(verdicts: Sequence[Verdict]) -> list[Summary]:
    """The same for each tenth of the score, from `score_from` up to the next one's, 1.0 in the last."""
    judged = _judged(verdicts)
    return [
        {
            "score_from": band / BANDS,
            **_reliability(
                [(score, right) for _, score, right in judged if min(int(score * BANDS), BANDS - 1) == band]
            ),
        }
        for band in range(BANDS)
    ]


def _judged(verdicts: Sequence[Verdict]) -> list[tuple[str, float, bool]]:
    """Level, score, and whether it is right, of every answer; one to a question to refuse is wrong."""
    return [
        (verdict.run.response["confidence_level"], verdict.run.response["confidence_score"], verdict.right)
        for verdict in verdicts
        if verdict.answered and verdict.run.response and verdict.right is not None
    ]


def _reliability(judged: Sequence[tuple[float, bool]]) -> Summary:
    counts = rate_of([right for _, right in judged])
    return {
        "n": counts["n"],
        "hits": counts["hits"],
        "accuracy": counts["rate"],
        "low": counts["low"],
        "high": counts["high"],
        "mean_confidence": fmean(score for score, _ in judged) if judged else None,
    }


def _latency(verdicts: Sequence[Verdict]) -> Summary:
    values = latencies(verdict.run for verdict in verdicts)
    return {f"p{percent}": percentile(values, percent) for percent in (50, 95, 99)}


def _failure(verdict: Verdict) -> Summary:
    labelled = verdict.labelled
    return {
        "id": labelled.id,
        "kind": labelled.kind,
        "expect": labelled.expect,
        "question": labelled.question,
        "wrong": list(verdict.wrong),
        "evidence_rank": verdict.evidence_rank,
        "candidates": len(verdict.run.candidates),
        "findings": [asdict(finding) for finding in verdict.run.findings],
    }
