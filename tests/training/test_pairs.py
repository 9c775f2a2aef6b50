"""Pairs of claims: how passages are cut, and what is refused of what authors write."""

from __future__ import annotations

import pytest

from training.drafts import Line
from training.pairs import LEAST, MOST, pair, passages
from training.pointers import Pointer, resolve

PROSE = "The arm lifts a crate once the gripper reports that it holds it, and not before that. " * 5
BOOK = {
    "arm.md": f"---\ntitle: Arm\n---\n\n# Arm\n\n{PROSE}\n\n```sh\nlift --now\n```\n\n| a | b |\n|---|---|\n",
    "short.md": "# Short\n\nToo little to say anything about.\n",
}


def drafted(**changed: str) -> Line:
    """A pair as an author writes it."""
    draft = {
        "kind": "roles",
        "true": "Before anything is lifted, the arm hears from the gripper that the crate is held.",
        "false": "Before anything is lifted, the gripper hears from the arm that the crate is held.",
    }
    return draft | changed


def place() -> Pointer:
    """The only passage of BOOK."""
    [found] = passages("robots", BOOK)
    return Pointer(**{name: one for name, one in found.items() if name != "book"})


def test_passages_are_prose_of_a_fair_length() -> None:
    """Headings, code, tables, and what is too short to write about are left out."""
    run = resolve(BOOK, place())
    assert LEAST <= len(run) <= MOST
    assert run == PROSE.strip()


def test_a_pair_points_at_its_passage() -> None:
    """No text of the book is in it."""
    made = pair(drafted(), place(), BOOK)
    assert made["evidence"] == [
        {"file": "arm.md", "offset": place().offset, "length": len(PROSE.strip()), "sha256": place().sha256}
    ]
    assert set(made) == {"id", "true", "false", "kind", "evidence"}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"kind": "mood"}, "no kind of claim"),
        ({"false": drafted()["true"]}, "the same"),
        ({"true": "The arm lifts it."}, "4 words"),
        ({"true": "A crate is lifted once the gripper reports that it holds it."}, "words in a row"),
    ],
)
def test_what_is_no_pair_is_refused(changed: Line, fault: str) -> None:
    """An unknown kind, twice the same claim, one too short, and one copied from the book."""
    with pytest.raises(ValueError, match=fault):
        pair(drafted(**changed), place(), BOOK)
