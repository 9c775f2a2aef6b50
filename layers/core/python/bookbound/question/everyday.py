"""Everyday words for what a table's columns hold: "how heavy" asks for a mass, "the cheapest" for a price."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bookbound.text.terms import stem


@dataclass(frozen=True, slots=True)
class Concept:
    """What a column may hold.

    Attributes:
        words: stems by which a question asks for it, and by which a header names it.
        dimensions: of units that tell it too, as `claims.quantities` names them.
        phrases: openings of a question that ask for it, lower case.
    """

    words: frozenset[str]
    dimensions: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()


def _concept(words: str, dimensions: str = "", phrases: str = "") -> Concept:
    asked = tuple(filter(None, phrases.split(",")))
    return Concept(frozenset(map(stem, words.split())), frozenset(dimensions.split()), asked)


CONCEPTS = (
    _concept(
        """price priced cost costs costing expensive cheap cheaper cheapest pricier priciest dearest fee fees
        pay worth eur euro euros usd dollar dollars gbp charge""",
        "money dollars sterling",
        "how much is,how much are,how much for",
    ),
    _concept(
        "mass weight weights weigh weighs weighing heavy heavier heaviest light lighter lightest kg",
        "mass",
    ),
    _concept(
        "time duration durations runtime lifetime takes take lasts last minutes hours seconds days weeks",
        "time",
        "how long,how much time,how many minutes,how many hours,how many seconds,how many days",
    ),
    _concept(
        "height tall taller tallest high higher highest elevation altitude",
        "",
        "how high,how tall",
    ),
    _concept("length long longer longest short shorter shortest", "", "how long"),
    _concept("width wide wider widest broad narrow", "", "how wide"),
    _concept("depth deep deeper deepest", "", "how deep"),
    _concept("diameter radius thick thickness across", "", "how thick,how big"),
    _concept(
        "size sizes large larger largest big bigger biggest small smaller smallest",
        "data",
        "how big,how large",
    ),
    _concept("speed fast faster fastest slow slower slowest velocity", "length/time", "how fast"),
    _concept(
        "rate rates frequency frequencies hz often sampled per_second",
        "frequency",
        "how often,how fast,how frequently",
    ),
    _concept(
        "distance distances far farther farthest further furthest near nearest range ranges reach",
        "",
        "how far",
    ),
    _concept(
        "temperature temperatures hot hotter hottest cold colder coldest warm",
        "celsius fahrenheit kelvin",
        "how hot,how cold",
    ),
    _concept("quantity quantities count counts pieces number amount needed", "", "how many"),
    _concept("power watts consumption consume consumes draw", "power"),
    _concept("voltage volts", "voltage"),
    _concept(
        "supplier suppliers supply supplies supplied vendor manufacturer maker makes sells sold brand",
        "",
        "who makes,who sells,who supplies",
    ),
    _concept(
        "date dates due deadline day published release released year when discovered founded",
        "",
        "when,what year,which year,what day",
    ),
    _concept(
        "place places location located position mounted mounting site where room address",
        "",
        "where",
    ),
    _concept("person people who whom author discoverer inventor by", "", "who"),
    _concept("type types kind kinds category class"),
    _concept("code codes id number part_number identifier"),
    _concept("version versions release"),
    _concept("purpose use uses used role function job task"),
    _concept("cause causes caused reason why", "", "why"),
    _concept("remedy fix fixes solution solve repair cure treatment"),
    _concept("share percentage percent proportion portion"),
    _concept("points score scores mark marks worth"),
    _concept("meaning means mean signify signifies stands"),
    _concept("noise noisy accuracy accurate error"),
)

HIGHEST, LOWEST = 1, -1

EXTREMES = dict.fromkeys(
    """
    most highest largest biggest greatest heaviest longest tallest fastest priciest dearest widest deepest
    farthest furthest hottest warmest maximum max latest newest oldest strongest brightest best
    """.split(),  # noqa: SIM905
    HIGHEST,
) | dict.fromkeys(
    """
    least fewest lowest smallest lightest shortest slowest cheapest narrowest nearest closest coldest
    minimum min earliest weakest
    """.split(),  # noqa: SIM905
    LOWEST,
)
"""Words that ask for the row of a column's highest or lowest value."""

COMPARATIVES = frozenset(
    """
    heavier lighter cheaper pricier dearer longer shorter taller higher lower faster slower bigger larger
    smaller wider deeper farther further hotter colder warmer older newer more less fewer better
    """.split()  # noqa: SIM905
)


def asked_for(words: Iterable[str], text: str) -> tuple[Concept, ...]:
    """Return what a question asks for, by the stems of its words and by how it begins."""
    said, lowered = set(words), text.lower()
    return tuple(
        concept
        for concept in CONCEPTS
        if said & concept.words or any(phrase in lowered for phrase in concept.phrases)
    )
