"""Laws for everything that a book's files become (I1, I2)."""

from __future__ import annotations

from collections.abc import Sequence

from bookbound.index.chunking import ChunkSizes, chunk_page, windows
from bookbound.model import Passage, PassageKind, UnitKind
from bookbound.policy.book_policy import DEFAULT, Policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page, SourceFile, Table
from bookbound.source.source_files import is_page_file

SIZES = ChunkSizes(target=40, overlap=0.2, minimum=20, window=16)
LONGEST_REASON = 600


def read(*files: SourceFile, policy: Policy = DEFAULT) -> None:
    """Read a book from any files: each becomes pages that obey the laws, or a one-line reason."""
    book = read_book(files, policy, book_id="book")
    told = {page.document for page in book.pages} | {note.path for note in book.skipped}
    assert {file.path for file in files if is_page_file(file.path)} <= told <= {file.path for file in files}
    for note in book.skipped:
        assert len(note.reason.splitlines()) == 1, f"a reason of several lines, or none: {note.reason!r}"
        assert len(note.reason) <= LONGEST_REASON, "a reason that nobody reads"
        note.reason.encode()
    for page in book.pages:
        check_page(page)


def check_page(page: Page) -> None:
    assert page.page >= 1
    for section in page.sections:
        "".join((section.title, *section.path, section.anchor or "")).encode()
    for table in page.tables:
        _check_table(table, page)
    passages = chunk_page(page, sizes=SIZES, count_tokens=_words, book_id="book")
    assert len({passage.chunk_id for passage in passages}) == len(passages), "an id twice"
    for passage in passages:
        _check_passage(passage, page)
    _check_whole(passages, page)


def _check_table(table: Table, page: Page) -> None:
    assert 0 <= table.section < len(page.sections)
    for cell in (*table.header, *(cell for row in table.rows for cell in row)):
        assert cell == " ".join(cell.split()), f"a cell that is not one line: {cell!r}"


def _check_passage(passage: Passage, page: Page) -> None:
    text = "".join((passage.text, passage.title, passage.url, passage.last_update or ""))
    text.encode()
    assert "\0" not in text, "a NUL character"
    end = 0
    for unit in passage.units:
        assert end <= unit.start < unit.end <= len(passage.text), "units that overlap, or are empty"
        assert not passage.text[end : unit.start].strip(), "text between units"
        assert 0 <= unit.section < len(passage.sections)
        for image in unit.images:
            (image.url + image.alt).encode()
        end = unit.end
    assert end == len(passage.text), "text after the last unit"
    prose = passage.kind is PassageKind.PROSE
    assert not prose or _words(passage.text) <= SIZES.target or len(passage.units) == 1, "a passage too long"
    found = windows(passage, max_tokens=SIZES.window, count_tokens=_words)
    assert (found[0].start, found[-1].end) == (0, len(passage.text)), "windows that leave text out"
    assert len({window.window_id for window in found}) == len(found), "a window's id twice"


def _check_whole(passages: Sequence[Passage], page: Page) -> None:
    """No piece of the page is lost, and none is torn but code."""
    told: dict[int, set[str]] = {}
    for passage in passages:
        if passage.kind is PassageKind.PROSE:
            for unit in passage.units:
                told.setdefault(unit.number, set()).add(passage.unit_text(unit))
    assert list(told) == list(range(1, len(page.pieces) + 1)), "a piece lost, or out of order"
    for number, piece in enumerate(page.pieces, 1):
        if piece.kind is UnitKind.CODE:
            assert all(text in piece.text for text in told[number])
        else:
            assert told[number] == {piece.text}, "a sentence torn"


def _words(text: str) -> int:
    return len(text.split())
