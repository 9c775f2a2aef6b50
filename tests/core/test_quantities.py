"""Numbers with what they measure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.claims.bounds import bound
from bookbound.claims.quantities import Quantity, headed, quantities, same
from bookbound.claims.wording import wording


def only(text: str) -> Quantity:
    [found] = quantities(wording(text).words)
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("50 ms", "50ms"),
        ("50 ms", "0.05 seconds"),
        ("1,000 samples", "1000 samples"),
        ("fifty milliseconds", "50 ms"),
        ("twenty-five robots", "25 robots"),
        ("two thousand steps", "2,000 steps"),
        ("90 minutes", "1.5 hours"),
        ("20 %", "20 percent"),
        ("0.5 m/s", "0.5 metres per second"),
        ("36 km/h", "10 m/s"),
        ("48 V", "48"),
        ("5 newton metres", "5 Nm"),
        ("2 watt-hours", "7200 joules"),
        ("3 amp hours", "3000 mAh"),
        ("20 °C", "20 degrees Celsius"),
        ("2 bar", "200 kPa"),
    ],
)
def test_the_same_amount_however_it_is_written(one: str, other: str) -> None:
    """Digits or words, with or without space, in another unit of its dimension, or without a unit."""
    assert same(only(one), only(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("50 ms", "50 s"),
        ("4.5 A", "4.5 V"),
        ("-5 °", "5 °"),
        ("5 mm", "5 cm"),
        ("1 kHz", "1 Hz"),
        ("12", "13"),
        ("20 °C", "20 °F"),
        ("20 °C", "20 °"),
        ("5 Nm", "5 foot-pounds"),
    ],
)
def test_another_amount(one: str, other: str) -> None:
    """Another unit, another sign, another value."""
    assert not same(only(one), only(other))


def test_a_bare_number_in_a_table_has_the_unit_of_its_heading() -> None:
    """A one-word heading names a thing, not a unit; a number with a separate unit keeps it."""
    text = wording("Pump | Delay (ms) | Day | Mass in kg\nA4 | 80 | 3 | 2\nB7 | 2 s | 5 | 4 g")
    units = {one.shown: one.unit for one in headed(quantities(text.words), text)}
    assert units == {"4": None, "80": "time", "3": None, "2": "mass", "7": None, "2 s": "time"} | {
        "5": None,
        "4 g": "mass",
    }


def test_one_counts_with_a_unit_only() -> None:
    """ "One of them" counts nothing."""
    assert quantities(wording("one of them").words) == []
    assert only("one second").unit == "time"


@given(st.text(alphabet="0123456789.,−- ms%", max_size=60))
def test_any_digits_are_read(text: str) -> None:
    """However they are mixed, as numbers in order."""
    found = quantities(wording(text).words)
    assert [one.first for one in found] == sorted(one.first for one in found)


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("at least 46 V", 1),
        ("no more than 46 V", -1),
        ("no less than 46 V", 1),
        ("up to 46 V", -1),
        ("older than 12 months", 1),
        ("must not exceed 46 V", -1),
        ("46 V or more", 1),
        ("exactly 46 V", 0),
    ],
)
def test_a_number_may_be_a_bound(text: str, way: int) -> None:
    """A least, a most, or neither; a denial turns it."""
    assert bound(wording(text), only(text)) == way
