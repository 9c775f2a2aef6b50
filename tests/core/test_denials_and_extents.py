"""A claim's denials and extents against a passage: each altered claim with a true one."""

from __future__ import annotations

import pytest

from bookbound.claims.alignment import align
from bookbound.claims.checks import CHECKS

NEGATIONS = ("negation", "dropped_negation")
EXTENTS = ("unbacked_quantifier",)


def objects(names: tuple[str, ...], claim: str, passage: str) -> bool:
    alignment = align(claim, [passage])
    return any(CHECKS[name](alignment) for name in names)


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("passage", "wrong", "right"),
    [
        (
            "Cards without tensor cores, such as the K20, are not supported by the simulator.",
            "Cards without tensor cores, such as the K20, are supported by the simulator.",
            "The simulator does not support cards without tensor cores, such as the K20.",
        ),
        (
            "The rover never backs up without turning its head. It does not sing.",
            "The rover can sing.",
            "The rover turns its head before it backs up.",
        ),
        (
            "Both may run together. They never start on a machine with less than 16 GB of memory.",
            "Both may not run together.",
            "They start on a machine with at least 16 GB of memory.",
        ),
        (
            "Object dropped, undamaged: 5 points. Object damaged: 15 points.",
            "A damaged object does not cost 15 points.",
            "Dropping an object without damage costs 5 points.",
        ),
        (
            "Over the radio a packet loss of 2 % is normal.",
            "Packet losses of 2 % are not normal over the radio.",
            "Packet losses of 2 % are normal over the radio.",
        ),
        (
            "The rover can walk slowly in the dark, but it cannot avoid a chair.",
            "When no lamp is on, the rover can walk slowly, and it can avoid a chair.",
            "When no lamp is on, the rover can walk slowly, and it is unable to avoid a chair.",
        ),
        (
            "Model | Weights available\nAlpha | Yes\nBeta | No",
            "The weights of Alpha are not available in this book.",
            "The weights of Alpha are available in this book.",
        ),
        (
            "An action can be cancelled by its client.",
            "An action cannot be cancelled by its client.",
            "An action can be cancelled by its client, whereas a topic cannot.",
        ),
    ],
)
def test_a_denial_is_weighed_in_its_clause(passage: str, wrong: str, right: str) -> None:
    """A claim affirms no denial of the book and denies no claim; other clauses and bounds aside."""
    assert objects(NEGATIONS, wrong, passage)
    assert not objects(NEGATIONS, right, passage)


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("passage", "wrong", "right"),
    [
        (
            "Every node in the simulation must set the clock.",
            "The clock must be set by only one node in the simulation.",
            "The clock has to be set by each node in the simulation.",
        ),
        (
            "A system counts when it has all three properties.",
            "A system counts when it has at least one of the properties.",
            "A system counts when it has all of the three properties.",
        ),
        (
            "One pack lasts for about eight runs of the test.",
            "One pack lasts for exactly eight runs of the test.",
            "One pack lasts for some eight runs of the test.",
        ),
        (
            "Sixteen of the nodes must run; the exception is the speech node.",
            "All of the nodes must run.",
            "All but the speech node must run.",
        ),
        (
            "The broker needs no central server.",
            "The broker always needs a central server.",
            "The broker works without any central server.",
        ),
        (
            "The perception tests run once a week.",
            "Only the perception tests run once a week.",
            "The perception tests run only once a week.",
        ),
        (
            "The gain is lost as soon as one node leaves, so all nodes share a process.",
            "The gain is lost only when every node leaves.",
            "The gain is lost when one node leaves.",
        ),
        (
            "The left and the right camera run at 15 Hz.",
            "The left camera sometimes runs at 15 Hz.",
            "Both cameras run at 15 Hz.",
        ),
        (
            "The operator rests after each run.",
            "The operator must rest after each run.",
            "The operator rests after every run.",
        ),
        (
            "Model | Weights available\nAlpha | Yes\nBeta | No",
            "Alpha is available in only one of the models.",
            "Of the models in the table, Alpha is the only one whose weights are available.",
        ),
        (
            "Carry a swollen pack to the sand and call the manager.",
            "All packs must be carried to the sand.",
            "A swollen pack must be carried to the sand.",
        ),
    ],
)
def test_an_extent_must_be_the_books(passage: str, wrong: str, right: str) -> None:
    """All, one, some, only and must have to be as in the book, in any wording."""
    assert objects(EXTENTS, wrong, passage)
    assert not objects(EXTENTS, right, passage)
