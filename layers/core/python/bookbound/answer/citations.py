"""Citations: where in the book a sentence stands, as literal text with a link that opens it (C1–C3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import quote

from bookbound.model import Citation, Exhibit, Image, Passage, Section, Source, Unit
from bookbound.text.terms import content_stems

MIN_WORDS = 30
MAX_WORDS = 50
CUT = "…"
FRAGMENT_WORDS = 6

_APART = re.compile(r"\n| \| ")
_NUMBER = re.compile(r"\d+[.)] ")


def supporting_units(sentence: str, passage: Passage) -> tuple[int, int]:
    """The units (first, last, inclusive) that say the sentence: literally, else by most shared stems."""
    return _literal_units(sentence, passage) or _nearest_unit(sentence, passage)


def is_literal(sentence: str, passage: Passage) -> bool:
    """Return whether the sentence is the book's own text, white space aside (G11)."""
    return bool(sentence.strip()) and _squeeze(sentence) in _squeeze(passage.text)


def is_quoted(sentence: str, passage: Passage) -> bool:
    """Return whether the sentence is consecutive whole units of the passage: no cut may alter its sense."""
    found = _literal_units(sentence, passage)
    if found is None:
        return False
    first, last = found
    return _squeeze(sentence) == _squeeze(passage.text[passage.units[first].start : passage.units[last].end])


def literal_unit(sentence: str, passage: Passage) -> int | None:
    """Return the unit that the sentence quotes whole; None where it is no unit of the passage."""
    wanted = _squeeze(sentence)
    same = (at for at, unit in enumerate(passage.units) if _squeeze(passage.unit_text(unit)) == wanted)
    return next(same, None)


def cite(sentence: str, exhibit: Exhibit) -> Citation:
    """C1's citation of one exhibit for one sentence."""
    passage = exhibit.passage
    first, last = supporting_units(sentence, passage)
    section, url = _place(passage, first)
    return Citation(
        source_id=exhibit.source_id,
        section=section.title,
        page=passage.page,
        excerpt=excerpt(passage, first, last),
        url=url,
    )


def source(exhibit: Exhibit, sentences: Sequence[str]) -> Source:
    """The entry of `sources` for an exhibit that the given sentences cite (C3)."""
    passage = exhibit.passage
    first, last = _densest(passage, [supporting_units(sentence, passage) for sentence in sentences])
    section, url = _place(passage, first)
    return Source(
        source_id=exhibit.source_id,
        passage=passage,
        score=exhibit.candidate.score,
        similarity=exhibit.candidate.similarity,
        section=section,
        excerpt=excerpt(passage, first, last),
        url=url,
        images=tuple(dict.fromkeys(image for sentence in sentences for image in images(sentence, passage))),
    )


def _place(passage: Passage, unit: int) -> tuple[Section, str]:
    """The heading that a unit stands under, and the link that opens it there."""
    section = passage.sections[passage.units[unit].section]
    return section, link(passage, section, passage.unit_text(passage.units[unit]))


def _densest(passage: Passage, cited: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch of the passage that holds most cited sentences and fits an excerpt."""
    stretches = [
        (low, high)
        for low, _ in cited
        for _, high in cited
        if low <= high
        and passage.units[low].section == passage.units[high].section
        and len(_words(passage, low, high)) <= MAX_WORDS
    ]
    return max(
        stretches or [cited[0]],
        key=lambda stretch: sum(stretch[0] <= low and high <= stretch[1] for low, high in cited),
    )


def images(sentence: str, passage: Passage) -> tuple[Image, ...]:
    """The pictures that belong to the text which says the sentence (T4)."""
    first, last = supporting_units(sentence, passage)
    return tuple(dict.fromkeys(image for unit in passage.units[first : last + 1] for image in unit.images))


def excerpt(passage: Passage, first: int, last: int) -> str:
    """Literal text around units `first`–`last`, 30–50 words where the section has them; cuts marked `…`."""
    words = _words(passage, first, last)
    if len(words) > MAX_WORDS:
        return " ".join(words[:MAX_WORDS]) + f" {CUT}"
    low, high = _grown(passage, first, last)
    return _joined(passage, low, high)


def section_link(passage: Passage, section: Section) -> str:
    """The page's URL with the heading's anchor."""
    return f"{passage.url}#{section.anchor}" if section.anchor else passage.url


def link(passage: Passage, section: Section, text: str) -> str:
    """The page's URL with the heading's anchor and a text fragment that marks the passage."""
    fragment = ",".join(quote(" ".join(words), safe="").replace("-", "%2D") for words in _marks(text))
    return f"{passage.url}#{section.anchor or ''}:~:text={fragment}"


def _marks(text: str) -> list[list[str]]:
    """The words of a text fragment: the text whole when it is short, else how it begins and ends.

    A browser finds neither a list's number, nor a stretch over two lines of code or two cells of a row, nor
    an end that overlaps its beginning.
    """
    number = _NUMBER.match(text)
    plain = text[number.end() :] if number else text
    stretches = [part.split() for part in _APART.split(plain) if part.strip()]
    if not stretches:
        return []
    first, last = stretches[0], stretches[-1]
    if len(stretches) == 1 and len(first) <= 2 * FRAGMENT_WORDS:
        return [first]
    return [first[:FRAGMENT_WORDS], last[-FRAGMENT_WORDS:]]


@lru_cache(maxsize=256)
def _literally(sentence: str) -> re.Pattern[str]:
    """Return a pattern of the sentence with any white space; each passage is searched several times."""
    return re.compile(r"\s+".join(map(re.escape, re.split(r"\s+", sentence))))


def _literal_units(sentence: str, passage: Passage) -> tuple[int, int] | None:
    words = sentence.strip()
    found = _literally(words).search(passage.text) if words else None
    if found is None:
        return None
    inside = [
        index
        for index, unit in enumerate(passage.units)
        if unit.start < found.end() and unit.end > found.start()
    ]
    return (inside[0], inside[-1]) if inside else None


def _nearest_unit(sentence: str, passage: Passage) -> tuple[int, int]:
    wanted = set(content_stems(sentence))
    shared = [len(wanted & set(content_stems(passage.unit_text(unit)))) for unit in passage.units]
    best = shared.index(max(shared))
    return best, best


def _grown(passage: Passage, first: int, last: int) -> tuple[int, int]:
    """Take in whole neighbours of the same section, the following ones first, until there are 30 words."""
    low, high = first, last
    grew = True
    while grew and len(_words(passage, low, high)) < MIN_WORDS:
        grew = False
        for step_low, step_high in ((low, high + 1), (low - 1, high)):
            if _may_take(passage, step_low, step_high, first):
                low, high, grew = step_low, step_high, True
                break
    return low, high


def _may_take(passage: Passage, low: int, high: int, first: int) -> bool:
    if low < 0 or high >= len(passage.units):
        return False
    section = passage.units[first].section
    same_section = passage.units[low].section == section == passage.units[high].section
    return same_section and len(_words(passage, low, high)) <= MAX_WORDS


def _joined(passage: Passage, low: int, high: int) -> str:
    """The units' text; where something may be left out, between blocks or units, the seam is marked."""
    text = ""
    previous: Unit | None = None
    for unit in passage.units[low : high + 1]:
        if previous is not None:
            adjoining = previous.block == unit.block and unit.start - previous.end <= 1
            text += " " if adjoining else f" {CUT} "
        text += " ".join(passage.unit_text(unit).split())
        previous = unit
    return text


def _words(passage: Passage, low: int, high: int) -> list[str]:
    return passage.text[passage.units[low].start : passage.units[high].end].split()


def _squeeze(text: str) -> str:
    return " ".join(text.split())
