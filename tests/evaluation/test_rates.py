import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evaluation.rates import auroc, percentile, rate, wilson

COUNTS = st.integers(0, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12)


@given(COUNTS)
def test_the_interval_holds_the_rate_and_stays_in_range(counts):
    """For any counts, low ≤ rate ≤ high within [0, 1]."""
    hits, n = counts
    low, high = wilson(hits, n)
    assert 0 <= low <= (hits / n if n else low) <= high <= 1


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_the_interval_is_wilsons(hits, n, low, high):
    """Figures as published tables give them."""
    assert wilson(hits, n) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.rule("F3")
def test_high_confidence_takes_some_380_answers_without_an_error():
    """One question fewer and 99 % cannot be shown."""
    assert wilson(381, 381)[0] >= 0.99 > wilson(380, 380)[0]


def test_no_occasions_give_no_rate():
    """A rate of nothing is unknown, not 0."""
    assert rate(0, 0) == {"rate": None, "hits": 0, "n": 0, "low": 0.0, "high": 1.0}


def test_a_percentile_is_a_value_that_occurred():
    """Nearest rank: p50 of 1…100 is 50, p99 is 99."""
    values = [float(value) for value in range(100, 0, -1)]
    assert [percentile(values, percent) for percent in (50, 95, 99, 100)] == [50, 95, 99, 100]
    assert percentile([], 50) is None


@given(SCORES, SCORES)
def test_auroc_is_the_share_of_pairs_in_the_right_order(positives, negatives):
    """Ties count half, as by the definition over all pairs."""
    pairs = [(high > low) + (high == low) / 2 for high in positives for low in negatives]
    assert auroc(positives, negatives) == pytest.approx(sum(pairs) / len(pairs))


def test_auroc_needs_both_sides():
    """With only one class there is nothing to tell apart."""
    assert auroc([1.0], []) is None
