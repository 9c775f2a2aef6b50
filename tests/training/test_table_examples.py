"""Questions to tables, as the reader learns them: our own tables are sound, and kept apart as wholes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.lines import JUDGING
from training.reader import table_examples as to_tables
from training.reader.halves import all_books
from training.reader.table_examples import ENDS, PART, Asked

HEADER = ("Part", "Mass (g)")
OURS = to_tables.HOME, to_tables.FURTHER, to_tables.APART
OWN = [path for folder in OURS for path in sorted(folder.glob("*.jsonl"))]
CELLS = [("Lidar", "190"), ("Cable set", ""), ("Camera", "72"), ("Hub", "190"), ("Fan", "31")]


def asked(
    rows: list[int],
    column: int | None,
    lacks: str | None,
    cells: list[tuple[str, ...]] = CELLS,
    extreme: str | None = "none",
) -> Asked:
    """A question to a table of parts."""
    groups = [""] * len(cells)
    return Asked("What does it weigh?", "Parts", HEADER, cells, groups, rows, column, lacks, extreme)


def lines(path: Path) -> list[dict[str, Any]]:
    """A file's tables."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "path",
    [*OWN, *sorted(to_tables.BOOKS.glob("*.jsonl"))],
    ids=lambda path: path.stem,
)
def test_questions_to_tables_are_sound(path: Path) -> None:
    """Each says what it is about, or what of it is missing."""
    questions = [one for table in lines(path) for one in table["questions"]]
    assert questions
    for one in questions:
        assert one["question"].strip()
        filled = bool(one["rows"]), one["column"] is not None
        expected = {"column": (True, False), "row": (False, True), "both": (False, False)}
        assert filled == expected.get(one["missing"], filled)
        assert one.get("extreme") in (None, *ENDS)
        assert "extreme" not in one or (one["column"] is not None and len(one["rows"]) not in (1, 2))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_our_own_tables_are_sound(path: Path) -> None:
    """Rows have a cell per column, and questions name rows and columns that are there."""
    for table in lines(path):
        assert {len(row) for row in table["rows"]} == {len(table["header"])}
        for one in table["questions"]:
            assert set(one["rows"]) <= set(range(len(table["rows"])))
            assert one["column"] is None or one["column"] < len(table["header"])


@pytest.mark.parametrize("path", sorted(to_tables.BOOKS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_book_that_judges_has_questions_to_learn_from(path: Path) -> None:
    """Nor has the sample book: what judges does not train."""
    assert path.stem in all_books()
    assert not set(all_books()) & set(JUDGING)


def test_whole_tables_are_left_out() -> None:
    """Not questions: no table that judges was learned from."""
    learned, judged = to_tables.split(list(to_tables.own()))
    assert learned and judged
    assert not {one.key for one in learned} & {one.key for one in judged}


def test_further_tables_move_no_other_to_the_other_side() -> None:
    """A table that the reader learned from before does not judge it when more are written."""
    some, more = list(to_tables.own()), list(to_tables.own(to_tables.FURTHER))
    learned, judged = to_tables.split(some)
    learned_of_all, judged_of_all = to_tables.split([*some, *more])
    assert learned_of_all[: len(learned)] == learned
    assert judged_of_all[: len(judged)] == judged
    assert len(judged_of_all) > len(judged)


def test_a_field_apart_teaches_nothing() -> None:
    """No table of it is among those that the reader learns from."""
    apart = {one.key for one in to_tables.own(to_tables.APART)}
    assert apart
    assert not apart & {one.key for folder in OURS[:2] for one in to_tables.own(folder)}


def test_many_rows_are_read_in_parts() -> None:
    """Only the part that holds a meant one answers."""
    cells = [(f"Part {number}", f"{number}") for number in range(PART + 1)]
    _, first, second = to_tables.examples(asked([PART], 1, None, cells))
    assert (first["answers"], second["answers"], second["labels"]) == (0, 1, [1])
    assert second["texts"] == [f"Part {PART} | {PART}"]


@pytest.mark.parametrize(
    ("rows", "column", "lacks", "answers"),
    [
        ([0], 1, None, (1, 1)),
        ([], 1, None, (1, 1)),
        ([0], None, "column", (0, 1)),
        ([], 1, "row", (1, 0)),
        ([], None, "both", (0, 0)),
    ],
    ids=["a cell", "over the whole table", "no column", "no row", "neither"],
)
def test_what_is_missing_is_not_there(
    rows: list[int], column: int | None, lacks: str | None, answers: tuple[int, int]
) -> None:
    """Of columns and of rows it is learned apart whether any is asked for."""
    told = [one["answers"] for one in to_tables.examples(asked(rows, column, lacks))]
    assert tuple(told) == answers


def test_a_question_over_a_whole_table_means_all_of_its_rows() -> None:
    """Also where no column is known that decides."""
    columns, rows = to_tables.examples(asked([], None, None))
    assert columns["labels"] is None
    assert rows["labels"] == [1] * len(CELLS)


@pytest.mark.parametrize(
    ("extreme", "column", "labels"),
    [
        ("highest", 1, [0, 1]),
        ("lowest", 1, [1, 0]),
        ("none", 1, [0, 0]),
        (None, 1, [-1, -1]),
        ("none", None, [-1, -1]),
    ],
)
def test_which_end_of_a_columns_values_is_asked_for_is_learned_with_the_columns(
    extreme: str | None, column: int | None, labels: list[int]
) -> None:
    """Before them; not where nobody said, and not of a column that is missing."""
    lacks = None if column else "column"
    columns, _ = to_tables.examples(asked([0, 1, 2], column, lacks, extreme=extreme))
    assert columns["texts"][: len(ENDS)] == [*ENDS]
    assert columns["labels"][: len(ENDS)] == labels
    assert len(columns["labels"]) == len(columns["texts"]) == len(ENDS) + len(HEADER)
