"""Workbooks to start from."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime

from openpyxl import Workbook

from tests.fuzz.mutations import zipped

_SHEET = "xl/worksheets/sheet1.xml"


def workbook_seeds() -> Iterator[bytes]:
    """Yield all kinds of cells, merged ranges, several sheets; and a minimal workbook."""
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.append(["Sensors"])
    sheet.append(["Name", "Range", None, "Since", "Share"])
    sheet.append([None, "from", "to", None, None])
    sheet.append(["LiDAR", 0.2, 30, datetime(2024, 5, 1, 12, 30), 0.25])
    sheet.append(["IMU", True, "=1+1", "12:30", -7])
    sheet["E4"].number_format, sheet["B4"].number_format = "0%", '0.0" m"'
    sheet.merge_cells("B2:C2")
    sheet.merge_cells("A2:A3")
    book.create_sheet("Hidden").sheet_state = "hidden"
    book.create_sheet("More").append(["x", "y"])
    yield _saved(book)
    small = Workbook()
    small.worksheets[0].append(["a", 1])
    yield _saved(small)
    yield _lean(b'<c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1"><v>1</v></c>')


def _saved(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _lean(cells: bytes) -> bytes:
    types = b"application/vnd.openxmlformats-officedocument.spreadsheetml"
    main = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = b"http://schemas.openxmlformats.org/package/2006"
    relationship = (
        b'<Relationships xmlns="%s/relationships">'
        b'<Relationship Id="r" Type="%s/%s" Target="%s"/></Relationships>'
    )
    override = b'<Override PartName="/xl/%s.xml" ContentType="%s.%s+xml"/>'
    kinds = override % (b"workbook", types, b"sheet.main") + override % (
        b"worksheets/sheet1",
        types,
        b"worksheet",
    )
    return zipped(
        [
            ("[Content_Types].xml", b'<Types xmlns="%s/content-types">%s</Types>' % (package, kinds)),
            ("_rels/.rels", relationship % (package, office, b"officeDocument", b"xl/workbook.xml")),
            (
                "xl/workbook.xml",
                b'<workbook xmlns="%s" xmlns:r="%s">'
                b'<sheets><sheet name="S" sheetId="1" r:id="r"/></sheets></workbook>' % (main, office),
            ),
            (
                "xl/_rels/workbook.xml.rels",
                relationship % (package, office, b"worksheet", b"worksheets/sheet1.xml"),
            ),
            (
                _SHEET,
                b'<worksheet xmlns="%s"><sheetData><row r="1">%s</row></sheetData></worksheet>'
                % (main, cells),
            ),
        ]
    )
