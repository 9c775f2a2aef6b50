"""A fitted choice of one among several. Source: D. McFadden, Conditional logit analysis of qualitative choice
behavior (1974); with a ridge, and with several right ones together where they are alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

Choice = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Features of each of several, `[several, features]`, and which of them are right."""


def fitted(choices: Sequence[Choice], ridge: float) -> NDArray[np.float64]:
    """A weight per feature, the penalty on features in units of their spread.

    A choice of which nothing is right, or all, says nothing.
    """
    telling = [(features, right) for features, right in choices if right.any() and not right.all()]
    scale = np.vstack([features for features, _ in telling]).std(0)
    scale[scale == 0] = 1.0
    scaled = [(features / scale, right) for features, right in telling]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, slope = ridge * weights @ weights, 2 * ridge * weights
        for features, right in scaled:
            sums = features @ weights
            among, of_right = logsumexp(sums), logsumexp(sums[right])
            wanted = np.where(right, np.exp(sums - of_right), 0.0)
            total += among - of_right
            slope = slope + features.T @ (np.exp(sums - among) - wanted)
        return float(total), slope

    weights: NDArray[np.float64] = minimize(loss, np.zeros(len(scale)), jac=True, method="L-BFGS-B").x / scale
    return weights
