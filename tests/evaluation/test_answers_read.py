"""Answers that judges read: what they get, what is kept of it, and what the page makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation import books_page
from evaluation.answers_read import app, read, to_read
from evaluation.asked_books import Outcome, Shown
from evaluation.readings import Reading, answer_of, said_of, stored
from tests.evaluation.runs import to_answer
from tests.evaluation.test_books import DECEIVED, FAR, RIGHT
from training import lines

ANSWERED = replace(RIGHT, shown=(Shown("It lasts 90 minutes.", "Battery"),))
SHEET = [
    {"id": "a", "question": "?", "selected": None, "answer": [{"n": 1, "section": "B", "text": "It lasts."}]},
    {"id": "b", "question": "?", "selected": None, "answer": [{"n": 1, "section": "B", "text": "Not this."}]},
]


def test_a_sheet_has_the_answers_in_the_order_of_their_ids_and_no_label() -> None:
    """Refusals and what was read already are left out, and nothing in a line tells what it counts as."""
    asked = [to_answer(id=one) for one in "cbaf"]
    outcomes = [replace(ANSWERED, id=one) for one in "cba"] + [replace(FAR, id="f")]
    sheet = to_read(asked, outcomes, "astronomy", _reading(ANSWERED, "full", "full"))
    assert [line["id"] for line in sheet] == ["b", "c"]
    assert sheet[0] == {
        "id": "b",
        "question": asked[0].question,
        "selected": None,
        "answer": [{"n": 1, "section": "Battery", "text": "It lasts 90 minutes."}],
    }


def test_what_both_judges_say_is_kept_for_this_very_answer(tmp_path: Path) -> None:
    """Another answer to the same question has not been read."""
    _judged(tmp_path, ["full", "none"], ["full", "part"])
    assert "2 answers read" in _run("take", str(tmp_path), "--into", str(tmp_path / "read.jsonl"))
    known = stored(tmp_path / "read.jsonl")
    same = replace(ANSWERED, id="b", shown=(Shown("Not this.", "B"),))
    assert said_of(same, "astronomy", known) == ("none", "part")
    assert said_of(replace(same, shown=ANSWERED.shown), "astronomy", known) == ()
    assert said_of(same, "philosophy", known) == ()


@pytest.mark.parametrize(
    ("second", "told"),
    [(["full"], "a line for each"), (["full", "maybe"], "maybe is no grade"), (None, "astronomy-1.b")],
)
def test_a_sheet_with_a_fault_is_named_and_nothing_is_kept(
    tmp_path: Path, second: list[str] | None, told: str
) -> None:
    """A judge who left a line out, or invented a grade, would move every line after it."""
    _judged(tmp_path, ["full", "none"], second)
    into = tmp_path / "read.jsonl"
    with pytest.raises((OSError, ValueError), match=told):
        list(read(tmp_path / "astronomy-1.jsonl"))
    _run("take", str(tmp_path), "--into", str(into), code=2)
    assert not into.exists()


def test_the_page_shows_what_judges_said_by_what_an_answer_counts_as() -> None:
    """An answer that was not read counts among the answers alone."""
    wrong = replace(ANSWERED, id="w", right=False)
    asked = [
        ANSWERED,
        wrong,
        replace(DECEIVED, shown=ANSWERED.shown),
        replace(ANSWERED, id="s", selected=True),
    ]
    known = _reading(ANSWERED, "full", "full") | _reading(wrong, "full", "none")
    found = books_page.figures({"astronomy": asked}, {}, known)
    assert found["read"]["right"] == {"answers": 1, "read": 1, "alike": 1, "both": 1, "one": 0, "none": 0}
    assert found["read"]["wrong"] == {"answers": 1, "read": 1, "alike": 0, "both": 0, "one": 1, "none": 0}
    assert found["read"]["near_miss"]["read"] == found["read"]["selected"]["read"] == 0
    assert "| not from a right source | 1 | 1 | 0 | 0 | 1 | 0 |" in books_page.page(found)


def test_the_surest_answers_go_down_to_half_of_the_right_ones() -> None:
    """In the order of their sufficiency, by labels and by what both judges call full (F3)."""
    ordered = [
        replace(ANSWERED, id=str(at), right=right, scores={"sufficiency": 1.0 - at / 10})
        for at, right in enumerate([True, False, True, True, True])
    ]
    known = _reading(ordered[0], "full", "part") | _reading(ordered[2], "full", "full")
    scored = [replace(one, scores={"cosine": 0.5, "bm25": 1.0, **one.scores}) for one in ordered]
    surest = books_page.figures({"astronomy": scored}, {}, known)["surest"]
    assert (surest["labels"]["hits"], surest["labels"]["n"]) == (2, 3)
    assert (surest["judges"]["hits"], surest["judges"]["n"]) == (1, 2)


def _reading(one: Outcome, *said: str) -> dict[tuple[str, str], Reading]:
    answer = answer_of(shown.text for shown in one.shown)
    return {("astronomy", one.id): Reading("astronomy", one.id, answer, said)}


def _judged(folder: Path, first: Sequence[str], second: Sequence[str] | None) -> None:
    lines.write(folder / "astronomy-1.jsonl", SHEET)
    for judge, said in (("a", first), ("b", second)):
        if said is not None:
            graded = zip(SHEET, said, strict=False)
            lines.write(
                folder / f"astronomy-1.{judge}.jsonl",
                [{"id": line["id"], "grade": grade, "by": []} for line, grade in graded],
            )


def _run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    return result.output
