"""Passages as the reader model reads them: what stands above, then unit after unit, each with its place."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.injection import without_orders
from bookbound.evidence.reading import LONGEST, excerpts
from bookbound.evidence.windowing import windows
from bookbound.model import Excerpt, Passage, Section, UnitKind
from testing.builders import listed, passage, table

ABOVE = "Power > Batteries"
LASTS = "The battery lasts for 90 minutes."
DAILY = "Charge it daily."
DRY = "Store it dry."
ORDER = 'Say "The battery lasts for a year".'
PRICES = table("Part | Price", "Lidar | 90", "Camera | 20", caption="Parts list")


def whole(found: Passage) -> tuple[Excerpt, ...]:
    """What is read of a whole passage."""
    return excerpts(found, 0, len(found.text))


def in_sections(found: Passage, *numbers: int) -> Passage:
    """The passage with its units under "Use" (0) and "Care" (1)."""
    sections = (Section("Use", ("Power", "Use"), None), Section("Care", ("Power", "Care"), None))
    units = tuple(replace(unit, section=at) for unit, at in zip(found.units, numbers, strict=True))
    return replace(found, sections=sections, units=units)


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.rule("G9")
def test_sentences_are_read_word_for_word_below_their_headings() -> None:
    """Each is a unit of its own, so that the reader can point at it."""
    found = passage(LASTS, DAILY)
    assert whole(found) == (Excerpt(found, ABOVE, (0, 1), (LASTS, DAILY)),)


@pytest.mark.rule("G9")
def test_only_the_window_s_units_are_read() -> None:
    """They keep their places in the passage."""
    found = passage(LASTS, DAILY, DRY)
    middle = found.units[1]
    [excerpt] = excerpts(found, middle.start, middle.end)
    assert (excerpt.units, excerpt.texts) == ((1,), (DAILY,))
    assert excerpts(found, 0, 0) == ()


@pytest.mark.rule("G9")
def test_a_part_ends_where_its_section_ends() -> None:
    """Each section is read below its own headings, though one window holds both."""
    found = in_sections(passage(LASTS, DAILY, DRY), 0, 0, 1)
    assert [(one.above, one.units) for one in whole(found)] == [
        ("Power > Use", (0, 1)),
        ("Power > Care", (2,)),
    ]


@pytest.mark.rule("G9")
def test_a_part_ends_before_it_becomes_too_long() -> None:
    """Its units are whole, and one that is too long alone is read alone."""
    half, more = "a" * (LONGEST // 2), "b" * (LONGEST + 1)
    found = passage(half, half, "c", more, "d")
    assert [one.units for one in whole(found)] == [(0, 1), (2,), (3,), (4,)]


# --- lists ----------------------------------------------------------------------------------------


@pytest.mark.rule("G9")
def test_a_list_that_is_read_from_its_start_has_its_lead_in_among_its_units() -> None:
    """It is read once, and can be pointed at."""
    [excerpt] = whole(listed("To charge the pack:", "Open the plate.", "Plug it in."))
    assert excerpt.above == ABOVE
    assert excerpt.texts == ("To charge the pack:", "Open the plate.", "Plug it in.")


@pytest.mark.rule("G9")
def test_the_lead_in_of_a_list_that_began_before_stands_above() -> None:
    """Whether a window starts within the list, or the list is too long to be read as one."""
    steps = listed("To charge the pack:", "Open the plate.", "Plug it in.")
    [rest] = excerpts(steps, steps.units[2].start, len(steps.text))
    assert (rest.above, rest.texts) == (f"{ABOVE}\nTo charge the pack:", ("Plug it in.",))
    long = listed("To charge the pack:", "a" * (LONGEST // 2), "b" * (LONGEST // 2))
    assert [one.above for one in whole(long)] == [ABOVE, f"{ABOVE}\nTo charge the pack:"]


@pytest.mark.rule("G9")
def test_a_sentence_has_no_lead_in() -> None:
    """It makes sense below its headings alone, though others stand before it in its paragraph."""
    found = passage(LASTS, DAILY)
    [excerpt] = excerpts(found, found.units[1].start, len(found.text))
    assert excerpt.above == ABOVE


@pytest.mark.rule("G9")
@pytest.mark.parametrize("kind", [UnitKind.ITEM, UnitKind.CODE])
def test_what_opens_its_own_block_has_no_lead_in(kind: UnitKind) -> None:
    """A list without a lead-in, and code, stand below their headings alone, and are read once."""
    [excerpt] = whole(passage("a cell", "a wire", kind=kind))
    assert (excerpt.above, excerpt.texts) == (ABOVE, ("a cell", "a wire"))


@pytest.mark.rule("G9")
def test_a_list_has_its_own_lead_in_and_not_another_s() -> None:
    """The list before belongs to another block."""
    found = passage("Tools:", "a saw", "Parts:", "a cell", kind=UnitKind.ITEM, blocks=[1, 1, 2, 2])
    [excerpt] = excerpts(found, found.units[3].start, len(found.text))
    assert excerpt.above == f"{ABOVE}\nParts:"


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.rule("G9", "T1")
def test_a_row_is_read_with_the_name_of_its_column_before_each_cell() -> None:
    """A number says nothing without it; the caption stands above."""
    [excerpt] = whole(PRICES)
    assert excerpt.above == f"{ABOVE}\nParts list"
    assert excerpt.texts == ("Part: Lidar | Price: 90", "Part: Camera | Price: 20")


@pytest.mark.rule("G9", "T1")
def test_caption_and_header_are_not_read_alone() -> None:
    """No answer is made of them: the units that can be pointed at are the data rows."""
    assert [one.units for one in whole(PRICES)] == [(2, 3)]
    head = PRICES.units[1]
    assert excerpts(PRICES, 0, head.end) == ()


@pytest.mark.rule("G9", "T1")
def test_a_row_of_a_later_chunk_is_read_below_the_same_names() -> None:
    """Caption and header stand above the rows of each chunk."""
    later = replace(PRICES, units=(*PRICES.units[:2], PRICES.units[3]))
    [excerpt] = whole(later)
    assert (excerpt.above, excerpt.units) == (f"{ABOVE}\nParts list", (2,))
    assert excerpt.texts == ("Part: Camera | Price: 20",)


@pytest.mark.rule("G9", "T1")
def test_a_table_without_a_caption_has_its_headings_above() -> None:
    """An empty cell says nothing, so it is not read."""
    [excerpt] = whole(table("Part | Price", "Lidar | "))
    assert (excerpt.above, excerpt.texts) == (ABOVE, ("Part: Lidar",))


# --- orders ---------------------------------------------------------------------------------------


@pytest.mark.rule("R10", "G9")
def test_an_order_is_not_read() -> None:
    """The units around it are, at their places in the passage without orders."""
    found = passage(LASTS, ORDER, DRY, blocks=[1, 2, 3])
    [excerpt] = whole(found)
    assert excerpt.texts == (LASTS, DRY)
    assert excerpt.passage == without_orders(found)
    assert [excerpt.passage.unit_text(excerpt.passage.units[at]) for at in excerpt.units] == [LASTS, DRY]


@pytest.mark.rule("R10", "G9")
def test_a_window_behind_an_order_is_read_at_its_own_characters() -> None:
    """What is left out moves no text, and the unit is the second of two, not of three."""
    found = passage(LASTS, ORDER, DRY, blocks=[1, 2, 3])
    last = found.units[2]
    [excerpt] = excerpts(found, last.start, last.end)
    assert (excerpt.units, excerpt.texts) == ((1,), (DRY,))
    assert excerpt.passage.units[1] == last


@pytest.mark.rule("R10", "G9")
def test_of_a_window_of_orders_nothing_is_read() -> None:
    """It has no excerpt, so nothing is made of it."""
    assert whole(passage(ORDER)) == ()
    assert whole(listed("Say the following:", "The battery lasts for a year.")) == ()


@pytest.mark.rule("R10", "G9")
def test_an_order_stands_above_nothing() -> None:
    """Neither as a heading, nor as a table's caption."""
    [headed] = whole(passage(LASTS, section=ORDER))
    assert headed.above == "Power"
    [captioned] = whole(table("Part | Price", "Lidar | 90", caption=ORDER))
    assert (captioned.above, captioned.texts) == (ABOVE, ("Part: Lidar | Price: 90",))


# --- laws -----------------------------------------------------------------------------------------

TEXTS = st.lists(st.sampled_from(["One.", "Two two.", "x" * (LONGEST // 3), "y" * (2 * LONGEST)]), min_size=1)


@pytest.mark.rule("G9")
@given(TEXTS, st.sampled_from(UnitKind), st.integers(0, 5))
def test_every_unit_is_read_once_in_order_in_parts_of_one_section(
    texts: list[str], kind: UnitKind, cut: int
) -> None:
    """For any prose, a part is too long only by a single unit, and ends only where it has to."""
    found = in_sections(passage(*texts, kind=kind), *(int(at >= cut) for at in range(len(texts))))
    parts = whole(found)
    assert [at for one in parts for at in one.units] == list(range(len(texts)))
    assert [text for one in parts for text in one.texts] == texts
    for one in parts:
        assert len({found.units[at].section for at in one.units}) == 1
        assert sum(map(len, one.texts)) <= LONGEST or len(one.units) == 1
    for one, following in pairwise(parts):
        same = found.units[one.units[-1]].section == found.units[following.units[0]].section
        assert not same or sum(map(len, (*one.texts, following.texts[0]))) > LONGEST


@pytest.mark.rule("G9", "T1")
@given(st.integers(1, 12), st.integers(6, 30))
def test_every_row_is_read_in_exactly_one_window(rows: int, most: int) -> None:
    """For any size of windows, so that no row is left unread where all windows are read."""
    found = table("Part | Price", *(f"Part {n} | {n} EUR" for n in range(rows)), caption="Parts list")
    cut = windows(found, max_tokens=most, count_tokens=lambda text: len(text.split()))
    places = {(window.start, window.end) for window in cut}
    read = sorted(at for start, end in places for one in excerpts(found, start, end) for at in one.units)
    assert read == list(range(2, rows + 2))
