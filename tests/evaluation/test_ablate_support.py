"""The ablation of the claim verifier."""

from __future__ import annotations

from pathlib import Path

from bookbound.claims.checks import CHECKS
from bookbound.claims.likeness import AGAINST
from evaluation.ablate_support import Material, figures
from evaluation.fit_support import GRADED, Example, Shelf

SUPPORTED = {name: float(name not in AGAINST) for name in GRADED} | dict.fromkeys(CHECKS, 0.0)
OBJECTED = SUPPORTED | {"wrong_unit": 1.0}


def test_what_a_check_buys_is_lost_without_it() -> None:
    """Where one check alone tells true from false, the rest tells nothing, and another one is not missed."""
    examples = [Example(SUPPORTED, True, False), Example(OBJECTED, False, False)] * 4
    shelves = [Shelf(Path(name), examples, examples) for name in ("one", "other")]
    material = Material({"claims": (examples, examples)}, {"pairs": [examples, examples]}, shelves)
    whole, without, other = (
        figures(each) for each in (material, material.without("wrong_unit"), material.without("turned_bound"))
    )
    assert set(whole.values()) == {1.0}
    assert without["pairs"] == 0.5
    assert other == whole
