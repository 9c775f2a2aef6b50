"""Synonyms and opposites of words, which tell a paraphrase from another claim (P4).

The words are stems, as terms.stem gives them. The knowledge is data, built by evaluation.synonyms.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType

_NONE: Mapping[str, float] = MappingProxyType({})


def meaning(stem: str) -> Mapping[str, float]:
    """The other stems that may stand for this one, and how nearly each means the same, in (0, 1].

    1.0 is the same word in another form or spelling, 0.8 to 0.9 a close synonym or another degree or part of
    speech, 0.5 to 0.75 a loose one. It reads from claim to passage, and is not symmetric: "car" bears
    "vehicle" out better than the other way round. Empty for a stem that has none.
    """
    line = _lines("meaning.txt").get(stem)
    return _weights(line) if line else _NONE


def opposite(a: str, b: str) -> bool:
    """Return whether two stems are opposites, as "increas" and "decreas" are; in either order."""
    return b in _lines("opposites.txt").get(a, "").split()


@lru_cache(maxsize=8_192)
def _weights(line: str) -> Mapping[str, float]:
    """A line's fields: a weight in hundredths, then its stems."""
    bands = (field.split(" ") for field in line.split("\t"))
    return MappingProxyType({stem: int(weight) / 100 for weight, *stems in bands for stem in stems})


@cache
def _lines(name: str) -> dict[str, str]:
    """By stem, the rest of its line."""
    text = (resources.files("bookbound") / "data" / "synonyms" / name).read_text("utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines() if line[:1] != "#")
