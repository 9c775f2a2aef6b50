"""Fits: the map from cosine to similarity, and the sufficiency model. Numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

KNOT_STEP = 0.05
RIDGE = 50.0
ITERATIONS = 50


def logistic(features: Floats, labels: Floats, weights: Floats, ridge: float) -> Floats:
    """Weighted ridge logistic regression by Newton's method.

    Args:
        features: (n, k). labels: (n,) of 0 and 1. weights: (n,) ≥ 0.
        ridge: L2 penalty on the coefficients; the intercept is free.

    Returns:
        (k + 1,): the coefficients, then the intercept.
    """
    design = np.hstack([features, np.ones((len(features), 1))])
    penalty = np.diag([ridge] * features.shape[1] + [1e-9])
    solution = np.zeros(design.shape[1])
    for _ in range(ITERATIONS):
        predicted = 1 / (1 + np.exp(-design @ solution))
        gradient = design.T @ (weights * (predicted - labels)) + penalty @ solution
        curvature = (design * (weights * predicted * (1 - predicted))[:, None]).T @ design + penalty
        step = np.linalg.solve(curvature, gradient)
        solution -= step
        if np.abs(step).max() < 1e-9:
            break
    return solution


def standardised_logistic(features: Floats, labels: Floats, ridge: float) -> Floats:
    """Fit as `logistic`, the penalty on standardised features, the result for features as they come."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    *weights, intercept = logistic((features - mean) / spread, labels, np.ones(len(labels)), ridge)
    raw = np.array(weights) / spread
    return np.array([*raw, intercept - raw @ mean])


def score_map_knots(
    positives: Sequence[float], negatives: Sequence[float]
) -> tuple[tuple[float, float], ...]:
    """Platt's map through the cosines of evidence windows and of other candidates, both weighing alike.

    Source: J. Platt, Probabilistic Outputs for Support Vector Machines (1999); sampled every 0.05.
    """
    cosines = np.array([*positives, *negatives])[:, None]
    labels = np.array([1.0] * len(positives) + [0.0] * len(negatives))
    weights = np.where(labels == 1, len(negatives) / len(positives), 1.0)
    slope, intercept = logistic(cosines, labels, weights, ridge=1e-6)
    places = np.arange(0.0, 1.0 + KNOT_STEP / 2, KNOT_STEP)
    scores = 1 / (1 + np.exp(-(slope * places + intercept)))
    return tuple((round(float(x), 2), round(float(y), 4)) for x, y in zip(places, scores, strict=True))


def threshold_keeping(positives: Sequence[float], share: float) -> float:
    """The highest threshold that at least `share` of the positives reach."""
    ranked = sorted(positives, reverse=True)
    return ranked[min(len(ranked) - 1, max(0, int(np.ceil(share * len(ranked))) - 1))]
