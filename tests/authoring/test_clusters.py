"""Clustering by average linkage."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bookbound.authoring.clusters import clusters


def at(*degrees: float) -> list[list[float]]:
    """Unit vectors at these angles."""
    return [[math.cos(math.radians(one)), math.sin(math.radians(one))] for one in degrees]


def test_what_is_alike_comes_together() -> None:
    """The most central one first; what is like nothing else is alone."""
    assert clusters(at(0, 10, 20, 90, 180), 0.9) == [[1, 0, 2], [3], [4]]
    assert clusters([]) == []
    assert clusters(at(0)) == [[0]]


def test_a_chain_of_neighbours_does_not_join_its_ends() -> None:
    """Single linkage would make one cluster of ten vectors of which each is like the next."""
    assert len(clusters(at(*range(0, 100, 10)), 0.95)) > 2


def linked(vectors: list[list[float]], alike: float) -> list[set[int]]:
    """Average linkage as its definition has it, in cubic time."""
    points = np.asarray(vectors, dtype=np.float32)
    found = [{index} for index in range(len(points))]
    while len(found) > 1:
        pairs = [(one, other) for one in range(len(found)) for other in range(one)]
        means = {pair: float(np.mean([points[a] @ points[b] for a in found[pair[0]] for b in found[pair[1]]])) for pair in pairs}  # fmt: skip  # noqa: E501
        best = max(pairs, key=means.__getitem__)
        if means[best] < alike:
            break
        found[best[1]] |= found.pop(best[0])
    return found


@given(
    st.lists(st.integers(0, 3599), min_size=1, max_size=14, unique=True), st.sampled_from([0.5, 0.8, 0.95])
)
def test_the_clusters_are_those_of_the_definition(tenths: list[int], alike: float) -> None:
    """By chains of nearest neighbours as by looking at every pair each time, but where pairs tie."""
    vectors = at(*(one / 10 for one in tenths))
    found = {frozenset(one) for one in clusters(vectors, alike)}
    expected = {frozenset(one) for one in linked(vectors, alike)}
    if found != expected:
        # A tie may be broken either way, and then each cut is one of the definition's.
        assert sorted(map(len, found)) == sorted(map(len, expected)) or _ties(vectors)


def _ties(vectors: list[list[float]]) -> bool:
    points = np.asarray(vectors)
    gaps = np.sort((points @ points.T)[np.triu_indices(len(points), 1)])
    return bool(np.any(np.diff(gaps) < 1e-3))


def test_beyond_the_most_each_joins_what_there_is() -> None:
    """Or stands alone; none is lost."""
    found = clusters(at(0, 5, 90, 3, 180), 0.9, 3)
    assert sorted(map(sorted, found)) == [[0, 1, 3], [2], [4]]
