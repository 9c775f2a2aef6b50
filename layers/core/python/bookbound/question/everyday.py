"""Everyday words for attributes: "how heavy" asks for a mass, "the cheapest" for a price (X18)."""

from __future__ import annotations

import re

from bookbound.text.terms import stem, tokens

_ATTRIBUTES = frozenset(
    map(
        stem,
        """
        accuracy accurate across address altitude amount author big bigger biggest brand broad by
        category cause caused causes charge cheap cheaper cheapest class code codes cold colder coldest
        consume consumes consumption cost costing costs count counts cure date dates day days deadline
        dearest deep deeper deepest depth diameter discovered discoverer distance distances dollar
        dollars draw due duration durations elevation error eur euro euros expensive far farther
        farthest fast faster fastest fee fees fix fixes founded frequencies frequency function further
        furthest gbp heavier heaviest heavy height high higher highest hot hotter hottest hours hz id
        identifier inventor job kg kind kinds large larger largest last lasts length lifetime light
        lighter lightest located location long longer longest maker makes manufacturer mark marks mass
        mean meaning means minutes mounted mounting narrow near nearest needed noise noisy number often
        part_number pay people per_second percent percentage person pieces place places points portion
        position power price priced pricier priciest proportion published purpose quantities quantity
        radius range ranges rate rates reach reason release released remedy repair role room runtime
        sampled score scores seconds sells share short shorter shortest signifies signify site size
        sizes slow slower slowest small smaller smallest sold solution solve speed stands supplied
        supplier suppliers supplies supply take takes tall taller tallest task temperature temperatures
        thick thickness time treatment type types usd use used uses velocity vendor version versions
        voltage volts warm watts weeks weigh weighing weighs weight weights when where who whom why wide
        wider widest width worth year
        """.split(),  # noqa: SIM905
    )
)
"""Stems by which a question asks for an attribute of a thing, or names it."""

_HOW = re.compile(
    r"\bhow (?:much (?:is|are|for|time)|many|long|high|tall|wide|deep|thick|big|large|fast|often"
    r"|frequently|far|hot|cold)\b|\bwho (?:makes|sells|supplies)\b|\b(?:what|which) (?:year|day)\b",
    re.IGNORECASE,
)


def asks_for_attribute(question: str) -> bool:
    """Return whether a question asks for an attribute of a thing, by its words or by how it begins."""
    return bool(_HOW.search(question)) or not _ATTRIBUTES.isdisjoint(map(stem, tokens(question)))
