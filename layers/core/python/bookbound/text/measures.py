"""Measures: what a question wants a quantity of, and what such a quantity looks like in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    "|sixty|hundred|thousand|million|zero|half|both|single|dozen|pair|once|twice"
)
NUMBER = re.compile(rf"\d|\b(?:{NUMBER_WORDS})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """A physical or other measure; `asked` matches a question for it, `shown` a text that gives it."""

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]


def _measure(name: str, asked: str, units: str, *, others: str = "") -> Measure:
    """`units` stand after a number; `others` show the measure by themselves."""
    after_number = rf"(?:\d|\b(?:{NUMBER_WORDS}|an?|few|several)\b)[\s\-‑–]*(?:{units})(?![^\W\d_])"
    shown = f"{after_number}|{others}" if others else after_number
    return Measure(name, re.compile(rf"\b(?:{asked})\b", re.IGNORECASE), re.compile(shown))


_TIME_UNITS = (
    r"(?:milli|micro|nano)?sec(?:ond)?s?|[mµun]?s|min(?:ute)?s?|h|hours?|days?|weeks?|months?|years?"
)
_LENGTH_UNITS = (
    r"[nµumck]?m|(?:nano|micro|milli|centi|kilo)?met(?:re|er)s?|in(?:ch(?:es)?)?|\"|ft|feet|foot|miles?"
)

MEASURES = (
    _measure(
        "money",
        r"costs?|prices?|priced|fees?|expensive|pay|paid|budget|salary",
        r"[$€£]|EUR|USD|GBP|euros?|dollars?|pounds?|cents?",
        others=r"[$€£]\s?\d|\b(?:free of charge|at no cost)\b",
    ),
    _measure(
        "mass", r"heavy|weighs?|weight|mass|kilograms?|grams?", r"[kmµ]?g|(?:kilo)?grams?|lbs?|t|tonnes?"
    ),
    _measure(
        "frequency",
        r"how often|frequency|frequencies|hertz|hz|\w*rate|fps|frames per second",
        r"[kMG]?Hz|fps|times|%",
        others=r"\b(?:per|every|each|once|twice) (?:\w+ )?"
        r"(?:second|minute|hour|day|week|month|year|frame)s?\b"
        r"|\b(?:daily|weekly|monthly|hourly)\b|\d\s*/\s*s\b",
    ),
    _measure(
        "duration",
        r"how long|how (?:many|much) (?:\w*seconds|minutes|hours|days|weeks|months|years|(?:\w+ )?time)"
        r"|latency|latencies|delay|duration|time-?out|deadline|in (?:milli)?seconds",
        _TIME_UNITS,
    ),
    _measure(
        "length",
        r"how (?:high|tall|far|wide|deep|thick)|height|distance|width|thickness|wavelength|radius|diameter"
        r"|in (?:\w*met(?:re|er)s|inches|mm|cm)",
        _LENGTH_UNITS,
    ),
    _measure(
        "speed",
        r"how fast|speeds?|velocity|velocities|rpm",
        r"k?m/s|km/h|cm/s|rad/s|deg/s|mph|rpm|[kM]?b(?:it)?/s|[KMG]i?B/s|fps",
        others=r"\d\s*(?:metres|meters|steps|degrees) per\b",
    ),
    _measure("force", r"newtons?|how (?:hard|strong)|forces?", r"k?N|newtons?"),
    _measure("torque", r"torques?", r"m?Nm|N·m|N m|newton[- ]met(?:re|er)s?"),
    _measure("voltage", r"volts?|voltages?", r"[mk]?V|volts?"),
    _measure("current", r"amps?|amperes?|milliamps?", r"m?A|amp(?:ere)?s?"),
    _measure("power", r"watts?|wattage|power draw", r"[mk]?Wh?|watts?"),
    _measure("temperature", r"temperatures?|how (?:hot|cold|warm)|celsius", r"°(?: ?[CFK])?|degrees?|[CFK]"),
    _measure(
        "data size",
        r"memory|v?ram|storage|disk space|gigabytes?|megabytes?",
        r"[KMGT]i?B|(?:kilo|mega|giga|tera)bytes?",
    ),
    _measure("angle", r"angles?|radians?|field of view|fov|in degrees", r"°|deg(?:rees?)?|rad(?:ians?)?"),
    _measure("share", r"per ?cent(?:age)?|what share|proportion", r"%|per ?cent"),
    _measure(
        "resolution",
        r"resolutions?|pixels?",
        r"[x×]\s*\d+|MP|megapixels?|pixels?|px|p|cm|mm|m|bits?",
    ),
)


def measures(question: str) -> tuple[Measure, ...]:
    """The measures that a question speaks of."""
    return tuple(measure for measure in MEASURES if measure.asked.search(question))
