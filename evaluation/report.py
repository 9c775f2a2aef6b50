"""The evaluation's report: one HTML file that needs nothing else, and the same figures as JSON (E2)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation import plots
from evaluation.curve_plot import curve_plot
from evaluation.curves import METHODS
from evaluation.html import page
from evaluation.metrics import Summary
from evaluation.stages import STAGE_NAMES

_FIGURES = {
    "answered_rate": "answered, of the questions to answer",
    "right_source_rate": "answers that show an evidence passage",
    "answer_points_rate": "answer points found in answers",
    "literal_citation_rate": "excerpts that are the book's own text",
    "every_sentence_cited_rate": "answers whose every sentence is cited",
    "false_answer_rate_overall": "answered, of the questions to refuse",
    "reason_accuracy": "refusals with the right reason",
}

_RETRIEVAL = {
    "top1": "the first candidate is evidence",
    "top5": "evidence is among the first five candidates",
}


def render_json(summary: Summary) -> str:
    """The summary as indented JSON, a final newline included.

    A rate is a number under its own key; its count and interval stand under the same keys in `counts`.
    """
    written = _plain(summary) | {"counts": _counts(summary)}
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


def render_html(summary: Summary, latencies: Sequence[float], title: str) -> str:
    """The report as a page of its own; `latencies` are the responses' total milliseconds."""
    return page(
        Path(__file__).with_name("report.html.j2"),
        title=title,
        summary=summary,
        figures=[(_FIGURES[key], summary[key]) for key in _FIGURES],
        retrieval=[(_RETRIEVAL[key], row) for key, row in summary["retrieval"].items()],
        stages=[(name, summary["lost"][stage]) for stage, name in STAGE_NAMES.items()],
        methods=METHODS,
        verdicts={name: level_verdict(level) for name, level in summary["reliability"].items()},
        plots=_plots(summary, latencies),
    )


def level_verdict(level: dict[str, Any]) -> str:
    """Whether the data carry what a confidence level promises (F3)."""
    if level["target"] is None:
        return "promises nothing"
    promise = f"{level['target']:.0%}"
    if level["withheld"] and not level["n"]:
        return f"withheld: never given, until enough answers show {promise}"
    if level["low"] >= level["target"]:
        return f"shown to be right {promise} of the time"
    if level["high"] < level["target"]:
        return f"misses its {promise}"
    return f"too few answers to show {promise}" if level["n"] else f"no answers, {promise} not shown"


def _plots(summary: Summary, latencies: Sequence[float]) -> dict[str, str]:
    marks = {name: value for name, value in summary["latency_ms"].items() if value is not None}
    return {
        "answered": plots.rates(summary["answered_rate_by_kind"], "answered rate by kind"),
        "false_answers": plots.rates(summary["false_answer_rate"], "false answers by kind"),
        "reliability": plots.reliability(summary["reliability_by_score"], "accuracy by confidence"),
        "curves": curve_plot(summary["curves"]["all"], "all questions to refuse"),
        "near_miss_curves": curve_plot(summary["curves"]["near_miss"], "the near misses"),
        "latency": plots.histogram(latencies, marks, "latency histogram"),
    }
