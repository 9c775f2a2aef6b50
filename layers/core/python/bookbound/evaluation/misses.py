"""Every question that went wrong, with all that it takes to see why (E2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from bookbound.evaluation.judging import Response, Verdict, holds_evidence
from bookbound.model import Candidate

Miss = dict[str, Any]

PLACES = 6
"""Number of the best candidates shown: those that can reach the generator, and the next one."""

_SHOWN_SOURCE = ("id", "document", "section", "page", "url", "score", "similarity", "excerpt")
_TEXT = 160


class Sort(StrEnum):
    """In which way a question went wrong; it may be several."""

    NO_RESPONSE = "no response"
    FALSE_ANSWER = "answered, should refuse"
    REFUSED = "refused, should answer"
    OTHER_SOURCE = "answered from another source"
    POINTS = "answer points missing"
    REASON = "refused for another reason"
    CITATION = "citation at fault"


def misses(verdicts: Sequence[Verdict]) -> list[Miss]:
    """Return what was asked, expected and done, JSON-ready, for each verdict at fault, in order."""
    return [_miss(verdict) for verdict in verdicts if verdict.wrong]


def sorts(verdict: Verdict) -> Iterator[Sort]:
    """Every way in which it went wrong, the plainest first."""
    asked_for = verdict.labelled.expect == "answer"
    points_missing = not all(made for _, made in verdict.points)
    not_literal = not all(literal for _, literal in verdict.excerpts)
    answered_at_all = verdict.run.response is not None
    ways = {
        Sort.NO_RESPONSE: not answered_at_all,
        Sort.FALSE_ANSWER: verdict.answered and not asked_for,
        Sort.REFUSED: answered_at_all and asked_for and not verdict.answered,
        Sort.OTHER_SOURCE: verdict.right_source is False,
        Sort.POINTS: points_missing,
        Sort.REASON: answered_at_all and verdict.right_reason is False,
        Sort.CITATION: not_literal or verdict.all_cited is False,
    }
    return (sort for sort, so in ways.items() if so)


def _miss(verdict: Verdict) -> Miss:
    labelled, run = verdict.labelled, verdict.run
    return {
        "id": labelled.id,
        "kind": labelled.kind,
        "expect": labelled.expect,
        "question": labelled.question,
        "selected_text": labelled.selected_text,
        "sorts": [sort.value for sort in sorts(verdict)],
        "wrong": list(verdict.wrong),
        "expected": {
            "evidence": [asdict(quote) for quote in labelled.quotes],
            "answer_points": list(labelled.answer_points),
            "refusal_reasons": list(labelled.refusal_reasons),
        },
        "came": None if run.response is None else _came(run.response),
        "evidence_rank": verdict.evidence_rank,
        "candidates": len(run.candidates),
        "places": list(_places(verdict)),
        "attempts": [asdict(attempt) for attempt in run.attempts],
        "findings": [asdict(finding) for finding in run.findings],
    }


def _came(response: Response) -> Miss:
    """Return an answer's sentences and sources, or a refusal's reason."""
    return {
        "refusal_reason": response["refusal_reason"],
        "sentences": [
            {"text": sentence["text"], "source_ids": sentence["source_ids"]}
            for sentence in response["sentences"]
        ],
        "sources": [
            {key: source[key] for key in _SHOWN_SOURCE if key in source} for source in response["sources"]
        ],
        "confidence_score": response["confidence_score"],
        "confidence_level": response["confidence_level"],
        "attribution_coverage": response["attribution_coverage"],
        "unavailable": list(response.get("unavailable", ())),
    }


def _places(verdict: Verdict) -> Iterator[Miss]:
    """The best candidates, and below them the first that is evidence."""
    for place, candidate in enumerate(verdict.run.candidates, 1):
        if place <= PLACES or place == verdict.evidence_rank:
            passage = candidate.passage
            yield {
                "place": place,
                "source_id": verdict.run.admitted.get(passage.chunk_id),
                "evidence": holds_evidence(verdict.labelled, passage.document, passage.text),
                "document": passage.document,
                "page": passage.page,
                "score": round(candidate.score, 3),
                "similarity": round(candidate.similarity, 3),
                "lexical": round(candidate.lexical, 3),
                "cosine": round(candidate.cosine, 3),
                "text": _shortened(candidate),
            }


def _shortened(candidate: Candidate) -> str:
    text = " ".join(candidate.passage.text[candidate.start : candidate.end].split())
    return text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"
