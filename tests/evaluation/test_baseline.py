"""A change of the figures shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.baseline import figures, main

SUMMARY = {
    "questions": 2,
    "answered_rate": 0.5,
    "false_answer_rate": {"far": 0.0},
    "latency_ms": {"p50": 7},
    "curves": {"all": {"auroc": 0.75, "points": [{"threshold": 0.5}]}},
    "failures": [],
}


def test_figures_are_flat_and_leave_out_what_a_machine_decides() -> None:
    """Names are dotted; latencies are no baseline, and a curve is compared by its area."""
    assert figures(SUMMARY) == {
        "questions": 2,
        "answered_rate": 0.5,
        "false_answer_rate.far": 0.0,
        "curves.all.auroc": 0.75,
    }


def test_what_moved_is_printed_and_what_did_not_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Old and new figure, a line each; silence about the rest."""
    summary, baseline = tmp_path / "summary.json", tmp_path / "baseline.json"
    summary.write_text(json.dumps(SUMMARY))
    main(summary, baseline, write=True)
    assert "all 4 figures" in capsys.readouterr().out
    summary.write_text(json.dumps(SUMMARY | {"answered_rate": 0.75}))
    main(summary, baseline, write=False)
    assert capsys.readouterr().out == "answered_rate: 0.5 → 0.75\n"
