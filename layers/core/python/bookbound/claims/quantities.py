"""Numbers of a text with what they measure, so that 50 ms, 0.05 s and fifty milliseconds are one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bookbound.claims.wording import Kind, Word, Wording


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at the words `first`–`last` (inclusive).

    Attributes:
        value: the number as written.
        unit: the unit's dimension ("time", "length", "length/time" …), None where no known unit follows.
        amount: the value in the dimension's base unit; the value itself without a unit.
        shown: as a reader would write it.
    """

    first: int
    last: int
    value: float
    unit: str | None
    amount: float
    shown: str


def _scaled(dimension: str, units: str) -> dict[str, tuple[str, float]]:
    """ "name,other=factor …" as name → (dimension, factor)."""
    pairs = (entry.split("=") for entry in units.split())
    return {name: (dimension, float(factor)) for names, factor in pairs for name in names.split(",")}


UNITS = {
    **_scaled(
        "time",
        "ns,nanosecond,nanoseconds=1e-9 µs,μs,us,microsecond,microseconds=1e-6"
        " ms,millisecond,milliseconds=1e-3 sec,secs,second,seconds=1 min,mins,minute,minutes=60"
        " hr,hrs,hour,hours=3600 day,days=86400 week,weeks=604800 month,months=2629800"
        " year,years=31557600 decade,decades=315576000 century,centuries=3155760000",
    ),
    **_scaled(
        "length",
        "nm,nanometre,nanometres,nanometer,nanometers=1e-9 µm,μm=1e-6"
        " mm,millimetre,millimetres,millimeter,millimeters=1e-3"
        " cm,centimetre,centimetres,centimeter,centimeters=1e-2 metre,metres,meter,meters=1"
        " km,kilometre,kilometres,kilometer,kilometers=1e3 inch,inches=0.0254 ft,foot,feet=0.3048"
        " mile,miles=1609.344",
    ),
    **_scaled(
        "mass",
        "mg,milligram,milligrams=1e-6 gram,grams=1e-3 kg,kilogram,kilograms,kilo,kilos=1"
        " tonne,tonnes,ton,tons=1e3 lb,lbs,pound,pounds=0.45359237",
    ),
    **_scaled(
        "frequency", "hz,hertz=1 khz,kilohertz=1e3 mhz,megahertz=1e6 ghz,gigahertz=1e9 fps=1 rpm=0.0166666667"
    ),
    **_scaled("decibel", "db,decibel,decibels=1"),
    **_scaled("pressure", "pa,pascal,pascals=1 kpa,kilopascal,kilopascals=1e3 bar,bars=1e5 psi=6894.757"),
    **_scaled("volume", "ml,millilitre,millilitres,milliliter,milliliters=1e-3 litre,litres,liter,liters=1"),
    **_scaled("resistance", "ω,ohm,ohms=1 kω,kiloohm,kiloohms=1e3"),
    **_scaled("voltage", "mv,millivolt,millivolts=1e-3 volt,volts=1 kv,kilovolt,kilovolts=1e3"),
    **_scaled("current", "ma,milliamp,milliamps=1e-3 amp,amps,ampere,amperes=1"),
    **_scaled("charge", "mah=1e-3 ah=1"),
    **_scaled("power", "mw,milliwatt,milliwatts=1e-3 watt,watts=1 kw,kilowatt,kilowatts=1e3"),
    **_scaled("energy", "joule,joules=1 wh=3600 kwh=3.6e6"),
    **_scaled("force", "newton,newtons=1 kn,kilonewton,kilonewtons=1e3"),
    **_scaled(
        "data",
        "bit,bits=0.125 byte,bytes=1 kb,kib,kilobyte,kilobytes=1e3 mb,mib,megabyte,megabytes=1e6"
        " gb,gib,gigabyte,gigabytes=1e9 tb,tib,terabyte,terabytes=1e12",
    ),
    **_scaled("data/time", "kbps=125 mbps=1.25e5 gbps=1.25e8"),
    **_scaled("angle", "rad,radian,radians=57.29577951 °,deg,degree,degrees=1"),
    **_scaled("share", "%,percent=1"),
    **_scaled("money", "€,euro,euros,eur=1"),
    **_scaled("dollars", "$,dollar,dollars,usd=1 cent,cents=0.01"),
    **_scaled("sterling", "£,gbp=1"),
    **_scaled("pixels", "pixel,pixels,px=1 megapixel,megapixels,mp=1e6"),
    **_scaled("celsius", "celsius,℃=1"),
    **_scaled("fahrenheit", "fahrenheit=1"),
    **_scaled("kelvin", "kelvin,kelvins=1"),
}
"""Unit in lower case → (dimension, how many base units it is)."""

SYMBOLS = {
    **_scaled("time", "s=1 h=3600"),
    **_scaled("length", "m=1"),
    **_scaled("length/time", "mph=0.44704 kph=0.2777777778"),
    **_scaled("mass", "g=1e-3 t=1e3"),
    **_scaled("voltage", "V=1"),
    **_scaled("current", "A=1"),
    **_scaled("power", "W=1 MW=1e6"),
    **_scaled("energy", "J=1"),
    **_scaled("force", "N=1"),
    **_scaled("torque", "Nm=1"),
    **_scaled("kelvin", "K=1"),
}
"""Those of which the case tells."""

_PRODUCTS = {
    ("force", "length"): ("torque", 1.0),
    ("mass", "length"): ("torque", 9.80665),
    ("length", "mass"): ("torque", 9.80665),
    ("power", "time"): ("energy", 1.0),
    ("current", "time"): ("charge", 1 / 3600),
}
"""Dimensions of two units one after the other → that of both, and the factor: newton metres, watt hours."""

_DEGREES = {"C": "celsius", "F": "fahrenheit", "Celsius": "celsius", "Fahrenheit": "fahrenheit"}

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

_FEW = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_TEENS = "sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: float(value) for value, word in enumerate([*_FEW.split(), *_TEENS.split()])}
_BY_TEN = {word: 10.0 * value for value, word in enumerate(_TENS.split(), 2)}
_BIG = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_OTHER = {"half": 0.5, "dozen": 12.0, "twice": 2.0, "both": 2.0, "pair": 2.0, "triple": 3.0, "thrice": 3.0}
_WORDS = {**_SMALL, **_BY_TEN, **_BIG, **_OTHER}
VAGUE = frozenset(
    {"one", "both", "pair", "half", "twice", "zero", "hundred", "thousand", "million", "billion"}
)
"""Number words that often count nothing."""

_PREFIXED = frozenset("€$£")
_RATIO = frozenset({"/", "per"})


def quantities(words: Sequence[Word]) -> list[Quantity]:
    """The numbers of a text in order, digits and words alike; "one" and its like only with a unit."""
    found: list[Quantity] = []
    place = 0
    while place < len(words):
        value, end = _number(words, place)
        if value is None:
            place += 1
            continue
        found.append(_measured(words, place, end, value))
        place = max(end, found[-1].last + 1)
    return [one for one in found if one.unit or words[one.first].lower not in VAGUE]


def headed(found: Sequence[Quantity], text: Wording) -> list[Quantity]:
    """The numbers of a text, where a bare one in a table has the unit that ends its column's heading."""
    units = dict(_headings(text)) if text.headers else {}
    return [_under(one, text, units) for one in found] if units else list(found)


def _headings(text: Wording) -> Iterator[tuple[tuple[int, int], tuple[str, float]]]:
    """For each row and column of a heading of several words: the unit that is the last of them."""
    for one, word in enumerate(text.words):
        after = text.words[one + 1] if one + 1 < len(text.words) else None
        last = after is None or (after.sentence, after.column) != (word.sentence, word.column)
        before = text.words[one - 1] if one else None
        if word.sentence in text.headers and word.column is not None and last and before:
            unit = _at(text.words, one)
            if unit and (before.sentence, before.column) == (word.sentence, word.column):
                yield (word.sentence, word.column), unit


def _under(number: Quantity, text: Wording, units: Mapping[tuple[int, int], tuple[str, float]]) -> Quantity:
    word = text.words[number.first]
    if number.unit or word.column is None or word.sentence in text.headers:
        return number
    row = max(row for row in text.headers if row < word.sentence)
    dimension, factor = units.get((row, word.column), (None, 1.0))
    return replace(number, unit=dimension, amount=number.value * factor)


def same(one: Quantity, other: Quantity) -> bool:
    """Return whether both say the same; a number without a unit may stand for one with it."""
    if one.unit and other.unit:
        return one.unit == other.unit and math.isclose(one.amount, other.amount, rel_tol=1e-6)
    return math.isclose(one.value, other.value, rel_tol=1e-9)


def _number(words: Sequence[Word], place: int) -> tuple[float | None, int]:
    """The number that starts at a word, and the place after it."""
    word = words[place]
    if word.kind is Kind.NUMBER:
        return _scaled_up(words, _digits(word.lower), place + 1)
    value = _WORDS.get(word.lower)
    if value is None:
        return None, place
    end = place + 1
    if word.lower in _BY_TEN and end < len(words) and 0 < _SMALL.get(words[end].lower, 0) < 10:
        value, end = value + _SMALL[words[end].lower], end + 1
    return _scaled_up(words, value, end)


def _scaled_up(words: Sequence[Word], value: float, end: int) -> tuple[float, int]:
    if end < len(words) and words[end].lower in _BIG:
        return value * _BIG[words[end].lower], end + 1
    return value, end


def _digits(text: str) -> float:
    """Parse 1,000 as a thousand, 0.50 as a half; a version such as 2.1.3 becomes a distinct number."""
    plain = _THOUSANDS.sub("", text.replace("−", "-")).replace(",", ".")
    whole, _, rest = plain.partition(".")
    return float(f"{whole}.{rest.replace('.', '')}0")


def _measured(words: Sequence[Word], first: int, end: int, value: float) -> Quantity:
    """The number with the unit around it."""
    unit, factor, last = _unit(words, first, end)
    shown = " ".join(word.text for word in words[first : last + 1])
    return Quantity(first, last, value, unit, value * factor, shown)


def _unit(words: Sequence[Word], first: int, end: int) -> tuple[str | None, float, int]:
    """Dimension, factor, and the last word of the number with its unit."""
    if first > 0 and words[first - 1].text in _PREFIXED:
        return *UNITS[words[first - 1].text], end - 1
    known = _at(words, end)
    if known is None:
        return None, 1.0, end - 1
    dimension, factor = known
    after = _at(words, end + 1)
    if dimension == "angle" and end + 1 < len(words) and words[end + 1].text in _DEGREES:
        return _DEGREES[words[end + 1].text], 1.0, end + 1
    if after and (product := _PRODUCTS.get((dimension, after[0]))):
        return product[0], factor * after[1] * product[1], end + 1
    below = _at(words, end + 2)
    if below and words[end + 1].lower in _RATIO:
        return f"{dimension}/{below[0]}", factor / below[1], end + 2
    return dimension, factor, end


def _at(words: Sequence[Word], place: int) -> tuple[str, float] | None:
    if place >= len(words):
        return None
    word = words[place]
    return SYMBOLS.get(word.text) or UNITS.get(word.lower)
