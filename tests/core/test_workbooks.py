"""CSV and XLSX files as tables (T1)."""

import io
import zipfile
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from bookbound.workbooks import WorkbookError, read_csv, read_xlsx


def workbook(*sheets: tuple[str, list[list[Any]]]) -> Workbook:
    made = Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return made


def saved(made: Workbook) -> bytes:
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


@pytest.mark.rule("T1")
def test_csv_has_its_first_row_as_header() -> None:
    """Header and rows come out as written, blanks around cells and empty rows gone."""
    table = read_csv(b"sensor, rate\nIMU,400 Hz\n,\n\nLidar,  10 Hz \n")
    assert table.header == ("sensor", "rate")
    assert table.rows == (("IMU", "400 Hz"), ("Lidar", "10 Hz"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_delimiter_is_found(delimiter: str) -> None:
    """Whatever cuts the rows most evenly is the delimiter."""
    text = f"a{delimiter}b{delimiter}c\n1{delimiter}2{delimiter}3\n"
    assert read_csv(text.encode()).rows == (("1", "2", "3"),)


def test_csv_with_decimal_commas_is_cut_at_semicolons() -> None:
    """Commas inside numbers do not pass for the delimiter."""
    table = read_csv(b"Name;kg, netto\nArm;1,5\nBein;2,25\n")
    assert table.rows == (("Arm", "1,5"), ("Bein", "2,25"))


def test_csv_of_one_column_is_not_cut() -> None:
    """A list with no delimiter at all is a table of one column."""
    assert read_csv(b"part\nleft arm\n").rows == (("left arm",),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_csv_encoding_is_found(encoding: str) -> None:
    """UTF-8, UTF-16 with its mark and Windows-1252 all give the same table."""
    assert read_csv("Größe,Maß\nklein,5 µm\n".encode(encoding)).rows == (("klein", "5 µm"),)


def test_csv_cell_with_line_break_and_quotes() -> None:
    """A quoted cell may hold delimiters and line breaks; it becomes one line."""
    assert read_csv(b'a,b\n"x, y","1\n2 ""z"""\n').rows == (("x, y", '1 2 "z"'),)


def test_ragged_rows_become_a_rectangle() -> None:
    """Short rows are filled up, empty columns at the right vanish, and no cell is lost."""
    table = read_csv(b"a,b,,\n1\n1,2,3,\n")
    assert (table.header, table.rows) == (("a", "b", ""), (("1", "", ""), ("1", "2", "3")))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no rows"),
        (b"\n , \n", "holds no rows"),
        (b"a\0b", "not a text file"),
        (b"\xff\xfe\x00", "not a text file"),
        (b"a,b\n" + b"x" * 200_000, "not readable as CSV"),
    ],
)
def test_unreadable_csv_is_reported(content: bytes, message: str) -> None:
    """A file without a table says what is wrong with it."""
    with pytest.raises(WorkbookError, match=message):
        read_csv(content)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_a_reason(content: bytes) -> None:
    """Whatever the bytes, the outcome is a rectangular table or a WorkbookError."""
    try:
        table = read_csv(content)
    except WorkbookError as error:
        assert str(error)
    else:
        assert {len(row) for row in table.rows} <= {len(table.header)}


@pytest.mark.rule("T1")
def test_every_sheet_is_a_table() -> None:
    """Sheets come in their order, each with its name; empty and hidden ones are left out."""
    made = workbook(("Arms", [["part"], ["elbow"]]), ("Empty", []), ("Secret", [["x"]]), ("Legs", [["part"]]))
    made["Secret"].sheet_state = "hidden"
    tables = read_xlsx(saved(made))
    assert [(table.caption, table.header, table.rows) for table in tables] == [
        ("Arms", ("part",), (("elbow",),)),
        ("Legs", ("part",), ()),
    ]
    assert len({table.block for table in tables}) == len(tables)


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (12.0, "General", "12"),
        (12, "0.00", "12"),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "General", "100000000000000000000"),
        (0.0000001, "General", "0.0000001"),
        (0.25, "0%", "25%"),
        (True, "General", "TRUE"),
        (date(2024, 5, 1), "yyyy-mm-dd", "2024-05-01"),
        (datetime(2024, 5, 1, 9, 30), "yyyy-mm-dd hh:mm", "2024-05-01T09:30:00"),
        (time(9, 30), "hh:mm", "09:30:00"),
        ("  two\nlines ", "General", "two lines"),
    ],
)
def test_cell_is_shown_as_text(value: Any, number_format: str, shown: str) -> None:
    """Numbers lose what the computer added, dates are ISO 8601, percentages keep their sign."""
    made = workbook(("S", [["value"], [value]]))
    made["S"]["A2"].number_format = number_format
    assert read_xlsx(saved(made))[0].rows == ((shown,),)


def test_cells_far_apart_cost_no_memory() -> None:
    """A sheet that claims a million rows gives only those that hold something."""
    made = workbook(("S", [["a", "b"]]))
    made["S"]["B1048576"] = "last"
    assert read_xlsx(saved(made))[0].rows == (("", "last"),)


def test_workbook_that_unpacks_to_too_much_is_reported() -> None:
    """A small file that would fill the memory is never unpacked."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"\0" * (65 * 2**20))
    with pytest.raises(WorkbookError, match="more than 64 MiB"):
        read_xlsx(stream.getvalue())


def test_sheet_with_too_many_cells_is_reported() -> None:
    """Rows that reach to the last column add up to a reason, not to a hang."""
    made = workbook(("S", []))
    for row in range(1, 80):
        made["S"].cell(row, 16384, "x")
    with pytest.raises(WorkbookError, match="more than 1,000,000 cells"):
        read_xlsx(saved(made))


def broken_archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 cut off", "damaged, or protected by a password"),
        (broken_archive(), "not a readable XLSX file"),
        (saved(workbook(("S", []))), "holds no rows"),
    ],
)
def test_unreadable_workbook_is_reported(content: bytes, message: str) -> None:
    """A damaged, locked or empty workbook says what is wrong with it."""
    with pytest.raises(WorkbookError, match=message):
        read_xlsx(content)


@given(st.data())
def test_a_damaged_workbook_never_breaks_the_reading(data: st.DataObject) -> None:
    """Any one byte changed, a workbook gives tables or a WorkbookError."""
    content = bytearray(_SMALL)
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        assert read_xlsx(bytes(content))
    except WorkbookError as error:
        assert str(error)


_SMALL = saved(workbook(("S", [["a", "b"], [1, 2]])))
