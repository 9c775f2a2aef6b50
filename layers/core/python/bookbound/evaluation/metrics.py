"""Summary of an evaluation: every rate with its counts and its 95 % interval (E2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean, median
from typing import Any

from bookbound.answer.confidence import BUILT_IN, PROMISES, shipped
from bookbound.evaluation.curves import curves
from bookbound.evaluation.judging import Run, Verdict, judge
from bookbound.evaluation.latency import by_stage, percentiles
from bookbound.evaluation.literal import searchable_book
from bookbound.evaluation.misses import misses
from bookbound.evaluation.outcomes import outcomes
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.evaluation.retrieval import retrieval_rates
from bookbound.evaluation.stages import caught, lost
from bookbound.model import ConfidenceLevel

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
    return {
        "questions": len(verdicts),
        "errors": sum(verdict.run.response is None for verdict in verdicts),
        **_answered_or_refused(verdicts),
        **_answer_quality(verdicts),
        "reason_accuracy": rate_of(_known(verdict.right_reason for verdict in verdicts)),
        "retrieval": retrieval_rates(verdicts),
        "lost": lost(verdicts),
        "caught": caught(verdicts),
        "generator_calls_on_refusal": _generator_calls_on_refusal(verdicts),
        "reliability": _by_level(verdicts, shipped(generator).withheld),
        "reliability_by_score": _by_score(verdicts),
        **_latency(runs),
        "curves": curves(verdicts),
        "outcomes": outcomes(verdicts),
        "failures": misses(verdicts),
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


def _answered_or_refused(verdicts: Sequence[Verdict]) -> Summary:
    to_answer = [verdict for verdict in verdicts if verdict.labelled.expect == "answer"]
    to_refuse = [verdict for verdict in verdicts if verdict.labelled.expect == "refuse"]
    return {
        "answered_rate": _answered(to_answer),
        "answered_rate_by_kind": _by_kind(to_answer),
        "false_answer_rate": _by_kind(to_refuse),
        "false_answer_rate_overall": _answered(to_refuse),
    }


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
        **_attributions(verdicts),
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


def _attributions(verdicts: Sequence[Verdict]) -> Summary:
    """Return the attributions of the answers' drafts, and of the drafts refused for it (P4, E1)."""
    responses = [(verdict.answered, verdict.run.response) for verdict in verdicts if verdict.run.response]
    of = {
        answered: [
            response["attribution_coverage"]
            for was_answered, response in responses
            if was_answered is answered and response["attribution_coverage"] is not None
        ]
        for answered in (True, False)
    }
    return {
        "attribution_coverage": _attribution(of[True]),
        "whole_drafts_rate": rate_of([coverage == 1 for coverage in of[True]]),
        "refused_drafts": len(of[False]),
    }


def _attribution(coverages: Sequence[float]) -> Summary:
    return {
        "rate": fmean(coverages) if coverages else None,
        "lowest": min(coverages, default=None),
        "n": len(coverages),
        "target": ATTRIBUTION_TARGET,
    }


def _generator_calls_on_refusal(verdicts: Sequence[Verdict]) -> int:
    """Calls for refused questions; only a draft that failed its attribution may leave any (G8, P4)."""
    refused = (verdict for verdict in verdicts if verdict.run.response is not None and not verdict.answered)
    return sum(verdict.run.generator_calls for verdict in refused)


def _by_level(verdicts: Sequence[Verdict], withheld: Collection[ConfidenceLevel]) -> dict[str, Summary]:
    """Return how often answers of each level are right (F3)."""
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


def _latency(runs: Sequence[Run]) -> Summary:
    """Return the times of the whole question, and of each stage with how many reached it."""
    times = by_stage(runs)
    return {
        "latency_ms": percentiles(times["total"]),
        "latency_ms_by_stage": {
            stage: {"n": len(values), **percentiles(values)} for stage, values in times.items()
        },
    }
