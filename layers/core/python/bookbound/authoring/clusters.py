"""Texts of one meaning: agglomerative clustering with average linkage, cut at a similarity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bookbound.model import Vector

ALIKE = 0.50
"""The least mean cosine of two clusters that become one, for the bundled model (`evaluation.gaps`)."""

MOST = 4000
"""Vectors that are clustered by each other, the first ones, in 64 MB. The others join what there is."""

_NONE = -2.0
"""Below any cosine."""

_Merge = tuple[float, int, int]


def clusters(vectors: Sequence[Vector], alike: float = ALIKE, most: int = MOST) -> list[list[int]]:
    """The indices of L2-normalised vectors, those of one cluster together, the most central one first.

    Average linkage (UPGMA): two clusters are as alike as their members are on average, so that no chain of
    neighbours joins what lies far apart. By nearest-neighbour chains (Murtagh 1983), O(n²) for n vectors.
    """
    if not vectors:
        return []
    points: npt.NDArray[np.float32] = np.asarray(vectors, dtype=np.float32)
    parents = list(range(len(points)))
    for alikeness, one, other in _merges(points[:most]):
        if alikeness >= alike:
            first, second = sorted((_head(parents, one), _head(parents, other)))
            parents[second] = first
    _join(points, parents, alike, most)
    found: dict[int, list[int]] = defaultdict(list)
    for index in range(len(points)):
        found[_head(parents, index)].append(index)
    return [_central_first(points, members) for members in found.values()]


def _central_first(points: npt.NDArray[np.float32], members: Sequence[int]) -> list[int]:
    of = points[list(members)]
    return [members[place] for place in np.argsort(-(of @ of.mean(axis=0)), kind="stable")]


def _merges(points: npt.NDArray[np.float32]) -> list[_Merge]:
    """Every merge of the tree: how alike its two clusters are, and a member of each."""
    alike = points @ points.T
    np.fill_diagonal(alike, _NONE)
    sizes = np.ones(len(points))
    chain: list[int] = []
    merges: list[_Merge] = []
    gone = np.zeros(len(points), dtype=bool)
    while len(merges) < len(points) - 1:
        if not chain:
            chain.append(int(np.argmin(gone)))
        last, before = chain[-1], chain[-2] if len(chain) > 1 else None
        nearest = int(alike[last].argmax())
        # Of several that are as near, the one before: so a chain comes to its end.
        if before is not None and alike[last, before] >= alike[last, nearest]:
            merges.append((float(alike[last, before]), last, before))
            _merge(alike, sizes, last, before)
            gone[last] = True
            del chain[-2:]
        else:
            chain.append(nearest)
    return merges


def _merge(alike: npt.NDArray[np.float32], sizes: npt.NDArray[np.float64], one: int, other: int) -> None:
    """Let `other` stand for both (Lance and Williams 1967)."""
    whole = sizes[one] + sizes[other]
    mean = (sizes[one] * alike[one] + sizes[other] * alike[other]) / whole
    alike[other], alike[:, other] = mean, mean
    alike[one], alike[:, one] = _NONE, _NONE
    alike[other, other] = _NONE
    sizes[other] = whole


def _join(points: npt.NDArray[np.float32], parents: list[int], alike: float, most: int) -> None:
    """Put each of the vectors beyond the most to the nearest centre, where that is near enough."""
    if len(points) <= most:
        return
    heads = sorted({_head(parents, index) for index in range(most)})
    members = np.asarray([_head(parents, index) for index in range(most)])
    centres = np.stack([points[:most][members == head].mean(axis=0) for head in heads])
    for index in range(most, len(points)):
        closeness = centres @ points[index]
        if closeness.max() >= alike:
            parents[index] = heads[int(closeness.argmax())]


def _head(parents: list[int], index: int) -> int:
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index
