"""Every system with its decisions about one book, and which peer is the best one there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.answers.points import Asked, Point, cut, fitted_thresholds, point

OWN = "own pieces"
PASSAGES = "Bookbound's passages"
ITS_OWN = "its own passages"

BOOKBOUND = "Bookbound"

DEFAULT = "default"
FITTED = "fitted"

PeerAnswers = Mapping[tuple[str, str], Sequence[Asked]]
"""By a peer's name, and OWN or PASSAGES."""


@dataclass(frozen=True, slots=True)
class System:
    """One system over one book.

    Attributes:
        setting: which pieces of the book it searches.
        points: the rates at DEFAULT and FITTED; Bookbound has the second alone.
        thresholds: what is cut at there, as a table shows it.
    """

    name: str
    setting: str
    asked: Sequence[Asked]
    points: Mapping[str, Point]
    thresholds: Mapping[str, str]

    @property
    def family(self) -> str:
        """The framework's name, without its variant."""
        return self.name.split(",")[0]

    @property
    def fitted(self) -> Point:
        """Its rates with what was fitted on other questions."""
        return self.points[FITTED]


@dataclass(frozen=True, slots=True)
class Compared:
    """One book: Bookbound, and every peer in either setting."""

    book: str
    bookbound: System
    peers: Sequence[System]


def peers(own: PeerAnswers, other: PeerAnswers | None, defaults: Mapping[str, float | None]) -> list[System]:
    """Every peer in every setting; `other` has the same ones' answers about the other book, if any."""
    return [
        _peer(name, setting, asked, None if other is None else other[name, setting], defaults[name])
        for (name, setting), asked in own.items()
    ]


def _peer(
    name: str, setting: str, asked: Sequence[Asked], other: Sequence[Asked] | None, default: float | None
) -> System:
    fitted = fitted_thresholds(asked, other)
    reached = [one.score >= threshold for one, threshold in zip(asked, fitted, strict=True)]
    return System(
        name,
        setting,
        asked,
        {DEFAULT: point(asked, cut(asked, default)), FITTED: point(asked, reached)},
        {
            DEFAULT: "default: " + ("none" if default is None else f"{default:g}"),
            FITTED: "fitted: " + _shown(asked, fitted),
        },
    )


def _shown(asked: Sequence[Asked], fitted: Sequence[float]) -> str:
    if len({one.score for one in asked}) == 1:
        return "no scores"
    return ", ".join(f"{threshold:.4g}" for threshold in sorted(set(fitted)))


def bookbound(asked: Sequence[Asked], answered: Sequence[bool]) -> System:
    """Bookbound as it decided."""
    return System(BOOKBOUND, ITS_OWN, asked, {FITTED: point(asked, answered)}, {FITTED: "as shipped"})


def best(systems: Iterable[System]) -> System:
    """The highest Youden's J at the fitted threshold."""
    return max(systems, key=lambda system: system.fitted.j)


def leaders(systems: Sequence[System]) -> list[System]:
    """Each framework's best variant, in its better setting."""
    return [
        best(one for one in systems if one.family == each)
        for each in dict.fromkeys(one.family for one in systems)
    ]
