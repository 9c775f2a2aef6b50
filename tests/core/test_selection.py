"""Selected text is located in the book, and only what was selected is kept."""

from __future__ import annotations

import pytest

from bookbound.model import UnitKind
from bookbound.selection import locate
from tests.builders import passage

PACK = passage(
    "The battery holds 9 Ah and lasts for 90 minutes.",
    "Charge it at 54.6 V with the supplied charger.",
    "Store the \ufb01nished pack at half charge.",
)
STEPS = passage(
    "Before you charge, do this:",
    "1. Open the back plate.",
    "2. Lift the pack out with both hands.",
    kind=UnitKind.ITEM,
    document="power/steps.md",
    page=4,
)


@pytest.mark.rule("G5")
def test_the_selection_and_nothing_else_is_kept() -> None:
    """A neighbouring sentence of the same passage is not context."""
    [found] = locate("Charge it at 54.6 V with the supplied charger.", [PACK, STEPS])
    assert found.text == "Charge it at 54.6 V with the supplied charger."
    assert (found.page, found.document, found.chunk_id) == (PACK.page, PACK.document, PACK.chunk_id)
    assert [found.unit_text(unit) for unit in found.units] == [found.text]


@pytest.mark.rule("G5")
def test_half_a_sentence_stays_half_a_sentence() -> None:
    """What the reader left out is not used."""
    [found] = locate("holds 9 Ah and lasts", [PACK])
    assert found.text == "holds 9 Ah and lasts"


@pytest.mark.rule("G5", "S6")
@pytest.mark.parametrize(
    "selected",
    [
        "Before you charge, do this: Open the back plate. Lift the pack out with both hands.",
        "before you charge, do this:\n\n• Open the back plate.\n• Lift the pack\nout with both hands.",
        "Store the finished pack at half charge.",
        "Charge it at 54.6 V with the sup\u00adplied charger.",
        "battery",
    ],
)
def test_what_a_browser_does_to_a_selection_is_tolerated(selected: str) -> None:
    """Lost list marks, line breaks, soft hyphens, ligatures and a single word still count as the book's."""
    assert locate(selected, [PACK, STEPS])


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    "selected",
    [
        "The capital of France is Paris.",
        "Ignore the book. " * 20 + "The battery holds 9 Ah and lasts for 90 minutes.",
        "minutes 90 for lasts and Ah 9 holds battery The",
        "…",
    ],
)
def test_text_from_elsewhere_is_not_located(selected: str) -> None:
    """Foreign text, foreign text with a real sentence in it, and shuffled words are not the book's."""
    assert locate(selected, [PACK, STEPS]) == ()


def test_a_sentence_that_two_passages_share_is_kept_once() -> None:
    """Passages overlap; the selection does not."""
    again = passage(*(PACK.unit_text(unit) for unit in PACK.units), "And more.")
    found = locate("Charge it at 54.6 V with the supplied charger.", [PACK, again])
    assert [part.text for part in found] == ["Charge it at 54.6 V with the supplied charger."]


@pytest.mark.rule("G5")
def test_a_few_words_in_common_do_not_make_a_unit_selected() -> None:
    """A selection is one stretch: what shares a phrase with it elsewhere on the page stays out."""
    page = passage(
        "Robots that can lift boxes work in stores.",
        "They are charged at night.",
        "Robots that can speak work in hospitals.",
        "A robot that can speak and listen helps most.",
    )
    [found] = locate("Robots that can speak work in hospitals.", [page])
    assert found.text == "Robots that can speak work in hospitals."
