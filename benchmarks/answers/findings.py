"""Tables and goals of one book: what each system answers, and what it costs in false answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from benchmarks.answers.points import REFUSED, Point, at_answered_rate, right_source
from benchmarks.answers.systems import OWN, PASSAGES, Compared, System, best, leaders
from benchmarks.report.measured import Goal, Table
from bookbound.evaluation.curves import OperatingPoint
from bookbound.evaluation.rates import Rate

A_FIFTH = 0.2
"""Highest share of the best peer's false answers on near misses that Bookbound may give."""

COLUMNS = (
    "system",
    "searches",
    "cut",
    "answered",
    *(kind.replace("_", " ") for kind in REFUSED),
    "J",
    "right source@5",
)


def tables(compared: Compared) -> list[Table]:
    """The comparison of the best, then every peer on either kind of pieces."""
    peers = compared.peers
    titles = {
        "each framework's best variant, on the pieces that are the better ones for it": [
            compared.bookbound,
            *leaders(peers),
        ],
        "every peer, on pieces by its own splitter": [each for each in peers if each.setting == OWN],
        "every peer, on Bookbound's passages": [each for each in peers if each.setting == PASSAGES],
    }
    return [
        Table(f"{compared.book}: {title}", COLUMNS, list(_rows(systems))) for title, systems in titles.items()
    ]


def goals(compared: Compared) -> list[Goal]:
    """The two that were set: a fifth of the best peer's false answers, and none on what is far off."""
    system = compared.bookbound
    return [_a_fifth(compared.book, system, best(compared.peers)), _none_far_off(compared.book, system)]


def facts(compared: Compared) -> list[dict[str, Any]]:
    """Every system's rates with their counts, and where it cuts."""
    return [
        {
            "system": system.name,
            "setting": system.setting,
            "points": {where: asdict(rates) for where, rates in system.points.items()},
            "cut_at": dict(system.thresholds),
            "right_source": right_source(system.asked),
        }
        for system in (compared.bookbound, *compared.peers)
    ]


def _a_fifth(book: str, system: System, peer: System) -> Goal:
    theirs, reached = peer.fitted.false["near_miss"], at_answered_rate(system.asked, peer.fitted)
    who = f"{peer.name} on {peer.setting}"
    what = f"{book}: false answers on near misses at the answered rate of the best peer ({who})"
    asked = f"at most a fifth of its {counted(theirs)}, answering {counted(peer.fitted.answered)}"
    if reached is None:
        ours = system.fitted
        found = (
            f"no threshold answers so many; in force {counted(ours.false['near_miss'])}, "
            f"answering {counted(ours.answered)}"
        )
        return Goal(what, asked, found, None)
    false = reached["false_answers"]
    return Goal(
        what, asked, _at(reached, theirs), (false["rate"] or 0.0) <= A_FIFTH * (theirs["rate"] or 0.0)
    )


def _at(reached: OperatingPoint, theirs: Rate) -> str:
    false = reached["false_answers"]
    share = f", {(false['rate'] or 0.0) / theirs['rate']:.2f} of the peer's" if theirs["rate"] else ""
    return f"{counted(false)}{share}, answering {counted(reached['answered'])}"


def _none_far_off(book: str, system: System) -> Goal:
    far_off = {kind: rate for kind, rate in system.fitted.false.items() if kind != "near_miss"}
    found = ", ".join(
        f"{kind.replace('_', ' ')} {rate['hits']} of {rate['n']}" for kind, rate in far_off.items()
    )
    none = not any(rate["hits"] for rate in far_off.values())
    return Goal(f"{book}: false answers on what is far from the book", "none", found, none)


def _rows(systems: Iterable[System]) -> Iterator[list[str]]:
    for system in systems:
        for where, rates in system.points.items():
            yield [
                system.name,
                system.setting,
                system.thresholds[where],
                *_cells(rates),
                shown(right_source(system.asked)),
            ]


def _cells(rates: Point) -> Iterator[str]:
    yield shown(rates.answered)
    yield from (shown(rates.false[kind]) for kind in REFUSED)
    yield f"{rates.j:.2f}"


def shown(rate: Rate) -> str:
    """A rate with its interval, in percent; by characters that no line is broken at."""
    if rate["rate"] is None:
        return "–"
    low, high = f"{100 * rate['low']:.0f}", f"{100 * rate['high']:.0f}"
    return f"{rate['rate']:.0%}\N{NO-BREAK SPACE}{low}\N{NON-BREAKING HYPHEN}{high}"


def counted(rate: Rate) -> str:
    """A rate with its counts."""
    return f"{rate['rate'] or 0.0:.1%} ({rate['hits']} of {rate['n']})"
