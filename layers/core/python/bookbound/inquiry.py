"""What a question asks for: its content terms, the names it insists on, and the kind of answer it expects."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from bookbound.terms import STOP_WORDS, query_stems, stem, tokens


class AnswerKind(StrEnum):
    """The kind of answer that a question's wording expects."""

    QUANTITY = "quantity"
    DATE = "date"
    VERSION = "version"
    PERSON = "person"
    COST = "cost"
    COMMAND = "command"
    REASON = "reason"
    OPEN = "open"


# The first that matches decides, so the narrower come first.
_ASKED = (
    (
        AnswerKind.COST,
        r"\bhow much (?:does|do|did|is|are|will|would)\b.*\b(?:cost|price)"
        r"|\b(?:price|cost|fee)s?\b|\bexpensive\b",
    ),
    (AnswerKind.DATE, r"\b(?:what|which) (?:year|date|month|day)\b|\bwhen (?:was|were|did|is|will)\b"),
    (AnswerKind.VERSION, r"\b(?:what|which) (?:\w+ ){0,3}(?:version|release|distro|distribution)s?\b"),
    (
        AnswerKind.QUANTITY,
        r"\bhow (?:many|much|long|often|fast|far|high|heavy|tall|big|large|small|wide|deep|old|hot|strong)\b"
        r"|\b(?:what|which) (?:\w+ ){0,3}(?:percentage|percent|share|number|rate|frequency|speed|latency"
        r"|delay|resolution|size|weight|mass|height|length|distance|voltage|capacity|limit|threshold|port"
        r"|range|duration|temperature|score)\b"
        r"|\bat what\b|\bmaximum\b|\bminimum\b",
    ),
    (AnswerKind.PERSON, r"\bwho(?:se|m)?\b"),
    (
        AnswerKind.COMMAND,
        r"\b(?:command|command line|shell|terminal|flag|cli|syntax|code|snippet)\b",
    ),
    (AnswerKind.REASON, r"\bwhy\b|\bwhat (?:is the )?reason|\bhow come\b"),
)
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _ASKED)

_NUMBER = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|twice|once|zero|dozen)\b"
)
_SHOWN = {
    AnswerKind.QUANTITY: re.compile(_NUMBER, re.IGNORECASE),
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
    AnswerKind.COST: re.compile(r"[$€£]|\b(?:EUR|USD|euros?|dollars?|price|cost)s?\b", re.IGNORECASE),
    AnswerKind.COMMAND: re.compile(r"[_=/\\(){}$]|--|\b[a-z]+\.[a-z]+\b|`"),
    AnswerKind.REASON: re.compile(
        r"\b(?:because|since|so that|so|due to|reason|therefore|thus|hence|as a result|otherwise|in order to"
        r"|to|allow|allows|allowing|enable|enables|prevent|prevents|ensure|ensures|avoid|avoids|help|helps|makes?"
        r"|means|cause|causes|without)\b",
        re.IGNORECASE,
    ),
}

_WORD = re.compile(r"[^\s,;:?!\"“”()]+")
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”")
_SENTENCE_START = re.compile(r"(?:^|[.?!]\s+)[\W_]*([^\W_]+)")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, analysed.

    Attributes:
        terms: distinct content stems.
        names: what an answer must speak of, each as its stems: capitalised and quoted words, acronyms,
            identifiers, numbers.
        kind: the expected kind of answer.
    """

    text: str
    terms: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    kind: AnswerKind


def analyse(question: str) -> Inquiry:
    """Analyse a question by its wording alone."""
    kind = next((kind for kind, pattern in _KINDS if pattern.search(question)), AnswerKind.OPEN)
    return Inquiry(question, query_stems(question), _names(question), kind)


def shows(text: str, kind: AnswerKind) -> bool:
    """Whether a text holds the expected kind of answer at all; any text does for an open question."""
    pattern = _SHOWN.get(kind)
    return pattern is None or pattern.search(text) is not None


def _names(question: str) -> tuple[tuple[str, ...], ...]:
    opening = {match.start(1) for match in _SENTENCE_START.finditer(question)}
    words = [match.group().strip(".'’") for match in _WORD.finditer(question) if _is_name(match, opening)]
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(question)]
    stems = (
        tuple(stem(token) for token in tokens(name) if token not in STOP_WORDS) for name in words + quoted
    )
    return tuple(dict.fromkeys(name for name in stems if name))


def _is_name(match: re.Match[str], opening: set[int]) -> bool:
    word = match.group().strip(".'’`")
    if any(character.isdigit() for character in word) or re.search(r"\w[_/.]\w|^--?\w|^/\w", word):
        return True
    if len(word) > 1 and word.upper() == word and word.isalpha():
        return True
    inner_capital = any(character.isupper() for character in word[1:])
    leads = match.start() in opening
    return inner_capital or (word[:1].isupper() and not leads and len(word) > 1)
