"""Mends for a gap: other words that the book may have for the reader's, and the places that may answer.

Each is tried, and proposed only where it is seen to mend. Whether the answer is right, the author decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import mul

from bookbound.authoring.mends import Abbreviation, Alias, AnsweredIn, Mend
from bookbound.authoring.trial import Bench, Ended, Putting, tried
from bookbound.evidence.answered_in import place
from bookbound.evidence.ladder import Climb
from bookbound.evidence.retrieval import climbs
from bookbound.evidence.sufficiency import Assessor
from bookbound.model import Candidate, Passage
from bookbound.ports import Embedder
from bookbound.text.glossary import phrase_key
from bookbound.text.terms import STOP_WORDS, stem, tokens

TRIED = 10
"""Mends of words that are tried for a gap, the likeliest first."""

PLACES = 3
"""Places that are proposed for a gap at most, the one that the reader model finds best first."""

ASKED = 4
"""Wordings of a gap that a mend is tried with."""

READ = 3
"""Passages whose words a reader may have meant."""

LONGEST = 3
"""Words of a name."""

LIKE = 0.40
"""The least cosine of a reader's words and the book's that may mean the same, for the bundled model."""

LIKE_OWN = 0.60
"""The same for a word that the book itself uses."""

_SHORT = re.compile(r"(?<![\w-])[A-Z][A-Za-z]{0,3}[A-Z]s?(?![\w-])")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ASKING = STOP_WORDS | {"many", "kind", "way", "thing", "part", "need", "get", "make", "work"}


@dataclass(frozen=True, slots=True)
class Nearest:
    """The section that comes nearest to a gap; `similarity` in [0, 1], of which an answer needs 0.7."""

    title: str
    document: str
    page: int
    url: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Proposed:
    """A mend that lets the gap's question be answered.

    Attributes:
        ended: how the question that stands for the gap ends with it.
        answered: of the gap's questions that were tried, those that are answered with it.
    """

    mend: Mend
    ended: Ended
    answered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an author can do about a gap.

    Attributes:
        gate: what refuses the gap's question now; None if it is answered.
        nearest: None where nothing was found.
        mends: to choose from, no two of one answer; if none of them is right it is something to write about.
    """

    gate: str | None
    nearest: Nearest | None
    mends: tuple[Proposed, ...] = ()


async def proposal(
    questions: Sequence[str], live: Bench, guards: Sequence[Putting], meaning: Embedder
) -> Proposal:
    """The mends that let the gap's question be answered, and nothing that must be refused.

    The first is of words, if there is one, since it mends what else readers ask in these; then come places.
    `questions` are the gap's wordings, the one that stands for it first; `guards` are questions with a wish,
    of which none to refuse may be answered. `meaning` is the bundled model. Raises Unavailable.
    """
    asked = questions[:ASKED]
    climb = await _climb(asked[0], live)
    near = _nearest(climb.candidates)
    gate = None if climb.passed else climb.decisive.verdict.findings[-1].gate
    if climb.passed or climb.part.task is not None:
        return Proposal(gate, near)
    by_answer: dict[str, Proposed] = {}
    for mend in await _of_words(asked[0], climb, live, meaning):
        seen = await _seen(mend, asked, live, guards)
        if seen and _is_from(near, seen.ended):
            by_answer[seen.ended.text] = seen
            break
    for stated in _places(climb.candidates):
        if seen := await _seen(AnsweredIn(stated, tuple(asked)), asked, live, guards):
            by_answer.setdefault(seen.ended.text, seen)
    return Proposal(gate, near, tuple(by_answer.values()))


async def _seen(mend: Mend, asked: Sequence[str], live: Bench, guards: Sequence[Putting]) -> Proposed | None:
    """A mend with what comes of it, if it mends."""
    with_mend = await live.mended(mend)
    ended = await with_mend.ask(asked[0])
    if not ended.answered or (await tried(mend, live, guards)).false_answers:
        return None
    answered = [one for one in asked if (await with_mend.ask(one)).answered]
    return Proposed(mend, ended, tuple(answered))


def _places(candidates: Sequence[Candidate]) -> list[str]:
    """The places whose excerpts the reader model finds best, the best first."""
    read = sorted((one for each in candidates for one in each.readings), key=lambda one: -one.answers)
    return list(dict.fromkeys(place(one.excerpt) for one in read))[:PLACES]


def _is_from(near: Nearest | None, ended: Ended) -> bool:
    """Return whether an answer is from the page that was nearest before: a mend supplies the words for it."""
    return near is None or any(place.endswith(f"(page {near.page})") for place in ended.places)


async def _climb(question: str, live: Bench) -> Climb:
    deps = live.deps
    assessor = Assessor(deps.reader, deps.sufficiency, deps.generator.refuses)
    found = await climbs(question, None, live.book, deps.embedder, assessor)
    return next((one for one in found if not one.passed), found[0])


def _nearest(candidates: Sequence[Candidate]) -> Nearest | None:
    if not candidates:
        return None
    best = max(candidates, key=lambda one: one.similarity)
    passage = best.passage
    unit = next((unit for unit in passage.units if unit.end > best.start), passage.units[-1])
    section = passage.sections[unit.section]
    url = f"{passage.url}#{section.anchor}" if section.anchor else passage.url
    return Nearest(section.title, passage.document, passage.page, url, best.similarity)


async def _of_words(question: str, climb: Climb, live: Bench, meaning: Embedder) -> list[Mend]:
    """Mends that the words suggest, the likeliest first, at most TRIED."""
    passages = [one.passage for one in climb.candidates[:READ]]
    short: list[Mend] = list(_abbreviations(question, passages, live))
    return [*short, *await _aliases(question, climb, live, meaning)][:TRIED]


# --- abbreviations --------------------------------------------------------------------------------


def _abbreviations(question: str, passages: Sequence[Passage], live: Bench) -> Iterator[Abbreviation]:
    """Capitals that the book never writes, and words of it that begin with these letters."""
    glossary = live.book.glossary
    for match in _SHORT.finditer(question):
        short = match.group().removesuffix("s")
        if short.lower() in glossary.words or phrase_key(short) in glossary.equivalents:
            continue
        yield from islice((Abbreviation(short, long) for long in _spelled_out(short, passages)), 1)


def _spelled_out(short: str, passages: Sequence[Passage]) -> Iterator[str]:
    letters = short.lower()
    for passage in passages:
        words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(passage.text)]
        for first in range(len(words) - len(letters) + 1):
            run = words[first : first + len(letters)]
            if "".join(word[0].lower() for word, _, _ in run) == letters:
                yield " ".join(passage.text[run[0][1] : run[-1][2]].split()).lower()


# --- aliases --------------------------------------------------------------------------------------


async def _aliases(question: str, climb: Climb, live: Bench, meaning: Embedder) -> list[Alias]:
    """A reader's words that no passage holds, beside words of the passages; the nearest in meaning first.

    Words that both have say nothing of whether the others mean the same, so only the others are compared. A
    single word that the book itself uses must be nearer: many questions have it.
    """
    texts = [_text(one) for one in climb.candidates[:READ]]
    held = {stem(token) for text in texts for token in tokens(text)}
    glossary = live.book.glossary
    names = [
        name
        for name in _phrases(question)
        if phrase_key(name) not in glossary.equivalents
        and any(stem(word) not in held for word in tokens(name))
    ]
    terms = dict.fromkeys(term for text in texts for term in _phrases(text))
    pairs = [
        (name, term, apart)
        for name in names
        for term in terms
        if all(apart := (_without(name, term), _without(term, name)))
    ]
    likeness = await _likeness({rest for _, _, apart in pairs for rest in apart}, meaning)
    likely = sorted(
        ((likeness(*apart), name, term) for name, term, apart in pairs), key=lambda one: (-one[0], one[1:])
    )
    close = (
        Alias(term, name)
        for like, name, term in likely
        if like >= (LIKE_OWN if name.lower() in glossary.words else LIKE)
    )
    return list(islice(close, TRIED))


async def _likeness(texts: Iterable[str], meaning: Embedder) -> Callable[[str, str], float]:
    ordered = sorted(texts)
    embedded = await meaning.embed_questions(ordered) if ordered else []
    vectors = dict(zip(ordered, embedded, strict=True))
    return lambda one, other: sum(map(mul, vectors[one], vectors[other]))


def _without(phrase: str, other: str) -> str:
    """The words of a phrase that the other does not have in any form."""
    theirs = {stem(token) for token in tokens(other)}
    return " ".join(word for word in phrase.split() if not theirs.intersection(map(stem, tokens(word))))


def _text(candidate: Candidate) -> str:
    """The part of a passage that the reader found best, below its heading."""
    if candidate.readings:
        excerpt = candidate.readings[0].excerpt
        return "\n".join((excerpt.above, *excerpt.texts))
    return candidate.passage.text[candidate.start : candidate.end]


def _phrases(text: str) -> list[str]:
    """Runs of at most LONGEST words that carry meaning, lower-case, each once."""
    found: dict[str, None] = {}
    for run in _runs(text):
        for size in range(LONGEST, 0, -1):
            for first in range(len(run) - size + 1):
                found.setdefault(" ".join(run[first : first + size]))
    return [phrase for phrase in found if len(phrase) > 2]


def _runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        word = match.group()
        if word.lower() in _ASKING or text[end : match.start()].strip():
            yield run
            run = []
        if word.lower() not in _ASKING:
            run.append(word if word.isupper() else word.lower())
        end = match.end()
    yield run
