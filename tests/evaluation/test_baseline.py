"""The baseline that later evaluations are compared with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bookbound.evaluation import baseline, questions
from bookbound.evaluation.comparison import Move
from bookbound.evaluation.metrics import summarise
from bookbound.evaluation.outcomes import MEASURES
from bookbound.evaluation.records import InputError
from bookbound.evaluation.report import render_json
from bookbound.evaluation.telling import moved
from evaluation import gate
from tests.evaluation.runs import sufficiency, to_answer, to_refuse, verdict

SUMMARY = {
    "questions": 2,
    "answered_rate": {"rate": 0.5, "hits": 1, "n": 2, "low": 0.1, "high": 0.9},
    "false_answer_rate": {"far": {"rate": 0.0, "hits": 0, "n": 1, "low": 0.0, "high": 0.8}},
    "latency_ms": {"p50": 7},
    "curves": {"all": {"auroc": 0.75, "points": [{"threshold": 0.5}]}},
    "outcomes": {"a": {"answered": 1, "answer_points": 0.5}, "b": {"false_answer": 0}},
    "failures": [],
}
LABELLED = [to_answer(id="a"), to_refuse(kind="far")]


def kept(tmp_path: Path, text: str) -> baseline.Baseline:
    path = tmp_path / "baseline.json"
    path.write_text(text, "utf-8")
    return baseline.load(path)


def test_figures_are_flat_and_leave_out_what_a_machine_decides() -> None:
    """Names are dotted; latencies are no baseline, and a curve is compared by its area."""
    assert baseline.figures(SUMMARY) == {
        "questions": 2,
        "answered_rate": 0.5,
        "false_answer_rate.far": 0.0,
        "curves.all.auroc": 0.75,
    }


def test_a_baseline_reads_back_and_has_a_line_a_question(tmp_path: Path) -> None:
    """A diff of it shows which questions came to something else."""
    text = baseline.as_text(SUMMARY)
    assert [line for line in text.splitlines() if '"b"' in line] == ['  "b": {"false_answer": 0}']
    assert kept(tmp_path, text) == baseline.Baseline(baseline.figures(SUMMARY), SUMMARY["outcomes"])


def test_what_evaluate_wrote_is_a_baseline_too(tmp_path: Path) -> None:
    """The owner of another book keeps the summary of an evaluation to compare the next one with it."""
    asked = [verdict(to_answer(), sufficiency(0.9), answer="The battery lasts for 90 minutes.")]
    summary = summarise([one.labelled for one in asked], [one.run for one in asked])
    written = kept(tmp_path, render_json(summary))
    assert written == baseline.Baseline(baseline.figures(summary), summary["outcomes"])
    assert moved(baseline.against(written, summary, [to_answer()])) == [
        "every question came to what it came to in the baseline"
    ]


@pytest.mark.parametrize("text", ["[]", "{}", "no JSON", '{"outcomes": {}, "questions": "many"}'])
def test_a_file_that_is_no_summary_is_named(tmp_path: Path, text: str) -> None:
    """Not a traceback, nor a comparison with nothing."""
    with pytest.raises(InputError, match=r"baseline\.json"):
        kept(tmp_path, text)


def test_what_moved_is_told_and_what_did_not_is_not() -> None:
    """A rate with its questions, a figure with its old and new value; silence about the rest."""
    before = baseline.Baseline(baseline.figures(SUMMARY) | {"auroc": 0.5}, SUMMARY["outcomes"])
    now = SUMMARY | {"outcomes": {"a": {"answered": 0}, "r": {"false_answer": 0}}}
    compared = baseline.against(before, now, LABELLED)
    assert [(change.name, change.move) for change in compared.changes] == [
        ("answered", Move.WITHIN_NOISE),
        ("answered.fact", Move.WITHIN_NOISE),
    ]
    assert (compared.gone, compared.new) == (("b",), ("r",))
    assert moved(compared) == [
        "worse, within noise: answered, of the questions to answer: 100.0% → 0.0%"
        " (1 worse, 0 better of 1, p = 0.5)",
        "worse, within noise: answered, of the questions to answer: fact: 100.0% → 0.0%"
        " (1 worse, 0 better of 1, p = 0.5)",
        "auroc: 0.5 → –",
        "questions that the baseline does not have: r",
        "questions of the baseline that were not asked: b",
    ]


@pytest.mark.rule("E2")
def test_the_committed_baseline_is_of_the_sample_books_questions() -> None:
    """Every question has its outcome there, and every measure at least one question that it moves with."""
    committed = baseline.load(gate.COMMITTED)
    labelled = questions.load(Path("sample_book/questions.jsonl"))
    assert list(committed.outcomes) == [question.id for question in labelled]
    assert {name for found in committed.outcomes.values() for name in found} == {
        measure.name for measure in MEASURES
    }
    assert json.loads(gate.COMMITTED.read_text("utf-8"))["errors"] == 0
