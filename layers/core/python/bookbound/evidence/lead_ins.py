"""What introduces a unit of text: the lead-in of a list, a table's header."""

from __future__ import annotations

from bookbound.model import Passage, UnitKind


def lead_ins(passage: Passage) -> list[tuple[int, ...]]:
    """For each unit the indices of the units that introduce it, none for a sentence.

    A list is introduced by the sentence that its block begins with, a table's row by what stands above the
    rows: caption and header. Each where there is one.
    """
    head = tuple(at for at, unit in enumerate(passage.units) if unit.number < (passage.table_rows or (0,))[0])
    first_of_block: dict[int, int] = {}
    leads: list[tuple[int, ...]] = []
    for index, unit in enumerate(passage.units):
        first = first_of_block.setdefault(unit.block, index)
        if unit.kind is UnitKind.SENTENCE:
            leads.append(())
        elif unit.kind is UnitKind.ROW:
            leads.append(head)
        else:
            leads.append((first,) if passage.units[first].kind is UnitKind.SENTENCE else ())
    return leads
