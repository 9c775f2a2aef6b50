"""Two evaluations held against each other, question by question: what moved, and is it noise (E2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import fmean

from bookbound.evaluation.outcomes import MEASURES, Measure, Outcomes

NOISE = 0.05
"""A move is noise while chance alone would make one at least as lopsided more often than that."""


class Move(StrEnum):
    """Direction of a rate's change."""

    SAME = "same"
    BETTER = "better"
    WITHIN_NOISE = "worse, within noise"
    BEYOND_NOISE = "worse beyond noise"


@dataclass(frozen=True, slots=True)
class Change:
    """A rate then and now, over the questions that have it both times.

    Attributes:
        name: the measure's, with the kind of question after a dot where it is of one kind alone.
        n: how many questions have it both times.
        before, now: its mean over these, in [0, 1].
        worse, better: ids of the questions that moved.
        p: how often as many or more of those that moved would be worse, were either way as likely.
    """

    name: str
    title: str
    n: int
    before: float
    now: float
    worse: tuple[str, ...]
    better: tuple[str, ...]
    p: float
    move: Move

    @property
    def moved(self) -> bool:
        """True if any question came to something else."""
        return bool(self.worse or self.better)


def compare(before: Outcomes, now: Outcomes, kinds: Mapping[str, str]) -> list[Change]:
    """Every measure, over all questions and for those of MEASURES that ask it by kind.

    `kinds` maps a question's id to its kind. A measure that no question has both times is left out.
    """
    changes: list[Change] = []
    for measure in MEASURES:
        both = [id for id in now if measure.name in now[id] and measure.name in before.get(id, {})]
        for kind, ids in _groups(measure, both, kinds):
            pairs = {id: (before[id][measure.name], now[id][measure.name]) for id in ids}
            changes.append(_change(measure, kind, pairs))
    return changes


def beyond_noise(changes: Iterable[Change]) -> list[Change]:
    """Those that are worse than noise would make them."""
    return [change for change in changes if change.move is Move.BEYOND_NOISE]


def sign_test(worse: int, better: int) -> float:
    """Return the probability of at least `worse` of all that moved, each way being as likely; exact.

    For figures of 0 and 1 this is McNemar's exact test, one-sided.
    """
    moved = worse + better
    return float(sum(comb(moved, many) for many in range(worse, moved + 1)) / 2**moved)


def _groups(
    measure: Measure, ids: Sequence[str], kinds: Mapping[str, str]
) -> Iterator[tuple[str | None, list[str]]]:
    if ids:
        yield None, list(ids)
    if measure.by_kind:
        for kind in dict.fromkeys(kinds[id] for id in ids):
            yield kind, [id for id in ids if kinds[id] == kind]


def _change(measure: Measure, kind: str | None, pairs: Mapping[str, tuple[float, float]]) -> Change:
    sign = 1 if measure.more_is_better else -1
    worse = tuple(id for id, (was, is_now) in pairs.items() if sign * is_now < sign * was)
    better = tuple(id for id, (was, is_now) in pairs.items() if sign * is_now > sign * was)
    p = sign_test(len(worse), len(better))
    return Change(
        name=measure.name if kind is None else f"{measure.name}.{kind}",
        title=measure.title if kind is None else f"{measure.title}: {kind}",
        n=len(pairs),
        before=fmean(was for was, _ in pairs.values()),
        now=fmean(is_now for _, is_now in pairs.values()),
        worse=worse,
        better=better,
        p=p,
        move=_move(len(worse), len(better), p, demanded=measure.demanded),
    )


def _move(worse: int, better: int, p: float, *, demanded: bool) -> Move:
    if (demanded and worse) or p < NOISE:
        return Move.BEYOND_NOISE
    if worse > better:
        return Move.WITHIN_NOISE
    return Move.BETTER if better > worse else Move.SAME
