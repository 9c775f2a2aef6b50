"""Figures of a period's audit records."""

from __future__ import annotations

from typing import Any

import pytest

from bookbound.evaluation.audited import period


def record(number: int, **fields: Any) -> dict[str, Any]:
    """An answered question."""
    return {
        "log_id": f"log-{number}",
        "success": True,
        "was_refusal": False,
        "refusal_reason": None,
        "error_message": None,
        "attribution_coverage": 1.0,
    } | fields


@pytest.mark.rule("E1")
def test_attribution_over_a_period_is_that_of_its_answers() -> None:
    """Mean, lowest, how many are below the target; refused drafts are counted apart."""
    figures = period(
        [
            record(1),
            record(2, attribution_coverage=0.9),
            record(3, was_refusal=True, refusal_reason="insufficient_context", attribution_coverage=0.5),
            record(4, was_refusal=True, refusal_reason="out_of_scope", attribution_coverage=None),
        ]
    )["attribution_coverage"]
    assert figures["answers"] == {
        "n": 2,
        "mean": 0.95,
        "lowest": 0.9,
        "below_target": 0,
        "target": 0.9,
    }
    assert figures["refused_drafts"]["below_target"] == 1


@pytest.mark.rule("E1", "G13")
def test_refusals_and_errors_are_counted_by_their_kind() -> None:
    """A fault is no refusal; a record that was delivered twice counts once."""
    failed = record(3, success=False, error_message="DeadlineExceeded: too slow", attribution_coverage=None)
    figures = period(
        [record(1), record(1), record(2, was_refusal=True, refusal_reason="empty_retrieval"), failed]
    )
    assert (figures["questions"], figures["answered"]) == (3, 1)
    assert (figures["refused"], figures["errors"]) == ({"empty_retrieval": 1}, {"DeadlineExceeded": 1})


def test_a_period_without_questions_has_no_mean() -> None:
    """Not a division by zero."""
    assert period([])["attribution_coverage"]["answers"]["mean"] is None
