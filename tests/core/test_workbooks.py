"""CSV and XLSX files as tables (T1)."""

import io
import zipfile
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from bookbound.source.workbooks import WorkbookError, read_csv, read_xlsx


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


def patched(content: bytes, old: bytes, new: bytes) -> bytes:
    """The workbook with other bytes in its first sheet."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            member = source.read(name)
            target.writestr(name, member.replace(old, new) if name.endswith("sheet1.xml") else member)
    return stream.getvalue()


@pytest.mark.rule("T1")
def test_csv_has_its_first_row_as_header() -> None:
    """Header and rows come out as written, blanks around cells and empty rows gone."""
    table = read_csv(b"sensor, rate\nIMU,400 Hz\n,\n\nLidar,  10 Hz \n")
    assert table.header == ("sensor", "rate")
    assert table.rows == (("IMU", "400 Hz"), ("Lidar", "10 Hz"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_delimiter_is_found(delimiter: str) -> None:
    """The delimiter is the one that cuts the rows most evenly."""
    text = f"a{delimiter}b{delimiter}c\n1{delimiter}2{delimiter}3\n"
    assert read_csv(text.encode()).rows == (("1", "2", "3"),)


def test_csv_with_decimal_commas_is_cut_at_semicolons() -> None:
    """Commas inside numbers do not pass for the delimiter."""
    table = read_csv(b"Name;kg, netto\nArm;1,5\nBein;2,25\n")
    assert table.rows == (("Arm", "1,5"), ("Bein", "2,25"))


def test_csv_of_long_lines_is_cut_where_it_can_be() -> None:
    """A line that one delimiter leaves whole may be too long for a cell."""
    assert len(read_csv(b",".join([b"v" * 100] * 1_400)).header) == 1_400


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
        (b"a," * 5_000 + b"\n" + b"b\n" * 5_000, "more than 1,000,000 cells"),
    ],
)
def test_unreadable_csv_is_reported(content: bytes, message: str) -> None:
    """A file without a table says what is wrong with it."""
    with pytest.raises(WorkbookError, match=message):
        read_csv(content)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_a_reason(content: bytes) -> None:
    """Any bytes give a rectangular table or a WorkbookError."""
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
        (datetime(2024, 5, 1, 9, 30), "yyyy-mm-dd hh:mm", "2024-05-01 09:30"),
        (time(9, 30), "hh:mm", "09:30"),
        (time(9, 30, 5), "hh:mm:ss", "09:30:05"),
        (0.125, "0.0%;[Red]-0.0%", "12.5%"),
        (40, '0" % rH"', "40 % rH"),
        (1.2, '0.0" kg"', "1.2 kg"),
        (465, "#,##0 [$€-407]", "465 €"),
        (465, "$#,##0.00", "$465"),
        (465, "_(* #,##0.00_);_(* (#,##0.00)", "465"),
        (42, "00000", "00042"),
        ("  two\nlines ", "General", "two lines"),
    ],
)
def test_cell_is_shown_as_text(value: Any, number_format: str, shown: str) -> None:
    """Numbers lose what the computer added and keep unit, currency and percent sign; dates are ISO 8601."""
    made = workbook(("S", [["value"], [value]]))
    made["S"]["A2"].number_format = number_format
    assert read_xlsx(saved(made))[0].rows == ((shown,),)


def test_formula_gives_the_value_that_was_saved_with_it() -> None:
    """A reader sees the result, or nothing where no program has computed it yet."""
    computed = patched(saved(workbook(("S", [["a", "b"], [2, "=A2*3"]]))), b"<v />", b"<v>6</v>")
    assert read_xlsx(computed)[0].rows == (("2", "6"),)
    assert read_xlsx(saved(workbook(("S", [["a", "b"], [2, "=A2*3"]]))))[0].rows == (("2", ""),)


@pytest.mark.rule("T1")
def test_table_that_starts_further_down_and_right() -> None:
    """Rows and columns in which nothing stands are no part of it."""
    made = workbook(("S", []))
    for place, value in {"C4": "part", "E4": "mass", "C5": "arm", "E5": "2"}.items():
        made["S"][place] = value
    (table,) = read_xlsx(saved(made))
    assert (table.header, table.rows) == (("part", "mass"), (("arm", "2"),))


@pytest.mark.rule("T1")
def test_title_above_the_header_is_part_of_the_caption() -> None:
    """A row of one cell names no columns, merged over them or not."""
    made = workbook(("S", [["Parts of 2024"], [], ["part", "mass"], ["arm", 2]]))
    made["S"].merge_cells("A1:B1")
    (table,) = read_xlsx(saved(made))
    assert (table.caption, table.header, table.rows) == (
        "S\nParts of 2024",
        ("part", "mass"),
        (("arm", "2"),),
    )
    assert read_csv(b"Parts of 2024,\npart,mass\narm,2\n").caption == "Parts of 2024"


@pytest.mark.rule("T1")
def test_merged_cell_stands_in_every_row_that_it_spans() -> None:
    """A row read alone still says what group it belongs to; blank rows of the range stay out."""
    made = workbook(("S", [["group", "part"], ["arm", "elbow"], [None, "wrist"], [], ["leg", "knee"]]))
    made["S"].merge_cells("A2:A4")
    (table,) = read_xlsx(saved(made))
    assert table.rows == (("arm", "elbow"), ("arm", "wrist"), ("leg", "knee"))


@pytest.mark.rule("T1")
@pytest.mark.parametrize("corner", ["A1:A2", None])
def test_header_of_two_rows_becomes_one(corner: str | None) -> None:
    """The name of a group of columns stands before the name of each."""
    top = ["sensor" if corner else None, "simulation", None, "robot", None]
    below = [None if corner else "sensor", "rate", "noise", "rate", "noise"]
    made = workbook(("S", [top, below, ["IMU", 200, 1, 190, 2]]))
    for cells in filter(None, ("B1:C1", "D1:E1", corner)):
        made["S"].merge_cells(cells)
    (table,) = read_xlsx(saved(made))
    assert table.header == ("sensor", "simulation rate", "simulation noise", "robot rate", "robot noise")
    assert table.rows == (("IMU", "200", "1", "190", "2"),)


def test_a_name_over_two_columns_is_no_second_header() -> None:
    """If other columns have their names already, the next row holds data."""
    made = workbook(("S", [["part", "size", None], ["arm", "1 m", "2 m"]]))
    made["S"].merge_cells("B1:C1")
    (table,) = read_xlsx(saved(made))
    assert (table.header, table.rows) == (("part", "size", "size"), (("arm", "1 m", "2 m"),))


def test_a_line_merged_across_the_table_is_a_row_of_one_cell() -> None:
    """It says its text once."""
    made = workbook(("S", [["part", "mass"], ["Arms", None], ["elbow", 2]]))
    made["S"].merge_cells("A2:B2")
    assert read_xlsx(saved(made))[0].rows == (("Arms", ""), ("elbow", "2"))


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


def with_sheet(rows: str, after: str = "") -> bytes:
    """A workbook whose one sheet holds this XML in its sheetData, and behind it."""
    sheet = "xl/worksheets/sheet1.xml"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with zipfile.ZipFile(io.BytesIO(saved(workbook(("S", [["a"]]))))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    xml = f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>{after}</worksheet>'
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | {sheet: xml.encode()}).items():
            archive.writestr(name, content)
    return stream.getvalue()


NUMBERED = "".join(
    f'<row r="{n}"><c r="A{n}"><v>1</v></c><c r="B{n}"><v>1</v></c></row>' for n in range(2, 60)
)
TEXT = f'<row r="1"><c r="A1" t="str"><v>{"x" * 30_000}</v></c></row>'


@pytest.mark.parametrize(
    ("rows", "after", "message"),
    [
        ('<row r="99999999999"><c><v>1</v></c></row>', "", "more than 1,048,576 rows"),
        ("".join(f'<row r="{n}"><c r="XFD{n}"/></row>' for n in range(1, 700)), "", "empty ones included"),
        (NUMBERED, "".join(f'<mergeCell ref="C1:XFD{n}"/>' for n in range(60, 90)), "over each other"),
        (TEXT + NUMBERED, '<mergeCells><mergeCell ref="A1:XFD60"/></mergeCells>', "16,777,216 characters"),
    ],
    ids=["rows", "empty cells", "merged ranges", "one text in every cell"],
)
def test_a_small_workbook_cannot_claim_a_large_one(rows: str, after: str, message: str) -> None:
    """A file that would take minutes or the memory is refused before it does."""
    with pytest.raises(WorkbookError, match=message):
        read_xlsx(with_sheet(rows, after))


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
