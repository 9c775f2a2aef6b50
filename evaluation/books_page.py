"""The page of the measure on open books: its figures, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import Any

from jinja2 import Environment

from bookbound.evaluation.curves import UNANSWERED, matching
from bookbound.evaluation.rates import Rate, auroc, rate, rate_of
from evaluation.asked_books import Outcome, PeerScores
from evaluation.readings import Readings, said_of
from training.lines import JUDGING

Asked = Mapping[str, Sequence[Outcome]]
"""Outcomes by book."""

Scored = Mapping[str, Mapping[str, float]]
"""Book → question id → score."""

Figures = dict[str, Any]

CUT_OFFS = {"cosine": "highest cosine", "bm25": "highest BM25 sum"}
METHODS = ("sufficiency", *CUT_OFFS)
GROUPS = {"judging": "the five judging books", "training": "the other books"}
COUNTED = {
    "right": "right",
    "wrong": "not from a right source",
    "near_miss": "a near miss",
    "other": "another question to refuse",
    "selected": "about selected text",
}
FULL_FOR_BOTH = ("full", "full")
LEVELS = ("high", "medium", "low")

STEPS = 400
"""Thresholds that are tried at most, where the one with the highest Youden's J is looked for."""

_TEMPLATE = Path(__file__).with_name("books.md.j2")


def figures(asked: Asked, peers: PeerScores, read: Readings) -> Figures:
    """Return everything that the page shows, as plain numbers; `read` is what judges said of answers."""
    judging = {name: each for name, each in asked.items() if name in JUDGING}
    others = {name: each for name, each in asked.items() if name not in JUDGING}
    told = _told(judging, read)
    groups = {name: _all(of) for name, of in (("judging", judging), ("training", others)) if of}
    return {
        "groups": {name: _summary(each) for name, each in groups.items()},
        "books": {name: _summary(each) for name, each in asked.items()},
        "kinds": {name: _by_kind(each) for name, each in groups.items()},
        "levels": {name: _levels(each) for name, each in groups.items()},
        "read": _read(told),
        "surest": _surest(told),
        "cut_offs": _cut_offs(judging, peers) if len(judging) > 1 else {},
    }


def page(found: Figures) -> str:
    """Return the page as Markdown."""
    rows = [(GROUPS[name], each) for name, each in found["groups"].items()] + list(found["books"].items())
    environment = Environment(keep_trailing_newline=True)  # noqa: S701 - Markdown of our own numbers
    return environment.from_string(_TEMPLATE.read_text("utf-8")).render(
        found=found, rows=rows, groups=GROUPS, counted=COUNTED
    )


def _all(asked: Asked) -> list[Outcome]:
    return [one for each in asked.values() for one in each]


def _summary(outcomes: Sequence[Outcome]) -> Figures:
    to_answer = [one for one in outcomes if one.expect == "answer"]
    to_refuse = [one for one in outcomes if one.expect == "refuse"]
    return {
        "questions": len(outcomes),
        "failed": sum(one.failed for one in outcomes),
        "answered": _answered(to_answer),
        "right": _right(to_answer),
        "answered_and_right": rate_of([bool(one.right) for one in to_answer]),
        "points": rate(sum(one.points for one in to_answer), sum(one.points_of for one in to_answer)),
        "to_the_point": rate(
            sum(one.to_the_point for one in to_answer), sum(one.sentences for one in to_answer)
        ),
        "evidence_in_5": _found(to_answer, 5),
        "evidence_in_20": _found(to_answer, 20),
        "near_misses": _answered(_near_misses(outcomes)),
        "others": _answered([one for one in to_refuse if one.kind != "near_miss"]),
        "with_model": _with_model(outcomes),
        "auroc": {name: _auroc(outcomes, _own_scores(outcomes, name)) for name in METHODS},
    }


def _with_model(outcomes: Sequence[Outcome]) -> Figures:
    """What reaches a generator that can refuse by itself, and with evidence among its passages."""
    searched = [one for one in outcomes if one.expect == "answer" and not one.selected]
    return {
        "reach": rate_of([one.reaches for one in outcomes if one.expect == "answer"]),
        "with_evidence": rate_of([one.given for one in searched]),
        "near_misses": rate_of([one.reaches for one in _near_misses(outcomes)]),
    }


def _by_kind(outcomes: Sequence[Outcome]) -> Figures:
    kinds = dict.fromkeys(sorted(one.kind for one in outcomes))
    return {kind: _kind([one for one in outcomes if one.kind == kind]) for kind in kinds}


def _kind(outcomes: Sequence[Outcome]) -> Figures:
    found: Figures = {"answered": _answered(outcomes)}
    if outcomes[0].expect == "answer":
        right = rate_of([bool(one.right) for one in outcomes])
        found |= {"right": _right(outcomes), "answered_and_right": right}
    return found


def _levels(outcomes: Sequence[Outcome]) -> Figures:
    """Return how often answers of each level are right; one to a question to refuse is wrong (F3)."""
    answers = [one for one in outcomes if one.answered and (one.expect == "refuse" or one.right is not None)]
    right = [one for one in answers if one.expect == "answer" and one.right]
    return {
        level: {
            "right": rate_of(
                [one.expect == "answer" and bool(one.right) for one in answers if one.level == level]
            ),
            "share_of_right": rate_of([one.level == level for one in right]),
        }
        for level in LEVELS
    }


Told = Sequence[tuple[Outcome, tuple[str, ...]]]
"""Answers, with what judges who saw no label said of each."""


def _told(asked: Asked, known: Readings) -> Told:
    return [(one, said_of(one, book, known)) for book, each in asked.items() for one in each if one.answered]


def _read(told: Told) -> Figures:
    """What judges said of the answers, by what each counts as."""
    counted: dict[str, list[tuple[str, ...]]] = {}
    for one, said in told:
        counted.setdefault(_counts_as(one), []).append(said)
    return {name: _said(counted[name]) for name in COUNTED if name in counted}


def _surest(told: Told) -> Figures:
    """How many are right of the answers with the highest sufficiency, down to half of the right ones (F3).

    By labels, and by what both judges call full; without questions about selected text.
    """
    plain = [(one, said) for one, said in told if not one.selected]
    by_score = sorted(plain, key=lambda each: each[0].scores["sufficiency"], reverse=True)
    return {
        "labels": _down_to_half([bool(one.right) for one, _ in by_score]),
        "judges": _down_to_half([said == FULL_FOR_BOTH for _, said in by_score if said]),
    }


def _down_to_half(right: Sequence[bool]) -> Rate:
    so_far = enumerate(accumulate(right, initial=0))
    return rate_of(right[: next(at for at, hits in so_far if 2 * hits >= sum(right))])


def _counts_as(one: Outcome) -> str:
    if one.selected:
        return "selected"
    if one.expect == "refuse":
        return "near_miss" if one.kind == "near_miss" else "other"
    return "right" if one.right else "wrong"


def _said(all_said: Sequence[tuple[str, ...]]) -> Figures:
    read = [said for said in all_said if said]
    full = [said.count("full") for said in read]
    return {
        "answers": len(all_said),
        "read": len(read),
        "alike": sum(len({*said}) == 1 for said in read),
        "both": full.count(2),
        "one": full.count(1),
        "none": full.count(0),
    }


def _cut_offs(asked: Asked, peers: PeerScores) -> Figures:
    """Return the product's rates next to those of cut-offs and peers, on questions without selected text.

    `fitted`: at the threshold with the highest Youden's J on the other books. `same`: at the strictest
    threshold that answers as many questions of each book as the product does.
    """
    plain = {name: [one for one in each if not one.selected] for name, each in asked.items()}
    systems: dict[str, Scored] = {
        label: {name: _own_scores(each, method) for name, each in plain.items()}
        for method, label in CUT_OFFS.items()
    }
    systems |= {peer: of for peer, of in peers.items() if set(of) >= set(plain)}
    sufficiency = {name: _own_scores(each, "sufficiency") for name, each in plain.items()}
    shipped = _sides(plain, lambda book, one: one.answered)
    found: Figures = {"Bookbound as shipped": {"fitted": shipped, "auroc": _mean_auroc(plain, sufficiency)}}
    for name, scores in systems.items():
        found[name] = {
            "fitted": _fitted(plain, scores),
            "same": _same(plain, scores),
            "auroc": _mean_auroc(plain, scores),
        }
    return found


def _own_scores(outcomes: Sequence[Outcome], method: str) -> dict[str, float]:
    return {one.id: one.scores[method] for one in outcomes}


def _fitted(plain: Asked, scores: Scored) -> Figures:
    thresholds = {
        book: _best([(scores[name][one.id], one) for name in plain if name != book for one in plain[name]])
        for book in plain
    }
    return _sides(plain, lambda book, one: scores[book][one.id] >= thresholds[book])


def _best(scored: Sequence[tuple[float, Outcome]]) -> float:
    """Return the threshold with the highest Youden's J (1950) between questions to answer and to refuse."""
    positives = [value for value, one in scored if one.expect == "answer"]
    negatives = [value for value, one in scored if one.expect == "refuse"]

    def j(threshold: float) -> float:
        return _reaching(positives, threshold) - _reaching(negatives, threshold)

    candidates = sorted({value for value, _ in scored} - {UNANSWERED})
    return max(candidates[:: max(1, len(candidates) // STEPS)], key=j)


def _reaching(values: Sequence[float], threshold: float) -> float:
    return sum(value >= threshold for value in values) / len(values)


def _same(plain: Asked, scores: Scored) -> Figures:
    answered, near_misses = [], []
    for book, each in plain.items():
        positives = [scores[book][one.id] for one in each if one.expect == "answer"]
        negatives = [scores[book][one.id] for one in _near_misses(each)]
        like = _answered([one for one in each if one.expect == "answer"])
        point = matching({"threshold": 0.0, "answered": like, "false_answers": like}, positives, negatives)
        answered.append(point["answered"] if point else rate(len(positives), len(positives)))
        near_misses.append(point["false_answers"] if point else rate(len(negatives), len(negatives)))
    return {"answered": _pooled(answered), "near_misses": _pooled(near_misses)}


def _pooled(rates: Sequence[Rate]) -> Rate:
    return rate(sum(one["hits"] for one in rates), sum(one["n"] for one in rates))


def _sides(plain: Asked, answers: Callable[[str, Outcome], bool]) -> Figures:
    decided = [(one, answers(book, one)) for book, each in plain.items() for one in each]
    refused = [(one, yes) for one, yes in decided if one.expect == "refuse"]
    return {
        "answered": rate_of([yes for one, yes in decided if one.expect == "answer"]),
        "near_misses": rate_of([yes for one, yes in refused if one.kind == "near_miss"]),
        "others": rate_of([yes for one, yes in refused if one.kind != "near_miss"]),
    }


def _mean_auroc(plain: Asked, scores: Scored) -> float | None:
    each = [_auroc(outcomes, scores[book]) for book, outcomes in plain.items()]
    known = [value for value in each if value is not None]
    return fmean(known) if known else None


def _auroc(outcomes: Sequence[Outcome], scores: Mapping[str, float]) -> float | None:
    """Return the AUROC of questions to answer against near misses, selected text left out."""
    plain = [one for one in outcomes if not one.selected]
    to_answer = [scores[one.id] for one in plain if one.expect == "answer"]
    return auroc(to_answer, [scores[one.id] for one in _near_misses(plain)])


def _near_misses(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [one for one in outcomes if one.kind == "near_miss"]


def _answered(outcomes: Sequence[Outcome]) -> Rate:
    return rate_of([one.answered for one in outcomes])


def _right(outcomes: Sequence[Outcome]) -> Rate:
    return rate_of([one.right for one in outcomes if one.right is not None])


def _found(outcomes: Sequence[Outcome], within: int) -> Rate:
    plain = [one for one in outcomes if not one.selected]
    return rate_of([one.evidence_rank is not None and one.evidence_rank <= within for one in plain])
