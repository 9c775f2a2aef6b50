"""Questions by which the choice between a table and the text is fitted: what counts as right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bookbound.evaluation.judging import Run
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.book_tables import tables
from bookbound.evidence.table_choice import FEATURES, Offer
from bookbound.evidence.table_reading import TableRead
from testing.builders import table
from training import lines as written
from training.drafts import ANSWERED
from training.reader import table_choice
from training.reader.halves import CHOOSING, all_books
from training.reader.table_choice import Noting, Told, ToTable, ToText, fit, worth

CELLS = [("Lidar", "190"), ("Camera", "72"), ("Hub", "190")]


def offer(*places: int) -> Offer:
    """These rows of a table of parts."""
    [of] = tables([table("Part | Mass (g)", *map(" | ".join, CELLS))])
    read = TableRead(of, 1.0, -1.0, -1.0, (0.0, 1.0), tuple(1.0 for _ in of.rows))
    return Offer(read, places)


def run(*sentences: str) -> Run:
    """An answer with these sentences, a refusal without any."""
    shown = [{"text": text, "source_ids": []} for text in sentences]
    return Run("1", {"sentences": shown, "notice": None, "was_refusal": not shown})


def test_an_offer_and_a_response_are_right_that_show_the_cells() -> None:
    """All of them; nothing is right where no table holds what is asked."""
    one = ToTable("Is the camera lighter than the lidar?", ("72", "190"))
    assert one.is_offered(offer(0, 1))
    assert not one.is_offered(offer(1))
    assert one.is_shown(run("Camera | 72", "Lidar | 190"))
    assert not one.is_shown(run("The camera sees in colour."))
    assert not one.is_shown(run())
    missing = ToTable("What does the camera cost?", ())
    assert (one.kind, missing.kind) == ("table", "neither")
    assert not missing.is_offered(offer(1))


def test_a_question_to_the_text_is_no_tables() -> None:
    """What it is, its label says."""
    one = ToText(Labelled(id="1", kind="fact", question="Why?", expect="answer"))
    assert (one.kind, one.is_offered(offer(1))) == ("text", False)
    assert ToText(replace(one.labelled, kind="near_miss", expect="refuse")).kind == "neither"


def test_what_notes_offers_takes_none() -> None:
    """However likely, so that what the text comes to is told."""
    noting = Noting({}, 100.0)
    made = offer(1)
    assert noting.choose(made, 0.0) is None
    assert noting.noted == [made]


def told(book: str, kind: str, held: float, *, right: bool, text: tuple[bool, bool]) -> Told:
    """A question to which one table offers rows."""
    return Told(book, kind, (dict.fromkeys(FEATURES, 0.0) | {"held": held}, right), text)


def test_the_choice_learns_which_offers_are_right() -> None:
    """Each book is judged by what was fitted on the others."""
    found = [
        told(book, kind, held, right=right, text=text)
        for book in ("a", "b")
        for kind, held, right, text in (
            ("table", 5.0, True, (False, False)),
            ("text", -5.0, False, (True, True)),
            ("neither", -5.0, False, (True, False)),
        )
        for _ in range(20)
    ]
    assert fit(found).weights["held"] > 0
    figures = {one.name: (one.questions, one.right, one.wrong) for one in worth(found)}
    assert figures == {
        "table": (40, (0, 40), (0, 0)),
        "text": (40, (40, 40), (0, 0)),
        "neither": (40, (0, 0), (40, 40)),
    }


@pytest.mark.parametrize("path", sorted(table_choice.TO_TABLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_questions_to_whole_books_about_their_tables_are_sound(path: Path) -> None:
    """Cells answer, or there are none."""
    assert path.stem in CHOOSING
    for one in written.stored(path):
        assert one["question"].strip()
        assert all(cell.strip() for cell in one["cells"])


@pytest.mark.parametrize("path", sorted(table_choice.TO_TEXT.glob("*.jsonl")), ids=lambda path: path.stem)
def test_questions_to_the_text_are_sound(path: Path) -> None:
    """What is answered points to the book, what is not says what was searched; no table is asked."""
    found = list(written.stored(path))
    assert path.stem in CHOOSING
    assert set(CHOOSING) <= set(all_books())
    for one in found:
        answered = one["kind"] in ANSWERED
        assert one["kind"] in (*ANSWERED, "near_miss")
        assert one["kind"] != "table"
        assert bool(one["evidence"]) is answered is (one["expect"] == "answer")
        assert answered or one["checked"]["searched"]
