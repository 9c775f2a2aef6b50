"""A claim and its passages as the support model reads them: the units that are nearest to the claim (P4)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from bookbound.model import ClaimRead
from bookbound.text.sentences import sentence_spans
from bookbound.text.terms import content_stems

_ITEM_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s+(?=\D)")

ROOM = 600
"""Characters of units that are read with a claim."""

NEIGHBOUR = 0.3
"""Part of a unit's nearness that the units next to it share: they say what its pronouns mean."""


def claim_read(claim: str, above: str, texts: Sequence[str], room: int = ROOM) -> ClaimRead:
    """The claim with the units of its passages that are nearest to it, in reading order, `room` at most."""
    nearness = _nearness(claim, texts)
    kept: set[int] = set()
    for at in sorted(range(len(texts)), key=lambda at: (-nearness[at], at)):
        if len(texts[at]) <= room or not kept:
            kept.add(at)
            room -= len(texts[at])
    return ClaimRead(claim, above, tuple(texts[at] for at in sorted(kept)))


def without_number(claim: str) -> str:
    """The claim without the number of a list's item, which orders an answer and claims nothing."""
    return _ITEM_NUMBER.sub("", claim)


def units(text: str) -> list[str]:
    """The sentences of a plain text, none across lines; a line without any is one unit."""
    return [unit for line in text.splitlines() if line.strip() for unit in _sentences(line)]


def _sentences(line: str) -> list[str]:
    return [line[start:end] for start, end in sentence_spans(line)] or [line]


def _nearness(claim: str, texts: Sequence[str]) -> list[float]:
    """For each unit the share of the claim's words in it, rare words counted more, in [0, 1.6]."""
    stems = [frozenset(content_stems(text)) for text in texts]
    held = Counter(stem for of_text in stems for stem in of_text)
    worth = {stem: math.log(1 + len(texts) / (1 + held[stem])) for stem in set(content_stems(claim))}
    whole = math.fsum(worth.values()) or 1.0
    own = [math.fsum(worth[stem] for stem in worth.keys() & of_text) / whole for of_text in stems]
    around = [0.0, *own, 0.0]
    return [one + NEIGHBOUR * (around[at] + around[at + 2]) for at, one in enumerate(own)]
