"""Analysis of a question: its terms, the names it insists on, the thing asked about, kind of answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bookbound.question.wordings import Query
from bookbound.text.measures import NUMBER, Measure, measures
from bookbound.text.terms import content_stems, query_stems, stem, tokens

Stems = tuple[str, ...]


class AnswerKind(StrEnum):
    """The kind of answer that a question's wording expects."""

    QUANTITY = "quantity"
    DATE = "date"
    VERSION = "version"
    PERSON = "person"
    COMMAND = "command"
    REASON = "reason"
    COMPARISON = "comparison"
    LIST = "list"
    PROCEDURE = "procedure"
    CONCEPT = "concept"
    NAME = "name"
    OPEN = "open"


# The first that matches decides, so the narrower come first.
_ASKED = (
    (AnswerKind.DATE, r"\b(?:what|which) (?:year|date|month|day)\b|\bwhen (?:was|were|did|is|will)\b"),
    (AnswerKind.VERSION, r"\b(?:what|which) (?:\w+ ){0,3}(?:version|release|distro|distribution)s?\b"),
    (
        AnswerKind.COMPARISON,
        r"\b(?:differences?|differ|different|compared?|comparison|versus|vs|in contrast|distinguish\w*)\b"
        r"|\b(?:better|faster|slower|cheaper|heavier|lighter|more|less) (?:\w+ )?than\b",
    ),
    (
        AnswerKind.QUANTITY,
        r"\bhow (?:many|much|long|often|fast|far|high|heavy|tall|big|large|small|wide|deep|old|hot|strong"
        r"|hard|thick)\b"
        r"|\b(?:what|which) (?:\w+ ){0,3}(?:percentage|percent|share|number|rate|frequency|speed|latency"
        r"|delay|resolution|size|weight|mass|height|length|distance|voltage|capacity|limit|threshold|port"
        r"|range|duration|temperature|score|price|cost|fee|torque|force|angle)\b"
        r"|\bat what\b|\bmaximum\b|\bminimum\b|\bcosts?\b|\bweighs?\b",
    ),
    (AnswerKind.PERSON, r"\bwho(?:se|m)?\b"),
    (
        AnswerKind.COMMAND,
        r"\b(?:command|command line|shell|terminal|flag|cli|syntax|code|snippet)\b",
    ),
    (AnswerKind.REASON, r"\bwhy\b|\bwhat (?:is|are|was|were) the reasons?\b|\bhow come\b"),
    (
        AnswerKind.LIST,
        r"^\W*(?:please )?(?:list|name|give)\b|\b(?:what|which) are\b|\b(?:all|every|overview|summar\w+)\b"
        r"|\b(?:what|which) (?:\w+ ){0,2}(?:steps|ways|types|kinds|components|stages|parts|phases|examples"
        r"|features|benefits|reasons|requirements|tools|topics|skills|challenges|goals)\b",
    ),
    (AnswerKind.PROCEDURE, r"\bhow (?:do|can|to|should|would|must)\b|\bsteps?\b"),
    (AnswerKind.CONCEPT, r"\bwhat(?:'s|’s| is| does)\b|\b(?:explain|define|describe|meaning|mean)\b"),
    (AnswerKind.NAME, r"\b(?:which|what) (?!(?:happens?|would|should|can|if|do|does|did|kind of)\b)[\w-]+"),
)
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _ASKED)

_SHOWN = {
    AnswerKind.VERSION: re.compile(r"\d|\b[A-Z][a-z]+ [A-Z][a-z]+\b|\b(?:LTS|version|release)\b"),
    AnswerKind.DATE: re.compile(
        r"\b(?:19|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October"
        r"|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|week \d+|day \d+)\b",
        re.IGNORECASE,
    ),
    AnswerKind.PERSON: re.compile(
        r"\b[A-Z][a-z]+ [A-Z][a-z]+\b"
        r"|\b(?:student|teacher|team|engineer|developer|operator|instructor|person|people|user|researcher|author"
        r"|leader|officer|member|supervisor|company|group)s?\b"
    ),
    AnswerKind.COMMAND: re.compile(r"[_=/\\(){}$]|--|\b[a-z]+\.[a-z]+\b|`"),
    AnswerKind.REASON: re.compile(
        r"\b(?:because|since|so that|so|due to|reason|therefore|thus|hence|as a result|otherwise|in order to"
        r"|to|allow|allows|allowing|enable|enables|prevent|prevents|ensure|ensures|avoid|avoids|help|helps|makes?"
        r"|means|cause|causes|without)\b",
        re.IGNORECASE,
    ),
}

COUNTED_WITHIN = 4
"""Words after a number within which the thing that it counts must stand."""

_WORD = re.compile(r"[^\s,;:?!\"“”()]+")
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”")
_SENTENCE_START = re.compile(r"(?:^|[.?!]\s+)[\W_]*([^\W_]+)")
_SENTENCE_END = re.compile(r"[.!]\s+(?=\S)")
_COUNTED = re.compile(r"\bhow many ((?:[\w-]+ )?[\w-]+)", re.IGNORECASE)
_AFTER_FOCUS = (
    r"(?:do|does|did|is|are|was|were|should|can|could|must|may|has|have|had|will|would|of|in|for|on|at|to|from"
    r"|with|by|between|that|and|or|the|a|an|i|you|we|it|they)\b"
)
_FOCUS = re.compile(
    r"\b(?:what|which|whose|how many|how much)(?:['’]s| is| are| was| were)?(?: (?:the|its|an?|exact))?"
    rf" ((?!{_AFTER_FOCUS})[\w-]+(?: (?!{_AFTER_FOCUS})[\w-]+){{0,2}})(?= {_AFTER_FOCUS}|[^\w\s]|$)",
    re.IGNORECASE,
)
_PROPER = re.compile(r"\b\w+[_/.]\w+|\b[A-Za-z]*[A-Z]\w*\b|\b\w*\d\w*\b")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, analysed.

    Attributes:
        terms: distinct content stems.
        names: what an answer must speak of, each as its stems: capitalised and quoted words, acronyms,
            identifiers, numbers, and what the book itself names so.
        kind: the expected kind of answer; `measures` narrows a quantity, `counted` is what "how many" counts.
        focus: stems of the exact thing asked about: "which *library*", "what *wavelength*".
        equivalents: (stems of a phrase of the question, stems of what the book may say instead).
    """

    text: str
    terms: Stems
    names: tuple[Stems, ...]
    kind: AnswerKind
    measures: tuple[Measure, ...]
    counted: Stems
    focus: Stems
    equivalents: tuple[tuple[Stems, Stems], ...]

    def __hash__(self) -> int:
        """Return the hash of its text: an inquiry is asked of every span."""
        return hash(self.text)

    def understood(self, present: frozenset[str]) -> frozenset[str]:
        """The stems of a text, with the question's own where the text uses an equivalent (R4)."""
        if not self.equivalents:
            return present
        said = (phrase for phrase, other in self.equivalents if other and present.issuperset(other))
        return present.union(*said)


def analyse(query: Query) -> Inquiry:
    """Analyse a question by its wording and the book's vocabulary."""
    question = query.corrected
    kind = next((kind for kind, pattern in _KINDS if pattern.search(question)), AnswerKind.OPEN)
    counted = _COUNTED.search(question)
    focus = _FOCUS.search(question)
    return Inquiry(
        text=question,
        terms=query_stems(question),
        names=tuple(dict.fromkeys((*names(question), *map(_stems, query.names)))),
        kind=kind,
        measures=measures(question) if kind is AnswerKind.QUANTITY else (),
        counted=_stems(counted[1]) if counted else (),
        focus=_stems(focus[1]) if focus else (),
        equivalents=tuple((_stems(phrase), _stems(other)) for phrase, other in query.equivalents),
    )


def shows(text: str, inquiry: Inquiry) -> bool:
    """Return whether a text holds the expected kind of answer; any text does for an open question."""
    if inquiry.kind is AnswerKind.QUANTITY:
        return _shows_quantity(text, inquiry)
    if inquiry.kind is AnswerKind.NAME:
        return _shows_name(text, inquiry)
    pattern = _SHOWN.get(inquiry.kind)
    return pattern is None or pattern.search(text) is not None


def _shows_quantity(text: str, inquiry: Inquiry) -> bool:
    if not inquiry.measures and not inquiry.counted:
        return NUMBER.search(text) is not None
    # A table names the measure in its header, so the number may stand without a unit.
    tabled = " | " in text and NUMBER.search(text) is not None
    measured = any(
        measure.shown.search(text) or (tabled and measure.asked.search(text)) for measure in inquiry.measures
    )
    return measured or _counts(text, inquiry.counted)


def _counts(text: str, counted: Stems) -> bool:
    """Return whether a number stands right before the thing that it counts."""
    words = tokens(text)
    after = (words[at + 1 : at + 1 + COUNTED_WITHIN] for at, word in enumerate(words) if NUMBER.match(word))
    return any(stem(word) in counted for following in after for word in following)


def _shows_name(text: str, inquiry: Inquiry) -> bool:
    """Return whether something is named that the question did not name itself."""
    said = set(tokens(inquiry.text))
    return any(not said.issuperset(tokens(name)) for name in _PROPER.findall(text))


def _stems(phrase: str) -> Stems:
    return tuple(dict.fromkeys(content_stems(phrase)))


def names(question: str) -> Iterator[Stems]:
    """Yield what a question names by spelling, as stems: capitals, quotes, identifiers, numbers.

    Names that follow each other are one: "Fast DDS", "Gazebo Fortress". A number counts where it is asked
    about, not in what the reader tells before.
    """
    asked_from = max((match.end() for match in _SENTENCE_END.finditer(question)), default=0)
    for run in _runs(question):
        stems = _stems(question[run[0].start() : run[-1].end()])
        told = run[0].start() < asked_from and all(stem[0].isdigit() for stem in stems)
        if stems and not told:
            yield stems
    for match in _QUOTED.finditer(question):
        if stems := _stems(next(filter(None, match.groups()))):
            yield stems


def _runs(question: str) -> Iterator[list[re.Match[str]]]:
    """Names side by side, parted by a single space; what stands behind a possessive is another one."""
    opening = {match.start(1) for match in _SENTENCE_START.finditer(question)}
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(question):
        if not _is_name(match, opening):
            continue
        if run and (match.start() - run[-1].end() != 1 or run[-1].group().endswith(("'s", "’s"))):
            yield run
            run = []
        run.append(match)
    if run:
        yield run


def _is_name(match: re.Match[str], opening: set[int]) -> bool:
    word = match.group().strip(".'’`")
    if any(character.isdigit() for character in word) or re.search(r"\w[_/.]\w|^--?\w|^/\w", word):
        return True
    if len(word) > 1 and word.upper() == word and word.isalpha():
        return True
    if any(character.isupper() for character in word[1:]):
        return True
    leads = match.start() in opening or word.startswith(("I'", "I’"))
    return word[:1].isupper() and not leads and len(word) > 1
