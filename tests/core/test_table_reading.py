"""Tables as the reader model reads them: by columns and by rows (T1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from bookbound.evidence.book_tables import tables
from bookbound.evidence.table_reading import (
    CELLS_READ,
    CLOSED,
    ENDS,
    PART,
    ColumnsRead,
    column_texts,
    read_columns,
    read_rows,
    row_texts,
)
from bookbound.model import Excerpt, Reading
from testing.builders import table
from testing.fakes import FakeReader

HEADER = ("Part", "Mass (g)")
CELLS = [("Lidar", "190"), ("Cable set", ""), ("Camera", "72"), ("Hub", "190"), ("Fan", "31")]


@dataclass
class Counting(FakeReader):
    """Gives each unit its place in the excerpt as a logit, and to the excerpt the number of its units."""

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        return [
            Reading(question, one, float(len(one.texts)), tuple(map(float, range(len(one.texts)))))
            for one in excerpts
        ]


def test_a_column_is_its_name_and_some_of_its_cells() -> None:
    """Different ones, and none that is empty."""
    above, texts = column_texts("Parts", HEADER, CELLS)
    assert above == "columns of Parts"
    assert texts == (*ENDS, "Part: Lidar; Cable set; Camera", "Mass (g): 190; 72; 31")


def test_a_row_is_its_cells() -> None:
    """The first ones, each cut where it is long, below its heading; many rows are read in parts."""
    rows = [("1", "x" * 50, *"abcdefg"), ("2", "y", *"abcdefg")]
    [(above, texts)] = row_texts("Parts", rows, ["", "Motors"])
    first, second = (" | ".join(row[:CELLS_READ]) for row in rows)
    assert (above, texts) == ("rows of Parts", (first.replace("x" * 50, "x" * 40), f"Motors | {second}"))
    assert [len(part) for _, part in row_texts("Parts", [("a",)] * (PART + 1), [""] * (PART + 1))] == [
        PART,
        1,
    ]


async def test_parts_of_a_table_are_one_reading() -> None:
    """Logits of all rows stand in the table's order."""
    rows = [f"Part {number} | {number} g" for number in range(PART + 2)]
    [whole] = tables([table("Part | Mass", *rows)])
    question, reader = "What does part 3 weigh?", Counting()
    read = await read_rows(question, await read_columns(question, whole, reader), reader)
    assert (read.lowest, read.highest, read.columns, read.column) == (0.0, 1.0, (2.0, 3.0), 1)
    assert read.held == 4.0
    assert read.rows == (*map(float, range(PART)), 0.0, 1.0)


@pytest.mark.parametrize(
    ("lowest", "highest", "way"),
    [(-2.0, 3.0, 1), (3.0, -2.0, -1), (1.0, 2.5, 1), (1.0, 1.5, None), (-5.0, -0.5, None)],
)
def test_an_end_of_a_columns_values_is_asked_for_that_is_likely_and_clearly_likelier_than_the_other(
    lowest: float, highest: float, way: int | None
) -> None:
    """An extreme can be asked for of which nobody can tell the end."""
    [whole] = tables([table("Part | Mass", "Lidar | 190 g")])
    read = ColumnsRead(whole, 1.0, lowest, highest, (0.0, 1.0))
    assert read.way == way
    assert read.is_extreme is (max(lowest, highest) > 0)


@pytest.mark.rule("G9")
def test_a_table_is_closed_to_what_its_columns_hardly_hold() -> None:
    """Whatever its rows are about."""
    [whole] = tables([table("Part | Mass", "Lidar | 190 g")])
    assert ColumnsRead(whole, CLOSED - 0.1, -4.0, -4.0, (0.0, 1.0)).is_closed
    assert not ColumnsRead(whole, CLOSED, -4.0, -4.0, (0.0, 1.0)).is_closed
