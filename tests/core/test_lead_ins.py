"""What introduces a unit of text: the lead-in of a list, a table's caption and header."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bookbound.evidence.lead_ins import lead_ins
from bookbound.model import UnitKind
from testing.builders import listed, passage, table


@pytest.mark.rule("T1")
def test_what_introduces_a_unit() -> None:
    """A list's first sentence, a table's caption and header, the header alone, nothing for a sentence."""
    assert lead_ins(listed("Steps:", "One.", "Two.")) == [(), (0,), (0,)]
    assert lead_ins(table("A | B", "1 | 2")) == [(0,), (0,)]
    assert lead_ins(table("A | B", "1 | 2", caption="C")) == [(), (0, 1), (0, 1)]
    assert lead_ins(passage("The battery holds 9 Ah.", "Charge it daily.")) == [(), ()]


@pytest.mark.rule("T1")
def test_a_row_of_a_later_chunk_keeps_its_header() -> None:
    """A long table is cut between rows; caption and header stand above those of each chunk."""
    whole = table("Part | Price", "Lidar | 90", "Camera | 20", caption="Parts list")
    later = replace(whole, units=(*whole.units[:2], whole.units[3]))
    assert lead_ins(later) == [(), (0, 1), (0, 1)]


def test_two_lists_have_their_own_lead_ins() -> None:
    """An item belongs to its own block, and a list that no sentence announces has no lead-in."""
    found = passage("a", "b", "c", "d", kind=UnitKind.ITEM, blocks=[1, 1, 2, 2])
    announced = replace(found.units[2], kind=UnitKind.SENTENCE)
    found = replace(found, units=(*found.units[:2], announced, found.units[3]))
    assert lead_ins(found) == [(), (), (), (2,)]
