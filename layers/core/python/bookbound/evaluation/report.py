"""The evaluation's report: one HTML file that needs nothing else, and the same figures as JSON (E2)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bookbound.deadline import GENERATION, RETRIEVAL, TOTAL
from bookbound.evaluation import plots
from bookbound.evaluation.baseline import Comparison
from bookbound.evaluation.comparison import NOISE, Move
from bookbound.evaluation.curve_plot import curve_plot
from bookbound.evaluation.curves import METHODS
from bookbound.evaluation.html import page
from bookbound.evaluation.latency import Times
from bookbound.evaluation.latency_plot import latency_plot
from bookbound.evaluation.metrics import Summary
from bookbound.evaluation.misses import Miss
from bookbound.evaluation.stages import STAGE_NAMES

_FIGURES = {
    "answered_rate": "answered, of the questions to answer",
    "right_source_rate": "answers that show an evidence passage",
    "answer_points_rate": "answer points found in answers",
    "literal_citation_rate": "excerpts that are the book's own text",
    "every_sentence_cited_rate": "answers whose every sentence is cited",
    "false_answer_rate_overall": "answered, of the questions to refuse",
    "reason_accuracy": "refusals with the right reason",
}

_ATTRIBUTION = {
    "whole_drafts_rate": "every sentence of the draft supported",
    "every_sentence_cited_rate": "every sentence of the answer cited",
    "literal_citation_rate": "excerpts that are the book's own text",
}

_BUDGETS = {"retrieval": RETRIEVAL, "generation": GENERATION, "total": TOTAL}
"""Seconds that a stage has (D2); verification lies within what is left."""

_RETRIEVAL = {
    "top1": "the first candidate is evidence",
    "top5": "evidence is among the first five candidates",
}


def render_json(summary: Summary, comparison: Comparison | None = None) -> str:
    """The summary as indented JSON, a final newline included.

    A rate is a number under its own key; its count and interval stand under the same keys in `counts`. What
    moved since an earlier evaluation stands in `comparison`.
    """
    written = _plain(summary) | {"counts": _counts(summary)}
    if comparison:
        written["comparison"] = asdict(comparison)
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return value["rate"] if "rate" in value else {key: _plain(inner) for key, inner in value.items()}


def _counts(value: Any) -> Any:
    if not isinstance(value, dict) or "rate" in value:
        return value if isinstance(value, dict) else None
    counts = {key: _counts(inner) for key, inner in value.items()}
    return {key: inner for key, inner in counts.items() if inner}


def render_html(summary: Summary, times: Times, title: str, comparison: Comparison | None = None) -> str:
    """Render the report as a separate page; what moved since an earlier evaluation is shown first."""
    return page(
        Path(__file__).with_name("report.html.j2"),
        title=title,
        summary=summary,
        comparison=comparison,
        moved=[change for change in comparison.changes if change.moved] if comparison else [],
        noise=NOISE,
        beyond_noise=Move.BEYOND_NOISE,
        figures=[(_FIGURES[key], summary[key]) for key in _FIGURES],
        retrieval=[(_RETRIEVAL[key], row) for key, row in summary["retrieval"].items()],
        stages=[(name, summary["lost"][stage]) for stage, name in STAGE_NAMES.items()],
        methods=METHODS,
        verdicts={name: level_verdict(level) for name, level in summary["reliability"].items()},
        budgets=_BUDGETS,
        missed={failure["id"] for failure in summary["failures"]},
        filters=_filters(summary["failures"]),
        plots=_plots(summary, times),
    )


def _filters(failures: list[Miss]) -> dict[str, dict[str, tuple[str, int]]]:
    """Return the choices for misses, with their counts: a class on the page for every value.

    Kinds have free names in the labels, so that none is a class directly.
    """
    ways = {
        "kind": Counter(failure["kind"] for failure in failures),
        "sort": Counter(sort for failure in failures for sort in failure["sorts"]),
    }
    return {
        way: {value: (f"{way}-{number}", count) for number, (value, count) in enumerate(counts.items())}
        for way, counts in ways.items()
    }


def breaks_promise(level: dict[str, Any]) -> bool:
    """Return whether the answers show that a confidence level is not what it promises (F3)."""
    return level["target"] is not None and bool(level["n"]) and bool(level["high"] < level["target"])


def level_verdict(level: dict[str, Any]) -> str:
    """Return whether the data carry what a confidence level promises (F3)."""
    if level["target"] is None:
        return "promises nothing"
    promise = f"{level['target']:.0%}"
    if level["withheld"] and not level["n"]:
        return f"withheld: never given, until enough answers show {promise}"
    if level["low"] >= level["target"]:
        return f"shown to be right {promise} of the time"
    if breaks_promise(level):
        return f"misses its {promise}"
    return f"too few answers to show {promise}" if level["n"] else f"no answers, {promise} not shown"


def _plots(summary: Summary, times: Times) -> dict[str, str]:
    attribution = {name: summary[key] for key, name in _ATTRIBUTION.items()}
    return {
        "answered": plots.rates(summary["answered_rate_by_kind"], "answered rate by kind"),
        "false_answers": plots.rates(summary["false_answer_rate"], "false answers by kind"),
        "attribution": plots.rates(attribution, "attribution", left=260),
        "reliability": plots.reliability(summary["reliability_by_score"], "accuracy by confidence"),
        "curves": curve_plot(summary["curves"]["all"], "all questions to refuse"),
        "near_miss_curves": curve_plot(summary["curves"]["near_miss"], "the near misses"),
        "latency": latency_plot(times, "time by stage"),
    }
