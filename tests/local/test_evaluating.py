import io
import json

import pytest
from rich.console import Console

from bookbound.errors import BookNotFound, DeadlineExceeded, Unavailable
from bookbound.evaluation.claims import Claim
from bookbound.evaluation.questions import Labelled
from bookbound.local import evaluating, verifying
from bookbound.local.progress import steps
from testing.fakes import FakeAnswers, FakeReader
from tests.api.samples import ANSWERED, result_of

QUESTIONS = [
    Labelled("q1", "fact", "What is a node?", "answer"),
    Labelled("q2", "selected_answer", "And this?", "answer", selected_text="A node."),
]


class Reported:
    """Remembers what progress it was told."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, int]] = []

    def __call__(self, step: str, done: int, of: int) -> None:
        self.calls.append((step, done, of))


async def test_every_question_is_asked_in_order_with_its_selected_text():
    """The output has a line per question, in the questions' order."""
    answers, progress = FakeAnswers(result_of(ANSWERED)), Reported()
    runs = await evaluating.run_all(answers, QUESTIONS, progress)
    assert [(question.text, question.selected_text) for question, *_ in answers.asked] == [
        ("What is a node?", None),
        ("And this?", "A node."),
    ]
    lines = [json.loads(line) for line in evaluating.as_lines(runs).splitlines()]
    assert [list(line) for line in lines] == [["id", "response", "generator_calls"]] * 2
    assert lines[0]["response"]["answer_id"] == str(result_of(ANSWERED).answer_id)
    assert progress.calls == [("questions", 0, 2), ("questions", 1, 2), ("questions", 2, 2)]


@pytest.mark.rule("G13")
@pytest.mark.parametrize("fault", [DeadlineExceeded("too slow"), Unavailable("store down")])
async def test_a_fault_is_no_response_and_the_evaluation_goes_on(fault):
    """A fault is neither an answer nor a refusal."""
    runs = await evaluating.run_all(FakeAnswers(result_of(ANSWERED), fault), QUESTIONS, Reported())
    assert [run.response for run in runs] == [None, None]
    line = json.loads(evaluating.as_lines(runs).splitlines()[0])
    assert line["error"] == f"{type(fault).__name__}: {fault}"


async def test_a_question_that_breaks_a_limit_is_a_run_without_a_response():
    """One bad label does not cost the evaluation of the others."""
    bad = Labelled("q3", "fact", "x" * 1001, "refuse")
    runs = await evaluating.run_all(FakeAnswers(result_of(ANSWERED)), [bad, *QUESTIONS], Reported())
    assert [run.response is None for run in runs] == [True, False, False]


async def test_without_a_book_there_is_nothing_to_evaluate():
    """A missing index must not look like a book that refuses."""
    with pytest.raises(BookNotFound):
        await evaluating.run_all(
            FakeAnswers(result_of(ANSWERED), BookNotFound("none")), QUESTIONS, Reported()
        )


async def test_claims_are_checked_in_order():
    """The verifier sees the claim and its passages; the output has a line per claim."""
    claims = [Claim("a", "It walks.", ("It walks.",)), Claim("b", "It flies.", ("It walks.",))]
    progress = Reported()
    checked = await verifying.check_all(FakeReader(), claims, progress)
    lines = [json.loads(line) for line in verifying.as_lines(checked).splitlines()]
    assert [(line["id"], line["supported"]) for line in lines] == [("a", True), ("b", False)]
    assert lines[0]["score"] == 1.0 > lines[1]["score"]
    assert progress.calls[-1] == ("claims", 2, 2)


def test_progress_is_drawn_on_a_terminal_only():
    """A log file or a pipe gets no bars."""
    drawn = {}
    for terminal in (True, False):
        screen = io.StringIO()
        with steps(Console(file=screen, force_terminal=terminal, width=80)) as advance:
            advance("embed", 0, 4)
            advance("embed", 4, 4)
        drawn[terminal] = screen.getvalue()
    assert "embed" in drawn[True]
    assert drawn[False] == ""
