"""Analysis of a question: its terms, the names it insists on, and the kind of answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from bookbound.question.whole_request import WholeRequest
from bookbound.question.wordings import Query
from bookbound.text.terms import content_stems, query_stems

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

_WORD = re.compile(r"[^\s,;:?!\"“”()]+")
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”")
_SENTENCE_START = re.compile(r"(?:^|[.?!]\s+)[\W_]*([^\W_]+)")
_SENTENCE_END = re.compile(r"[.!]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, analysed.

    Attributes:
        terms: distinct content stems.
        names: what an answer must speak of, each as its stems: capitalised and quoted words, acronyms,
            identifiers, numbers, and what the book itself names so.
        kind: the expected kind of answer.
        equivalents: (stems of a phrase of the question, stems of what the book may say instead).
        whole: what it wants of a selection as a whole, None where it asks about something in it (X20).
        rows: the rows of tables whose cells answer it, each by its passage and its unit there without orders.
        place: where the author says that it is answered: an answer is quoted from there.
    """

    text: str
    terms: Stems
    names: tuple[Stems, ...]
    kind: AnswerKind
    equivalents: tuple[tuple[Stems, Stems], ...]
    whole: WholeRequest | None = None
    rows: tuple[tuple[UUID, int], ...] = ()
    place: str | None = None

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
    return Inquiry(
        text=question,
        terms=query_stems(question),
        names=tuple(dict.fromkeys((*names(question), *map(_stems, query.names)))),
        kind=kind,
        equivalents=tuple((_stems(phrase), _stems(other)) for phrase, other in query.equivalents),
    )


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
