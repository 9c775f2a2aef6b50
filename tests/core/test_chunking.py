from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.windowing import ROWS
from bookbound.index.chunking import ChunkSizes, chunk_page, windows
from bookbound.model import Image, Passage, PassageKind, Section, UnitKind, Window
from bookbound.source.pages import Page, Piece, Table

SIZES = ChunkSizes(target=40, overlap=0.2, minimum=20, window=16)
SECTIONS = (
    Section("Page", ("Page",), None),
    Section("One", ("Page", "One"), "one"),
    Section("Two", ("Page", "Two"), "two"),
)
PAGE = Page("a/b.md", UUID(int=1), "Page", 3, "/docs/a/b", "r1", "2024-05-01", SECTIONS, (), ())


def count_words(text: str) -> int:
    return len(text.split())


def words(number: int, name: str = "w") -> str:
    return " ".join(f"{name}{index}" for index in range(number))


def sentence(number: int, block: int, section: int = 0) -> Piece:
    return Piece(words(number, f"b{block}x"), UnitKind.SENTENCE, section, block)


def chunk(page: Page, sizes: ChunkSizes = SIZES) -> tuple[Passage, ...]:
    return chunk_page(page, sizes=sizes, count_tokens=count_words, book_id="book")


def of(*pieces: Piece) -> Page:
    return replace(PAGE, pieces=pieces)


def size(passage: Passage) -> int:
    return count_words(passage.text)


@st.composite
def pages(draw: st.DrawFn, largest: int = 20) -> Page:
    """Pages of numbered pieces in blocks of one to four, none larger than `largest` words."""
    pieces: list[Piece] = []
    section = 0
    for block in range(1, draw(st.integers(1, 12)) + 1):
        section = draw(st.integers(section, len(SECTIONS) - 1))
        kind = draw(st.sampled_from([UnitKind.SENTENCE, UnitKind.ITEM, UnitKind.CODE]))
        for _ in range(draw(st.integers(1, 4))):
            text = words(draw(st.integers(1, largest)), f"p{len(pieces)}w")
            text = text.replace(" ", "\n") if kind is UnitKind.CODE else text
            pieces.append(Piece(text, kind, section, block))
    return of(*pieces)


def shared(before: Passage, after: Passage) -> int:
    """Words of the units that two passages have in common."""
    texts = [before.unit_text(unit) for unit in before.units]
    return sum(count_words(after.unit_text(unit)) for unit in after.units if after.unit_text(unit) in texts)


# --- passages -------------------------------------------------------------------------------------


@pytest.mark.rule("I1")
@given(pages())
def test_every_word_of_the_page_lands_in_a_passage_in_order(page: Page) -> None:
    """No piece is lost and none is torn, however the page is cut."""
    found = dict.fromkeys(word for passage in chunk(page) for word in passage.text.split())
    assert list(found) == [word for piece in page.pieces for word in piece.text.split()]


@pytest.mark.rule("I1")
@given(pages())
def test_no_passage_is_above_the_target_or_below_the_minimum(page: Page) -> None:
    """A passage is short only where its page is."""
    total = sum(count_words(piece.text) for piece in page.pieces)
    sizes = [size(passage) for passage in chunk(page)]
    assert max(sizes) <= SIZES.target
    assert min(sizes) >= min(SIZES.minimum, total)


@pytest.mark.rule("I1")
@given(pages(largest=60))
def test_only_a_single_larger_unit_takes_a_passage_over_its_target(page: Page) -> None:
    """A sentence is never cut, regardless of its size."""
    for passage in chunk(page):
        assert size(passage) <= SIZES.target or len(passage.units) == 1


@pytest.mark.rule("I1")
@given(pages(largest=6))
def test_neighbours_overlap_by_about_a_fifth_of_the_target(page: Page) -> None:
    """Overlap comes in whole units; only the last passage may reach back further, for its minimum."""
    passages = chunk(page)
    for before, after in list(pairwise(passages))[:-1]:
        assert 0 < shared(before, after) <= 2 * SIZES.overlap * SIZES.target


@pytest.mark.rule("I2")
@given(pages(largest=60))
def test_units_give_the_passages_text_back(page: Page) -> None:
    """Offsets are exact, only white space lies between, and sections and numbers are the page's."""
    for passage in chunk(page):
        assert "".join(passage.text.split()) == "".join(
            "".join(passage.unit_text(unit).split()) for unit in passage.units
        )
        for unit in passage.units:
            piece = page.pieces[unit.number - 1]
            assert passage.unit_text(unit) in piece.text
            assert passage.sections[unit.section] == page.sections[piece.section]
            assert (unit.kind, unit.block) == (piece.kind, piece.block)
        assert {unit.section for unit in passage.units} == set(range(len(passage.sections)))


@pytest.mark.rule("I2")
def test_a_passage_knows_where_it_comes_from() -> None:
    """Document, page, sentences, revision and date are the page's; the index runs over all passages."""
    page = of(*(sentence(9, block) for block in range(1, 10)))
    passages = chunk(page)
    first = passages[0]
    assert (first.document, first.document_id, first.title) == (page.document, page.document_id, page.title)
    assert (first.page, first.end_page, first.url) == (3, 3, page.url)
    assert (first.revision, first.last_update) == ("r1", "2024-05-01")
    assert (first.start_sentence, first.end_sentence, passages[-1].end_sentence) == (1, 4, 9)
    assert [passage.chunk_index for passage in passages] == list(range(len(passages)))


def test_sentences_of_a_paragraph_stand_in_a_line() -> None:
    """Everything else starts a separate line."""
    page = of(
        Piece("One.", UnitKind.SENTENCE, 0, 1),
        Piece("Two.", UnitKind.SENTENCE, 0, 1),
        Piece("Steps:", UnitKind.SENTENCE, 0, 2),
        Piece("1. Go", UnitKind.ITEM, 0, 2),
        Piece("cd x\nls", UnitKind.CODE, 0, 3),
    )
    assert [passage.text for passage in chunk(page)] == ["One. Two.\nSteps:\n1. Go\ncd x\nls"]


def test_a_block_is_not_cut_where_it_fits() -> None:
    """A list moves into the next passage as a whole once the passage before has its minimum."""
    list_block = [Piece(words(6, f"i{n}x"), UnitKind.ITEM, 0, 4) for n in range(4)]
    passages = chunk(of(sentence(10, 1), sentence(10, 2), sentence(5, 3), *list_block, sentence(10, 5)))
    numbers = [[unit.number for unit in passage.units] for passage in passages]
    assert numbers[0] == [1, 2, 3]
    assert {4, 5, 6, 7} <= set(numbers[1])


def test_a_block_that_was_cut_starts_anew() -> None:
    """It is whole in one passage when that costs no more than twice the overlap."""
    list_block = [Piece(words(8, f"i{n}x"), UnitKind.ITEM, 0, 2) for n in range(4)]
    passages = chunk(of(sentence(19, 1), *list_block, sentence(20, 3)))
    assert [[unit.number for unit in passage.units] for passage in passages][:2] == [[1, 2, 3], [2, 3, 4, 5]]


@pytest.mark.rule("I1")
def test_oversized_code_is_cut_at_line_ends() -> None:
    """Its parts are units of one number and block, and give the code back."""
    code = "\n".join(f"line {n} of\n" for n in range(30))
    image = Image("a.png", "a")
    passages = chunk(of(Piece(code, UnitKind.CODE, 0, 1, (image,))))
    units = [(unit.number, unit.block, unit.kind) for passage in passages for unit in passage.units]
    parts = list(dict.fromkeys(p.unit_text(unit) for p in passages for unit in p.units))
    assert set(units) == {(1, 1, UnitKind.CODE)}
    assert "\n".join(parts) == code
    assert passages[-1].units[-1].images == (image,)
    assert [unit.images for passage in passages for unit in passage.units].count((image,)) == 1


def test_code_that_fits_is_one_unit() -> None:
    """Code is cut only where it is too large."""
    (passage,) = chunk(of(Piece("a = 1\n\nb = 2", UnitKind.CODE, 0, 1)))
    assert [passage.unit_text(unit) for unit in passage.units] == ["a = 1\n\nb = 2"]


def test_a_page_without_text_gives_no_passage() -> None:
    """There is nothing to cite."""
    assert chunk(of()) == ()


def test_each_piece_is_counted_once() -> None:
    """Counting is the slow part of chunking."""
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return count_words(text)

    page = of(*(sentence(9, block) for block in range(1, 10)))
    chunk_page(page, sizes=SIZES, count_tokens=count, book_id="book")
    assert counted == [piece.text for piece in page.pieces]


@pytest.mark.parametrize(
    "wrong", [{"minimum": 512}, {"minimum": 0}, {"overlap": 0.5}, {"overlap": -0.1}, {"window": 0}]
)
def test_sizes_that_contradict_each_other_are_refused(wrong: dict[str, float]) -> None:
    """The error says what is wrong."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ChunkSizes(**wrong)  # type: ignore[arg-type]


# --- ids ------------------------------------------------------------------------------------------


@pytest.mark.rule("I2")
@given(pages())
def test_ids_stay_while_page_place_and_text_stay(page: Page) -> None:
    """A new revision or date changes no id; ids of one page differ."""
    ids = [passage.chunk_id for passage in chunk(page)]
    assert ids == [
        passage.chunk_id for passage in chunk(replace(page, revision="r2", last_update=None, page=9))
    ]
    assert len(set(ids)) == len(ids)


@pytest.mark.rule("I2")
def test_ids_change_with_book_document_and_text() -> None:
    """The same words elsewhere are another passage, and so are the same words once more."""
    page = of(sentence(9, 1))
    table = Table(None, ("A",), (("x",),), 0, 2)
    ids = [
        *(passage.chunk_id for passage in chunk(page)),
        *(passage.chunk_id for passage in chunk(replace(page, document="c.md"))),
        *(p.chunk_id for p in chunk_page(page, sizes=SIZES, count_tokens=count_words, book_id="other")),
        *(passage.chunk_id for passage in chunk(replace(PAGE, tables=(table, table)))),
    ]
    assert len(ids) == len(set(ids)) == 5


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.rule("T1")
@pytest.mark.rule("I1")
def test_a_table_is_a_passage_of_its_own() -> None:
    """Caption, header and rows are its units, numbered after the page's pieces."""
    table = Table("Parts", ("Name", "Mass"), (("Arm\n left", "2 kg"), ("", " "), ("Leg", "")), 2, 7)
    prose, passage = chunk(replace(of(sentence(9, 1)), tables=(table,)))
    assert (prose.kind, passage.kind) == (PassageKind.PROSE, PassageKind.TABLE)
    assert passage.text == "Parts\nName | Mass\nArm left | 2 kg\nLeg | "
    assert [unit.kind for unit in passage.units] == [UnitKind.SENTENCE, *[UnitKind.ROW] * 3]
    assert [unit.number for unit in passage.units] == [2, 3, 4, 5]
    assert passage.sections == (SECTIONS[2],)


@pytest.mark.rule("T1")
@given(st.integers(1, 60))
def test_each_part_of_a_large_table_repeats_its_header(rows: int) -> None:
    """Every row appears once, under the names of its columns."""
    table = Table(None, ("Name", "Mass"), tuple((f"part{n}", f"{n} kg") for n in range(rows)), 0, 1)
    passages = chunk(replace(PAGE, tables=(table,)))
    lines = [passage.text.split("\n") for passage in passages]
    assert {part[0] for part in lines} == {"Name | Mass"}
    assert [row for part in lines for row in part[1:]] == [f"part{n} | {n} kg" for n in range(rows)]
    assert max(map(size, passages)) <= SIZES.target


@pytest.mark.rule("T2")
@given(st.integers(0, 60), st.booleans(), st.booleans())
def test_each_part_of_a_table_knows_all_its_rows(rows: int, captioned: bool, headed: bool) -> None:
    """The total counts data rows alone, and the parts' own rows add up to it; a page's prose has none."""
    header = ("Name", "Mass") if headed else ("", "")
    body = tuple((f"part{n}", f"{n} kg") for n in range(rows))
    page = replace(of(sentence(9, 1)), tables=(Table("Parts" if captioned else None, header, body, 0, 2),))
    prose, *passages = chunk(page)
    assert prose.rows_total is None
    assert {passage.rows_total for passage in passages} == ({rows} if rows or captioned or headed else set())
    numbers = [
        unit.number
        for passage in passages
        for unit in passage.units
        if passage.table_rows and unit.number >= passage.table_rows[0]
    ]
    assert numbers == list(range(2 + captioned + headed, 2 + captioned + headed + rows))


@pytest.mark.rule("T1")
def test_a_header_larger_than_half_a_passage_is_told_once() -> None:
    """Repeated, it would make a book of a page; every row is still told once, and knows of the others."""
    table = Table(None, (words(30), "Mass"), tuple((f"part{n}", f"{n} kg") for n in range(40)), 0, 1)
    passages = chunk(replace(PAGE, tables=(table,)))
    assert [words(30) in passage.text for passage in passages] == [True] + [False] * (len(passages) - 1)
    rows = [line for passage in passages for line in passage.text.split("\n") if line.startswith("part")]
    assert rows == [f"part{n} | {n} kg" for n in range(40)]
    assert {passage.rows_total for passage in passages} == {40}


@pytest.mark.rule("T1")
def test_a_first_cell_larger_than_half_a_window_is_embedded_once() -> None:
    """The rest of its row is embedded all the same."""
    table = Table(None, ("", *[""] * 30), ((words(30), *(f"cell{n}" for n in range(30))),), 1, 1)
    _, found = table_windows(table, most=40)
    assert sum(words(30) in window.embedded_text for window in found) == 1
    for cell in range(30):
        assert sum(f"cell{cell}" in window.embedded_text.split() for window in found) == 1


@pytest.mark.rule("T1")
def test_a_table_without_names_of_columns_has_no_header() -> None:
    """Its first row is a row like the others, and is not told twice."""
    table = Table(None, ("", ""), tuple((f"part{n}", f"{n} kg") for n in range(60)), 0, 1)
    passages = chunk(replace(PAGE, tables=(table,)))
    assert len(passages) > 1
    assert sum("part0 |" in passage.text for passage in passages) == 1


# --- windows --------------------------------------------------------------------------------------


@given(pages(largest=8), st.integers(8, 40))
def test_windows_cover_every_unit_once_within_their_size(page: Page, most: int) -> None:
    """Whole units, in order, under their headings; over the size only by a single unit or long headings."""
    for passage in chunk(page):
        found = windows(passage, max_tokens=most, count_tokens=count_words)
        starts = [unit.start for unit in passage.units]
        ends = [unit.end for unit in passage.units]
        assert (found[0].start, found[-1].end) == (0, len(passage.text))
        for before, after in pairwise(found):
            assert starts.index(after.start) == ends.index(before.end) + 1
        for window in found:
            single = (window.start, window.end) in zip(starts, ends, strict=True)
            assert count_words(window.embedded_text) <= most or single
        assert len({window.window_id for window in found}) == len(found)


def test_a_window_ends_where_its_section_ends() -> None:
    """The headings above the text are embedded with it."""
    (passage,) = chunk(of(sentence(50, 1, section=1), sentence(50, 2, section=2)), ChunkSizes())
    found = windows(passage, max_tokens=220, count_tokens=count_words)
    assert [window.embedded_text for window in found] == [
        f"Page > One\n{words(50, 'b1x')}",
        f"Page > Two\n{words(50, 'b2x')}",
    ]


@pytest.mark.parametrize("sizes", [(10, 50), (50, 10)])
def test_a_fragment_joins_its_neighbour_under_the_larger_parts_headings(sizes: tuple[int, int]) -> None:
    """A few words alone would be found for the wrong questions."""
    (passage,) = chunk(of(sentence(sizes[0], 1, section=1), sentence(sizes[1], 2, section=2)), ChunkSizes())
    (window,) = windows(passage, max_tokens=220, count_tokens=count_words)
    larger = "One" if sizes[0] > sizes[1] else "Two"
    assert window.embedded_text == f"Page > {larger}\n{passage.text}"


def test_a_long_section_is_cut_into_even_parts() -> None:
    """No small rest is left over."""
    (passage,) = chunk(of(*(sentence(10, block) for block in range(1, 25))), ChunkSizes())
    found = windows(passage, max_tokens=220, count_tokens=count_words)
    assert [count_words(passage.text[window.start : window.end]) for window in found] == [120, 120]


def test_without_a_limit_the_passage_is_one_window() -> None:
    """A model that reads whole passages gets them whole."""
    for passage in chunk(of(*(sentence(9, block, section=block // 4) for block in range(1, 10)))):
        (window,) = windows(passage, max_tokens=None, count_tokens=count_words)
        assert (window.start, window.end) == (0, len(passage.text))
        assert window.embedded_text.endswith(f"\n{passage.text}")


def table_windows(table: Table, most: int = 100) -> tuple[Passage, tuple[Window, ...]]:
    (passage,) = chunk(replace(PAGE, tables=(table,)), ChunkSizes())
    return passage, windows(passage, max_tokens=most, count_tokens=count_words)


@pytest.mark.rule("T1")
@given(st.integers(1, 60))
def test_rows_are_embedded_with_the_names_of_their_columns(rows: int) -> None:
    """A few at a time, below headings and caption; the windows' ranges are the literal table, in order."""
    body = tuple((f"part{n}", f"{n} kg", "") for n in range(rows))
    passage, found = table_windows(Table("Parts", ("Name", "Mass", "Remark"), body, 1, 1))
    embedded = [window.embedded_text.split("\n") for window in found]
    assert all(lines[:2] == ["Page > One", "Parts"] and len(lines) <= 2 + ROWS for lines in embedded)
    assert [line for lines in embedded for line in lines[2:]] == [
        f"Name: part{n} | Mass: {n} kg" for n in range(rows)
    ]
    assert "\n".join(passage.text[window.start : window.end] for window in found) == passage.text


@pytest.mark.rule("T1")
def test_a_row_too_wide_for_a_window_is_embedded_in_parts() -> None:
    """No cell is lost for a model that reads little, and each part says which row it is of."""
    header = tuple(f"column{n}" for n in range(60))
    table = Table(None, header, (tuple(f"cell{n}" for n in range(60)),) * 2, 1, 1)
    passage, found = table_windows(table, most=40)
    assert max(count_words(window.embedded_text) for window in found) <= 40
    assert all(window.embedded_text.startswith("Page > One\ncolumn0: cell0 | ") for window in found)
    for cell in range(1, 60):
        assert sum(f"column{cell}: cell{cell}" in window.embedded_text.split(" | ") for window in found) == 2
    rows = [passage.unit_text(unit) for unit in passage.units[1:]]
    assert {passage.text[window.start : window.end].split("\n")[-1] for window in found} == set(rows)
    assert len({window.window_id for window in found}) == len(found)


@pytest.mark.rule("T1")
@pytest.mark.parametrize(
    ("header", "cells", "embedded"),
    [
        (("", ""), ("arm", "2 kg"), "arm | 2 kg"),
        (("Name", ""), ("arm", "2 kg"), "Name: arm | 2 kg"),
        (("Name", "Mass"), ("arm | leg", "2 kg"), "Name | Mass | arm | leg | 2 kg"),
    ],
)
def test_a_cell_without_a_name_of_its_own(
    header: tuple[str, ...], cells: tuple[str, ...], embedded: str
) -> None:
    """It stands as it is; where cells can't be told apart, the whole header stands before them."""
    _, (window,) = table_windows(Table(None, header, (cells,), 1, 1))
    assert window.embedded_text == f"Page > One\n{embedded}"
