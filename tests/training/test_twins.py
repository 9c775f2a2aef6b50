"""Twins of questions: what is taken, and what is refused of what authors write."""

from __future__ import annotations

import pytest

from training.lines import FITTING, JUDGING, Line
from training.twins import DRAWN, twins

TEXT = "The bishop sold the mill to the council of the town in June, and the council paid him in grain."
OF_A_ROW = {"file": "qed", "row": "r1", "title": "", "text": TEXT}
OF_A_BOOK = {"book": "economics", "file": "a.md", "offset": 3, "length": 9, "sha256": "0" * 16}


def drafted(**changed: str) -> Line:
    """Twins as an author writes them."""
    draft = {
        "kind": "attribute",
        "answered": "What did the town give for the mill?",
        "near": "What did the town grind in the mill?",
    }
    return draft | changed


def test_twins_name_their_place_and_have_no_text_of_it() -> None:
    """A row of a public file, or a pointer into a book."""
    assert {**twins(drafted(), OF_A_ROW), "id": ""} == {
        **drafted(),
        "id": "",
        "split": "train",
        "file": "qed",
        "row": "r1",
    }
    of_book = twins(drafted(), OF_A_BOOK)
    assert of_book["book"] == "economics"
    assert of_book["evidence"] == [{"file": "a.md", "offset": 3, "length": 9, "sha256": "0" * 16}]


def test_what_is_about_the_book_that_teaches_nothing_measures() -> None:
    """Its twins are apart from those that teach."""
    splits = {book: twins(drafted(), OF_A_BOOK | {"book": book})["split"] for book in ("economics", FITTING)}
    assert splits == {"economics": "train", FITTING: "dev"}


def test_windows_to_teach_are_of_no_book_that_judges_or_fits() -> None:
    """Code and lists are drawn from training books alone."""
    assert not {book for of_kind in DRAWN.values() for book in of_kind} & {*JUDGING, FITTING}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"kind": "mood"}, "no kind of twins"),
        ({"near": drafted()["answered"].lower()}, "twice"),
        ({"near": "Which mill?"}, "2 words"),
        ({"near": "What does the passage say of the mill?"}, "stands alone"),
        ({"near": "Who sold the mill to the council of the town in July?"}, "words in a row"),
    ],
)
def test_what_are_no_twins_is_refused(changed: Line, fault: str) -> None:
    """An unknown kind, one question, one too short, one that leans on its place, and a copy."""
    with pytest.raises(ValueError, match=fault):
        twins(drafted(**changed), OF_A_ROW)
