"""The book to look into: its sections in reading order, each with its text, and where one stands.

All of it is put together from passages, so that what can be read is what can be found and cited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from urllib.parse import unquote, urlsplit

from bookbound.answer.citations import section_link
from bookbound.errors import SectionNotFound
from bookbound.evidence.injection import LEFT_OUT, orders_of, without_orders
from bookbound.model import Candidate, Passage, Section, Unit, UnitKind

LONGEST = 20_000
"""Characters of a section's text, its subsections included; the rest is to be read by their addresses."""

MOST_NAMED = 12
"""Sections of a page that are named where an address is wrong."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section that has text of its own, without its subsections.

    Attributes:
        path: every heading above it and itself, the page's title first.
        url: the page's permalink with the heading's anchor.
        left_out: how many of its units are orders, for which LEFT_OUT stands (R10).
    """

    document: str
    page: int
    path: tuple[str, ...]
    url: str
    text: str
    left_out: int = 0

    @property
    def title(self) -> str:
        """Its own heading."""
        return self.path[-1]

    @property
    def page_url(self) -> str:
        """The page's permalink."""
        return self.url.partition("#")[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """A section with its subsections; `parts` is not empty, and `rest` did not fit into LONGEST."""

    parts: tuple[Part, ...]
    rest: tuple[Part, ...]

    @property
    def head(self) -> Part:
        """The section itself."""
        return self.parts[0]

    @property
    def text(self) -> str:
        """The text, the headings of subsections in Markdown; at most LONGEST characters."""
        below = (f"{'#' * min(len(one.path), 6)} {one.title}\n\n{one.text}" for one in self.parts[1:])
        whole = "\n\n".join([self.head.text, *below])
        return whole if len(whole) <= LONGEST else whole[:LONGEST].rsplit(maxsplit=1)[0] + f" {LEFT_OUT}"

    @property
    def left_out(self) -> int:
        """Orders that are not shown (R10)."""
        return sum(one.left_out for one in self.parts)


@dataclass(frozen=True, slots=True)
class Contents:
    """A book version's sections in reading order."""

    title: str
    parts: tuple[Part, ...]

    def find(self, address: str) -> Reading:
        """The section at an address: a URL or path of the book's site, or a document, with its anchor.

        Scheme and host are not looked at, and neither is a text fragment. Without an anchor it is the page.
        Raises SectionNotFound, which names the page's sections where there is such a page.
        """
        page, anchor = _split(address)
        found = [one for one in self.parts if page and page in (_split(one.url)[0], _document(one.document))]
        if not found:
            raise SectionNotFound(
                "No page of the book has that address. Take one from the table of contents or a search."
            )
        if not anchor:
            return _reading(found)
        start = next((at for at, one in enumerate(found) if _split(one.url)[1] == anchor), None)
        if start is None:
            named = "; ".join(f"{one.title}: {one.url}" for one in found[:MOST_NAMED])
            raise SectionNotFound(f"That page has no such section. It has: {named}")
        head, *after = found[start:]
        return _reading([head, *takewhile(lambda one: _is_below(one, head), after)])


def contents(title: str, passages: Iterable[Passage]) -> Contents:
    """The contents of a book from all its passages, in any order."""
    pages = sorted(passages, key=lambda one: (one.page, one.document, one.chunk_index))
    by_page = groupby(pages, key=lambda one: (one.page, one.document))
    return Contents(title, tuple(part for _, of_page in by_page for part in _parts(list(of_page))))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a passage that was found says in the section that was found, for it spans several; never ""."""

    section: str
    url: str
    text: str


def excerpt(candidate: Candidate) -> Excerpt:
    """The passage's text under the heading where it answers best, orders left out (R10)."""
    passage = without_orders(candidate.passage)
    wanted = passage.units[candidate.readings[0].excerpt.units[0]].section
    whole = candidate.passage.units
    orders = orders_of(candidate.passage)
    units = [
        _Placed(unit, section, LEFT_OUT if unit in orders else candidate.passage.unit_text(unit))
        for unit in whole
        if (section := passage.sections[unit.section]) == passage.sections[wanted]
    ]
    return Excerpt(
        passage.sections[wanted].title, section_link(passage, passage.sections[wanted]), _text(units)
    )


@dataclass(frozen=True, slots=True)
class _Placed:
    """A unit with its section; `text` is LEFT_OUT for an order."""

    unit: Unit
    section: Section
    text: str


def _parts(passages: Sequence[Passage]) -> Iterator[Part]:
    """The sections of a page; what neighbouring passages share is told once."""
    first = passages[0]
    placed = sorted(_units(passages), key=lambda one: (one.unit.block, one.unit.number))
    for section, group in groupby(placed, key=lambda one: one.section):
        units = list(group)
        yield Part(
            document=first.document,
            page=first.page,
            path=section.path,
            url=section_link(first, section),
            text=_text(units),
            left_out=sum(one.text == LEFT_OUT for one in units),
        )


def _units(passages: Sequence[Passage]) -> Iterator[_Placed]:
    """Each unit of a page once. An order in one passage is one in all: some see less of what announces it."""
    units: dict[tuple[int, int, str], _Placed] = {}
    for passage in passages:
        orders, fair = orders_of(passage), without_orders(passage).sections
        for unit in passage.units:
            text = passage.unit_text(unit)
            key = unit.block, unit.number, text
            if unit in orders:
                units[key] = _Placed(unit, fair[unit.section], LEFT_OUT)
            else:
                units.setdefault(key, _Placed(unit, fair[unit.section], text))
    yield from units.values()


def _text(placed: Sequence[_Placed]) -> str:
    """The units' text; one mark stands for orders in a row."""
    after = zip(("", *(one.text for one in placed)), placed, strict=False)
    units = [one for before, one in after if not before == one.text == LEFT_OUT]
    glue = ["", *(_glue(before.unit, after.unit) for before, after in pairwise(units))]
    return "".join(between + one.text for between, one in zip(glue, units, strict=True))


def _glue(before: Unit, after: Unit) -> str:
    if before.block != after.block:
        return "\n\n"
    return " " if before.kind is after.kind is UnitKind.SENTENCE else "\n"


def _reading(parts: Sequence[Part]) -> Reading:
    """As many sections as fit, at least the first."""
    fitting, room = 1, LONGEST - len(parts[0].text)
    for one in parts[1:]:
        room -= len(one.text) + len(one.title) + 12
        if room < 0:
            break
        fitting += 1
    return Reading(tuple(parts[:fitting]), tuple(parts[fitting:]))


def _is_below(part: Part, head: Part) -> bool:
    depth = len(head.path)
    return part.path[:depth] == head.path and len(part.path) > depth


def _split(address: str) -> tuple[str, str]:
    """Path and anchor, as they are compared."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return "", ""
    anchor = parts.fragment.partition(":~:")[0]
    return _document(unquote(parts.path)), unquote(anchor)


def _document(path: str) -> str:
    return path.removeprefix("./").strip("/")
