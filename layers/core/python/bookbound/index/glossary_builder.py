"""Gathers a book's glossary at ingest: acronyms and their long forms, names, and every word (R4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, permutations

from bookbound.model import UnitKind
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Page
from bookbound.text.glossary import PHRASE_TOKEN, Glossary, phrase_key
from bookbound.text.spelling import is_english
from bookbound.text.terms import STOP_WORDS, content_stems

LONGEST_ACRONYM = 10
"""Characters (Schwartz & Hearst 2003)."""

_WINDOW = 400
"""Characters before an acronym in which its long form is looked for."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_LOWER_CASE = re.compile(r"(?<![\w/.:@-])[a-z]{2,}(?![\w/:-]|\.\w)")
_ACRONYM = rf"[^\W_][\w&/+-]{{1,{LONGEST_ACRONYM - 1}}}"

_BRACKETED = re.compile(r"\(([^()]{2,120})\)")
_SHORT = re.compile(_ACRONYM)
_LAST_WORD = re.compile(rf"(?<![\w./-])({_ACRONYM})\s*$")
_OR_SHORT = re.compile(rf",? (?:or|abbreviated(?: as| to)?|called|known as) ({_ACRONYM})(?![\w/-])")
_STANDS_FOR = re.compile(rf"(?:^({_ACRONYM})(?::| [–—-])|\b({_ACRONYM}) (?:stands|is short) for) +(.+)")

_CLAUSE_END = re.compile(r"[.:;!?](?:\s|$)")

_NUMBERING = re.compile(
    r"^(?:(?:appendix|chapter|lesson|module|part|section|step|unit|week)\s+(?:\d[\d.]*|[A-Z])\b"
    r"|\d[\d.]*(?=[\s:)]))[\s:.)–—-]*",
    re.IGNORECASE,
)
_TERM = re.compile(r"(?:\d+[.)] )?([^\W\d_][^:.!?()]{1,50})(?: \([^()]+\))?: \S")
_FILE = re.compile(r"(?<![\w./@-])[\w-]+\.[a-z][a-z0-9]{1,5}(?![\w(/@-]|\.\w)")
_IDENTIFIER = re.compile(r"\b(?:[^\W\d]\w*_\w+|[^\W\d_]+[a-z\d][A-Z]\w*)\b")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the pages alone say, whatever their policy.

    Attributes:
        mined: (acronym, what it stands for), the most frequent first.
        lower_case: words that stand in lower case in prose. names, words: as Glossary has them.
    """

    mined: tuple[tuple[str, str], ...]
    lower_case: frozenset[str]
    names: frozenset[str]
    words: Mapping[str, int]


def gather(pages: Sequence[Page], policy: Policy) -> Glossary:
    """The glossary of a book, in time linear in its size; the order of the pages does not matter (R4)."""
    return glossary_of(vocabulary(pages), policy)


def vocabulary(pages: Sequence[Page]) -> Vocabulary:
    """The vocabulary of a book's pages, in time linear in their size."""
    prose = [text for page in pages for text in _prose(page)]
    code = [piece.text for page in pages for piece in page.pieces if piece.kind is UnitKind.CODE]
    defined = Counter(chain.from_iterable(map(definitions, prose)))
    words = Counter(word.lower() for text in (*prose, *code) for word in _WORD.findall(text))
    return Vocabulary(
        mined=tuple(sorted(defined, key=lambda pair: (-defined[pair], pair))),
        lower_case=STOP_WORDS.union(chain.from_iterable(map(_LOWER_CASE.findall, prose))),
        names=frozenset(phrase_key(name) for name in _names(pages, prose, code) if _of_two_words(name)),
        words=dict(sorted(words.items())),
    )


def glossary_of(vocabulary: Vocabulary, policy: Policy) -> Glossary:
    """The glossary of a book of that vocabulary under a policy."""
    authored = [*policy.glossary.items(), *((name, *others) for name, others in policy.aliases.items())]
    acronyms = {short for short, _ in (*policy.glossary.items(), *vocabulary.mined)}
    return Glossary(
        equivalents=_equivalents((*authored, *vocabulary.mined)),
        everyday=_everyday(acronyms, vocabulary.lower_case),
        names=vocabulary.names,
        words=dict(vocabulary.words),
    )


def _of_two_words(name: str) -> bool:
    return len(content_stems(name)) >= 2


# --- acronyms -------------------------------------------------------------------------------------


def definitions(text: str) -> Iterator[tuple[str, str]]:
    """(acronym, what it stands for), for each that a text defines.

    "Robot Operating System (ROS)" and "QoS (quality of service)" as in Schwartz & Hearst 2003; "quality of
    service, or QoS", "IMU: inertial measurement unit" and "X stands for …" where the initials agree.
    """
    for match in _BRACKETED.finditer(text):
        yield from _around_bracket(_before(text, match), match[1])
    for match in _OR_SHORT.finditer(text):
        short = _acronym(match[1])
        words = _before(text, match).split()[-2 * LONGEST_ACRONYM :]
        yield from _spelled(short, (words[-size:] for size in range(2, len(words) + 1)))
    for match in _STANDS_FOR.finditer(text):
        short = _acronym(match[1] or match[2])
        words = match[3].split()[: 2 * LONGEST_ACRONYM]
        yield from _spelled(short, (words[:size] for size in range(2, len(words) + 1)))


def _before(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - _WINDOW) : match.start()]


def _around_bracket(before: str, inside: str) -> Iterator[tuple[str, str]]:
    if _SHORT.fullmatch(inside) and (short := _acronym(inside)):
        reach = min(len(short) + 5, len(short) * 2)
        long = _long_form(short, " ".join(before.split()[-reach:]))
        if long:
            yield short, long
    elif (last := _LAST_WORD.search(before)) and (short := _acronym(last[1], alone=last.start(1) == 0)):
        for long in (re.split(r"[,;]", inside, maxsplit=1)[0], inside):
            if _long_form(short, long) == long:
                yield short, long
                return


def _acronym(word: str, *, alone: bool = False) -> str | None:
    """The word in the singular if it may be an acronym; `alone`, at the head of an entry, "Lidar" may too."""
    word = word[:-1] if len(word) > 2 and word[-1] == "s" and word[:-1].isupper() else word
    capitals = sum(character.isupper() for character in word)
    return word if capitals >= 2 or (alone and word[0].isupper()) else None


def _long_form(short: str, text: str) -> str | None:
    """Schwartz & Hearst 2003: the shortest end of the text that holds the acronym's letters in order.

    The first of them begins a word.
    """
    letters = [character for character in short.lower() if character.isalnum()]
    lowered = text.lower() if len(text.lower()) == len(text) else text
    place = len(lowered)
    for number in range(len(letters) - 1, -1, -1):
        place = lowered.rfind(letters[number], 0, place)
        while number == 0 and place > 0 and lowered[place - 1].isalnum():
            place = lowered.rfind(letters[0], 0, place)
        if place < 0:
            return None
    found = text[place:]
    return found if _credible(short, found) else None


def _credible(short: str, long: str) -> bool:
    """Longer than the acronym, without it, within a clause; of two letters both are initials."""
    words = [word.strip(",").lower() for word in long.split()]
    if short.lower() in words or len(long) <= len(short) or _CLAUSE_END.search(long):
        return False
    return len(short) > 2 or PHRASE_TOKEN.fullmatch(long) is not None or _initials(short, long)


def _initials(short: str, long: str) -> bool:
    """Return whether the acronym is made of the initials, small words counted or not."""
    parts = [part.lower() for part in re.findall(r"[^\W_]+", long)]
    spellings = (parts, [part for part in parts if part not in STOP_WORDS])
    return any("".join(part[0] for part in spelling) == short.lower() for spelling in spellings)


def _spelled(short: str | None, phrases: Iterable[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The first of the phrases whose initials are the acronym."""
    texts = (" ".join(phrase).rstrip(",;:.") for phrase in phrases)
    if short:
        yield from islice(((short, text) for text in texts if _initials(short, text)), 1)


# --- what is gathered -----------------------------------------------------------------------------


def _prose(page: Page) -> Iterator[str]:
    """Every text but code: headings, pieces, table cells; of each row its first two cells as an entry too."""
    yield from (section.title for section in page.sections)
    yield from (piece.text for piece in page.pieces if piece.kind is not UnitKind.CODE)
    for table in page.tables:
        yield table.caption or ""
        for cells in (table.header, *table.rows):
            yield ": ".join(cells[:2])
            yield from cells[2:]


def _equivalents(groups: Iterable[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Every member of a group means every other; of the ways to write one, the first is kept."""
    related: dict[str, dict[str, str]] = {}
    for group in groups:
        for one, other in permutations(group, 2):
            if phrase_key(one) and phrase_key(other) and phrase_key(one) != phrase_key(other):
                related.setdefault(phrase_key(one), {}).setdefault(phrase_key(other), other)
    return {key: tuple(others.values()) for key, others in sorted(related.items())}


def _everyday(acronyms: Iterable[str], lower_case: frozenset[str]) -> dict[str, str]:
    """Those that are an English word as well, and stand as one in the book or in any text."""
    return {
        phrase_key(short): short
        for short in sorted(acronyms)
        for word in {short.lower(), phrase_key(short)} & lower_case
        if word in STOP_WORDS or is_english(word)
    }


def _names(pages: Sequence[Page], prose: Iterable[str], code: Iterable[str]) -> Iterator[str]:
    headings = {section.title for page in pages for section in page.sections}
    items = (piece.text for page in pages for piece in page.pieces if piece.kind is UnitKind.ITEM)
    terms = (match[1] for match in map(_TERM.match, items) if match and len(match[1].split()) <= 4)
    files = (name for text in prose for name in _FILE.findall(text) if not name[0].isdigit())
    identifiers = chain.from_iterable(map(_IDENTIFIER.findall, code))
    bare = (_NUMBERING.sub("", heading).rstrip(": ") for heading in headings)
    return (name for name in {*bare, *terms, *files, *identifiers} if name)
