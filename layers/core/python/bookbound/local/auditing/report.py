"""The audit report: one HTML file that needs nothing else (E2). Questions are hostile: all is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bookbound.authoring.gaps import Group
from bookbound.authoring.tally import weeks
from bookbound.drawing import charts
from bookbound.evaluation import plots
from bookbound.evaluation.html import page
from bookbound.local.auditing.figures import total
from bookbound.local.auditing.nearest import Section

GROUPS_SHOWN = 40

MOST_DAYS = 120
"""With more the plot shows weeks: a weekend is a gap, not a trend."""


def render(
    figures: Mapping[str, Any],
    unanswered: Sequence[Group],
    nearest: Sequence[Section | None],
    title: str,
) -> str:
    """The page. `figures` is what figures.gather found, `nearest` has a place for each group shown."""
    return page(
        Path(__file__).with_name("report.html.j2"),
        title=title,
        figures=figures,
        period=figures["period"],
        days=figures["days"],
        weekly=_weekly(figures["days"]),
        refused=sum(figures["period"]["refused"].values()),
        failed=sum(figures["period"]["errors"].values()),
        unanswered=list(zip(unanswered, nearest, strict=False)),
        groups=len(unanswered),
        asked_in_vain=sum(group.count for group in unanswered),
        dollars=total(row["dollars"] for row in figures["costs"]),
        plots=_plots(figures),
    )


def _weekly(days: Sequence[Any]) -> bool:
    return len(days) > MOST_DAYS


def _plots(figures: Mapping[str, Any]) -> dict[str, str]:
    questions = figures["period"]["questions"]
    reasons = [row | {"share": row["n"] / questions} for row in figures["reasons"]]
    latency = {"total" if name == "latency" else name: row for name, row in figures["latency"].items()}
    confidence = [{"start": row["start"], "answers": row["n"]} for row in figures["confidence"]]
    days = weeks(figures["days"]) if _weekly(figures["days"]) else figures["days"]
    return {
        "days": charts.days(days, "questions by day or week"),
        "reasons": charts.shares(reasons, "questions without an answer, by reason"),
        "confidence": charts.columns(confidence, ("answers",), 0.05, "answers by confidence"),
        "reliability": plots.reliability(figures["reliability"], "share called correct, by confidence"),
        "attribution": charts.columns(
            figures["attribution"], ("answers", "refused"), 0.1, "drafts by attribution coverage"
        ),
        "latency": charts.spans(latency, "milliseconds by stage"),
    }
