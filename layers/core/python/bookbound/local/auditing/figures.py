"""Figures of a period's records, as plain values for the report (E1, E2, E3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from bookbound.audit.sql_tables import QUESTIONS
from bookbound.authoring.tally import NOT_IN_THE_BOOK, every_day
from bookbound.evaluation import audited
from bookbound.evaluation.rates import rate
from bookbound.local.auditing.trail import KEPT, Row, Trail

PRICES = {"claude-haiku-5-5": (0.10, 0.50)}
"""US dollars for a million tokens read, and written: platform.claude.com, October 2026, for prompts of up to
100,000 tokens. A model that is not here costs an unknown amount, those of this machine none."""

STAGES = ("retrieval", "generation", "verification", "latency")
_PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
_TENTHS = 10

_ROW = """log_id, answer_id, session_id, book_id, timestamp, timestamp[:10] AS day, timestamp[:7] AS month,
    user_query_text AS question, source_mode, success, was_refusal, refusal_reason, error_message,
    confidence_score, confidence_level, attribution_coverage, latency_ms, retrieval_latency_ms,
    generation_latency_ms, verification_latency_ms, model, generator_calls, tokens.input_tokens AS tokens_in,
    tokens.output_tokens AS tokens_out"""

_ASKED = "asked"


class Share(TypedDict):
    """A row of a table of counts."""

    name: str
    n: int


def gather(trail: Trail) -> dict[str, Any]:
    """Every figure of the report. The records are read once; the rest is counted from what is kept of it."""
    trail.keep(_ROW, QUESTIONS)
    trail.rows(f"CREATE TEMP TABLE {_ASKED} AS SELECT * FROM {KEPT}")
    records = trail.rows(
        "SELECT log_id, success, was_refusal, refusal_reason, error_message, attribution_coverage "
        f"FROM {_ASKED}"
    )
    return {
        "period": audited.period(records),
        "unreadable": trail.unreadable(),
        "sessions": _one(trail, f"SELECT count(DISTINCT session_id) FROM {_ASKED}"),
        "days": every_day(trail.rows(_DAYS)),
        "reasons": trail.rows(_REASONS),
        "confidence": trail.rows(_CONFIDENCE),
        "levels": [_level(row) for row in trail.rows(_LEVELS)],
        "reliability": [_band(row) for row in trail.rows(_RELIABILITY)],
        "feedback": trail.rows(_FEEDBACK),
        "attribution": trail.rows(_ATTRIBUTION),
        "latency": {stage: _latency(trail, stage) for stage in STAGES},
        "costs": [costed(row) for row in trail.rows(_TOKENS)],
    }


def not_answered(trail: Trail) -> list[Row]:
    """The questions to the whole book that it does not answer, after `gather`; none about a selection."""
    return trail.rows(
        f"SELECT question, session_id, refusal_reason, day, book_id FROM {_ASKED} "
        "WHERE list_contains($reasons, refusal_reason) AND source_mode = 'full-book' ORDER BY log_id",
        {"reasons": list(NOT_IN_THE_BOOK)},
    )


def costed(row: Mapping[str, Any]) -> Row:
    """A month's tokens of a model, with what they cost; None where no price is known."""
    price = PRICES.get(row["model"])
    dollars = price and (row["tokens_in"] * price[0] + row["tokens_out"] * price[1]) / 1e6
    return {**row, "dollars": dollars}


_DAYS = f"""SELECT day, count(*) FILTER (success AND NOT was_refusal) AS answered,
    count(*) FILTER (was_refusal) AS refused, count(*) FILTER (NOT success) AS failed
    FROM {_ASKED} GROUP BY day ORDER BY day"""
_REASONS = f"""SELECT coalesce(refusal_reason, split_part(error_message, ':', 1)) AS name, count(*) AS n,
    bool_or(was_refusal) AS refusal FROM {_ASKED} WHERE was_refusal OR NOT success
    GROUP BY name ORDER BY refusal DESC, n DESC, name"""
_CONFIDENCE = f"""SELECT least(floor(confidence_score * 20), 19) / 20 AS start, count(*) AS n
    FROM {_ASKED} WHERE confidence_score IS NOT NULL GROUP BY start ORDER BY start"""
_JUDGED = f"""FROM {_ASKED} JOIN verdicts USING (answer_id)
    WHERE confidence_score IS NOT NULL AND NOT was_refusal"""
_LEVELS = f"""SELECT confidence_level AS name, count(*) AS answers,
    count(verdict) AS judged, count(*) FILTER (verdict = 'correct') AS correct
    FROM {_ASKED} LEFT JOIN verdicts USING (answer_id)
    WHERE confidence_level IS NOT NULL GROUP BY name ORDER BY min(confidence_score) DESC"""
_RELIABILITY = f"""SELECT least(floor(confidence_score * {_TENTHS}), {_TENTHS - 1}) / {_TENTHS} AS score_from,
    count(*) AS judged, count(*) FILTER (verdict = 'correct') AS correct,
    avg(confidence_score) AS mean_confidence {_JUDGED} GROUP BY score_from ORDER BY score_from"""
_FEEDBACK = f"""SELECT CASE WHEN was_refusal THEN 'refusals' ELSE 'answers' END AS name,
    count(*) FILTER (verdict = 'correct') AS correct, count(*) FILTER (verdict = 'incorrect') AS incorrect
    FROM {_ASKED} JOIN verdicts USING (answer_id) GROUP BY name ORDER BY name"""
_ATTRIBUTION = f"""SELECT least(floor(attribution_coverage * {_TENTHS}), {_TENTHS}) / {_TENTHS} AS start,
    count(*) FILTER (NOT was_refusal) AS answers, count(*) FILTER (was_refusal) AS refused
    FROM {_ASKED} WHERE attribution_coverage IS NOT NULL AND success GROUP BY start ORDER BY start"""
_TOKENS = f"""SELECT month, model, count(*) AS questions, sum(generator_calls) AS calls,
    sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out FROM {_ASKED}
    WHERE tokens_in IS NOT NULL GROUP BY month, model ORDER BY month, model"""


def _latency(trail: Trail, stage: str) -> Row:
    """Percentiles in milliseconds, over the questions that reached the stage."""
    column = "latency_ms" if stage == "latency" else f"{stage}_latency_ms"
    marks = ", ".join(f"quantile_disc({column}, {share}) AS {name}" for name, share in _PERCENTILES.items())
    (row,) = trail.rows(f"SELECT count(*) AS n, {marks} FROM {_ASKED} WHERE {column} > 0")
    return row


def _level(row: Row) -> Row:
    return row | dict(rate(row["correct"], row["judged"]))


def _band(row: Row) -> Row:
    found = rate(row["correct"], row["judged"])
    return row | dict(found) | {"accuracy": found["rate"]}


def _one(trail: Trail, sql: str) -> Any:
    (row,) = trail.rows(sql)
    (value,) = row.values()
    return value


def total(values: Iterable[float | None]) -> float | None:
    """Their sum; None when none is known."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None
