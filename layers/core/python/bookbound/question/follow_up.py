"""Follow-ups: the readings of an elliptic question after the one before it (X18).

A follow-up leaves out what the question before it said: "and its weight?", "why?", "what about the second
one?". Its readings are written in code, from the words of both; which one is meant, `meant` chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from bookbound.question.antecedents import DETERMINER, IN_EARNEST, VERB, antecedent
from bookbound.question.question_forms import AUX, EMPTY_IT, EXPLAIN, POLITELY, WH, pattern
from bookbound.question.validation import QUESTION_LIMIT
from bookbound.text.glossary import singular
from bookbound.text.sentences import sentence_spans
from bookbound.text.terms import content_stems

MOST_READINGS = 6
"""Most completed readings of a question."""

LONGEST_PREVIOUS = 300
"""Characters of a question that may complete another one; a longer text is no question."""

MOST_THINGS = 4
"""Things of the question before that a follow-up may be about."""

LONGEST_FRAGMENT = 8
SHORTEST = 2
"""Words of what is no sentence, and of what is none though one of them may be a verb: "cost?"."""


class Form(StrEnum):
    """How a reading is made."""

    TYPED = "typed"
    PRONOUN = "pronoun"
    ABOUT = "about"
    ATTRIBUTE = "attribute"
    SWAP = "swap"
    ANEW = "anew"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Reading:
    """A question that may be meant, and how it is made."""

    text: str
    form: Form


@dataclass(frozen=True, slots=True)
class Readings:
    """What a question may mean after another one.

    Attributes:
        typed: its words as typed.
        before: the last question of what was asked before.
        complete: complete questions of at most QUESTION_LIMIT characters; empty where it stands alone.
        leans: whether its words alone leave out something for certain.
    """

    typed: str
    before: str = ""
    complete: tuple[Reading, ...] = ()
    leans: bool = False

    @property
    def all(self) -> tuple[Reading, ...]:
        """Return the complete questions, and the words as typed."""
        return (*self.complete, Reading(self.typed, Form.TYPED))


_LEAD = pattern(
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|also|then|now|well|thanks|sorry|hm+)[,!.]?\s+)*"
    r"(?:(?P<about>(?:what|how)\s+about|what\s+of|same\s+for|the\s+same\s+for)\s+)?"
)
_PREPOSITION = (
    r"(?:in|on|at|for|from|to|of|with|without|within|under|during|after|before|between|inside|outside|by|until"
    r"|since)"
)
_WHY = r"(?:why(?:\s+(?:not|so|is\s+that|is\s+this))?|how\s+come|how\s+so)"
_BARE_WH = pattern(
    rf"^(?P<wh>{_WHY}|how(?:\s+(?:often|long|much|many|far|fast|big|high|heavy|exactly))?|when|where|who|by\s+whom"
    r"|since\s+when|for\s+how\s+long|until\s+when|from\s+where|with\s+what|which(?:\s+ones?)?)$"
)
# "By how much", "what for", "within how many days": no sentence, and what it asks of is left out.
_WH_PHRASE = pattern(
    rf"^(?:{_PREPOSITION}\s+{WH}(?:\s+[a-z]+){{0,3}}|{WH}\s+(?:by|for|to|from|with|without|exactly|else|though|\w+ly)"
    r"|how\s+(?:long|much|many|far)(?:\s+[a-z]+){1,2}|how\s+[a-z]+|what)$"
)
_FRONTED = pattern(rf"^(?:{_PREPOSITION}|when|if|while)\b(?!.*\b{WH})")
_ITS = pattern(rf"\b{IN_EARNEST}(?:its|their|his|her)\b(?!\s+own\b)")
_IT = pattern(rf"\b{IN_EARNEST}(?:it|they|them|he|she|him|(?<=does )one)\b")
# "That" and "those" before a verb or at the end stand for something; before a noun they point at it.
_THAT = pattern(
    rf"\b(?:that|this|these|those)(?=\s*$|\s+(?:{AUX}|{VERB}|\w+ed\b|ones?\b)|[,.;])|(?<=^is )(?:that|this)\b"
)
_POINTED = pattern(r"\b(?:that|this|these|those)\s+[a-z]\w+\b")
_MANY = pattern(r"\b(?:they|them|their|these|those)\b")
_EMPTY = pattern(EMPTY_IT)
_ONE = pattern(
    r"(?:\bthe\s+|^)(?P<which>first|second|third|fourth|fifth|last|next|other|others|latter|former|new|old|big|small)"
    r"(?:\s+ones?)?(?=\s*$|\s+(?:one|ones|is|are|was|do|does|mean|for|work|in|look|have|has)\b)"
)
_EXAMPLE = pattern(
    rf"^{POLITELY}(?:(?:give|show|tell)(?:\s+me)?\s+)?(?:an?\s+|another\s+|some\s+)?examples?(?:\s+please)?$|^(?:for|such\s+as)\s+(?:example|instance|what)$|^like\s+what$"
)
_MORE = pattern(
    rf"^{POLITELY}(?:tell\s+me\s+more|(?:(?:explain|describe)\s+)?(?:more|further)(?:\s+details?)?|more\s+details?|elaborate"
    r"|go\s+on|what\s+else|anything\s+else|say\s+more|(?:can\s+you\s+)?explain(?:\s+(?:it|that|this))?(?:\s+(?:more|further|again|please))*)(?:\s+(?:on|about)\s+(?:it|that|this))?$"
)
_COMPARES = pattern(
    r"^(?:which|who|what)\s+(?:one\b|of\s+(?:them|the\s+two|these|those)\b|(?:\w+\s+){1,2}(?:(?-i:[a-z]{2,}er)|more|less|worse)\b)"
    r"|\bdifference\b(?!\s+between\s+(?!them\b|the\s+two\b|these\b|those\b))|\b(?:the|them|these|those)\s+two\b|\b(?:between|of)\s+them\b|\b(?:both|either|neither)\b"
)
_CLAUSE = pattern(rf"\b(?:{AUX}|{WH}|i|we|you)\b|^{POLITELY}{EXPLAIN}\b")
_VERBAL = pattern(rf"{_CLAUSE.pattern}|\b{VERB}")

_MARKUP = re.compile(r"[<>{}\[\]\\|`]|://|\w:\w")
_WORD = re.compile(r"[^\s,;:?!()\"“”]+")
_BOUNDARY = pattern(
    rf"(?:{WH}|{AUX}|(?:i|you|we|it|they|he|she|there|if|while|because|that|this|these|those|than|to|or|and|not|of|in|on"
    r"|into|onto|from|with|without|for|by|at|as|using|inside|about|before|after|during|between|over|under|per|when"
    r"|through|below|above|against|across|along|around|behind|beyond|near|off|out|until|up|upon|within|via|like"
    r"|exactly|often|long|much|many|far|fast|big|high|heavy|please|me|us|need|needed|used|called|made|mean|does|my"
    r"|explain|describe|define|list|name|give|tell|show|get|set|happen|happens|happened|allowed|something|anything"
    r"|either|both|neither|better|rather|one|ones|its|their|only|also|first|most|best|so|well|differ|compare|be|been|being))$"
)
_ATTRIBUTE_OF = pattern(rf"{DETERMINER}\s+\S+(?:\s+\S+)?\s+of\s+(?P<owner>\S.*)$")
_DOES = pattern(r"\b(?:do|does|did|can|could|will|would|should|must)\s+")
_INDEFINITE = pattern(r"an?\s")
_OPENS_NOUN = pattern(rf"^{DETERMINER}$")
_IS_VERB = pattern(rf"^{VERB}$")
_VERB_FOLLOWS = re.compile(rf"\s+(?:{VERB}|do\b|have\b|be\b)")
_JOINS = tuple(
    pattern(rf"^\s*,?\s*(?:{joins})\s+(?:(?:in|on|by|during|an?|the|with|for)\s+)*$")
    for joins in (r"and|or|than|vs\.?|versus", r"differ\s+from|to|with")
)
"""What joins two things: first what sets them side by side, since "to" and "with" join much else too."""


def readings(question: str, previous: str) -> Readings:
    """Return what a question may mean after another one, made of the words of both."""
    asked = _LEAD.sub("", question, count=1).strip(" \t\n.?!…")
    before = _last_asked(previous).strip(" \t\n.?!…")
    if not asked or not before or len(before) > LONGEST_PREVIOUS or _MARKUP.search(before):
        return Readings(question)
    lead = _LEAD.match(question)
    about = bool(lead and lead["about"])
    spoken = things(before)
    leaning = tuple(_leaning(asked, before, spoken, about=about))
    found = {one.text: one for one in reversed(leaning or tuple(_about(asked, spoken[:2])))}
    fitting = [one for one in reversed(found.values()) if len(one.text) <= QUESTION_LIMIT]
    return Readings(question, before, tuple(fitting[:MOST_READINGS]), bool(leaning))


def _last_asked(text: str) -> str:
    """Return the last sentence that is a question, else the last sentence."""
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    asking = [sentence for sentence in sentences if sentence.rstrip().endswith("?")]
    return (asking or sentences or [""])[-1]


def _leaning(asked: str, before: str, spoken: Sequence[str], *, about: bool) -> Iterator[Reading]:
    """The readings of words that leave out something for certain; none where they may stand alone."""
    pair = _pair(before)
    if bare := _BARE_WH.match(asked):
        yield _asked_anew(bare["wh"], before)
    elif _WH_PHRASE.match(asked):
        yield _asked_anew(asked, before)
        yield from _about(asked, spoken)
    elif _EXAMPLE.search(asked):
        yield Reading(f"{_first_upper(before)}, for example?", Form.ANEW)
        yield from (Reading(f"What is an example of {one}?", Form.ABOUT) for one in spoken)
    elif _MORE.search(asked):
        yield Reading(f"{_first_upper(before)}?", Form.ANEW)
        yield from (Reading(f"What is {one}?", Form.ABOUT) for one in spoken)
    elif (which := _ONE.search(asked)) and (pair or _kind(before)):
        yield from _one_of_several(which, asked, before, pair, about=about)
    elif pair and _COMPARES.search(asked):
        both = _together(pair)
        yield Reading(f"{_first_upper(asked)} ({both})?", Form.BOTH)
        yield from _about(asked, pair)
    elif _leans(asked):
        both_meant = [_together(pair)] if pair and _MANY.search(asked) else []
        yield from _completed(asked, [*spoken, *both_meant], about=about)
        if _THAT.search(asked) or not spoken:
            yield Reading(f"{_first_upper(asked)} ({before})?", Form.ANEW)
    elif about or _is_fragment(asked):
        yield from _put_in_place(asked, before, spoken)
        yield from (
            Reading(f"What is the {_without_article(asked)} of {one}?", Form.ATTRIBUTE)
            for one in spoken
            if not _FRONTED.match(asked)
        )
    elif _COMPARES.search(asked):
        yield Reading(f"{_first_upper(asked)} ({before})?", Form.ANEW)
        yield from _about(asked, spoken)


def _about(asked: str, spoken: Sequence[str]) -> Iterator[Reading]:
    """A question that may go on about the same thing without saying so."""
    for one in spoken:
        yield Reading(f"{_first_upper(asked)} ({one})?", Form.ABOUT)


def _leans(asked: str) -> bool:
    """Return whether a pronoun of the question stands for something said before it."""
    if _ITS.search(asked) or _THAT.search(asked) or _POINTED.search(asked):
        return True
    pronoun = _IT.search(asked)
    return pronoun is not None and not _EMPTY.search(asked) and not _definite(asked[: pronoun.start()])


def _is_fragment(asked: str) -> bool:
    """Return whether the words are no sentence: "in winter", "the camera"."""
    words = len(asked.split())
    no_sentence = not _VERBAL.search(asked) or (words <= SHORTEST and not _CLAUSE.search(asked))
    return words <= LONGEST_FRAGMENT and (no_sentence or bool(_FRONTED.match(asked)))


def _completed(asked: str, spoken: Sequence[str], *, about: bool) -> Iterator[Reading]:
    """The question with what its pronouns stand for."""
    attribute = about or not _VERBAL.search(asked)
    for one in spoken:
        text = _in_place_of(_ITS, f"{one}'" if one.endswith("s") else f"{one}'s", asked)
        if text == asked:
            text = _in_place_of(_THAT, one, _in_place_of(_IT, one, asked), count=1)
        if text == asked:
            text = f"{asked} ({one})"
        yield Reading(f"What is {text}?" if attribute else f"{_first_upper(text)}?", Form.PRONOUN)


def _together(pair: Sequence[str]) -> str:
    return f"{pair[0]} and {pair[1]}"


def _in_place_of(pronoun: re.Pattern[str], thing: str, text: str, count: int = 0) -> str:
    """Put a thing in the place of a pronoun, as it stands: a backslash in it means nothing."""
    return pronoun.sub(lambda _: thing, text, count=count)


def _one_of_several(
    which: re.Match[str], asked: str, before: str, pair: Sequence[str], *, about: bool
) -> Iterator[Reading]:
    """The first or second of two that were named, or of a kind that was asked about."""
    word = which["which"].lower()
    at = {"first": 0, "former": 0, "second": 1, "latter": 1, "other": 1, "last": 1}.get(word)
    kind = _kind(before)
    meant = [pair[at]] if pair and at is not None else []
    meant += [f"the {word} {kind}"] if kind and word not in ("latter", "former") else []
    for one in meant:
        alone = about or which.span() == (0, len(asked))
        yield Reading(f"What is {one}?" if alone else f"{_put(which, asked, one)}?", Form.PRONOUN)


def _asked_anew(wh: str, before: str) -> Reading:
    """ "Why?" after "Does the motor stop?": the same with the word that is asked now."""
    wh = re.sub(r"^(?:how\s+(?:come|so)|why\s+(?:is\s+(?:that|this)|so))$", "why", wh.lower())
    rest = re.sub(
        rf"^{POLITELY}(?:{WH}(?:\s+(?:often|long|much|many|far|fast|big|high|heavy))?|{EXPLAIN})\s+",
        "",
        before,
        flags=re.IGNORECASE,
    )
    if re.match(rf"{AUX}", rest, re.IGNORECASE):
        return Reading(f"{_first_upper(wh)} {_first_lower(rest)}?", Form.ANEW)
    return Reading(f"{_first_upper(before)} – {wh}?", Form.ANEW)


def _put_in_place(asked: str, before: str, spoken: Sequence[str]) -> Iterator[Reading]:
    """The question before with other words in the place of some of its own."""
    if _FRONTED.match(asked):
        preposition, _, named = asked.partition(" ")
        same = re.search(rf"\b{re.escape(preposition)}\b.*$", before, re.IGNORECASE)
        if same and same.start():
            yield Reading(f"{_first_upper(before[: same.start()] + asked)}?", Form.ANEW)
        else:
            yield Reading(f"{_first_upper(before)} {asked}?", Form.ANEW)
        if not named.strip():
            return
        asked = named.strip()
    for one in spoken:
        start = before.find(one)
        if start >= 0:
            text = before[:start] + asked + before[start + len(one) :]
            yield Reading(f"{_first_upper(text)}?", Form.SWAP)


def things(question: str) -> tuple[str, ...]:
    """Return the things that a question speaks of, the one that it is certainly about first."""
    certain = antecedent(question)
    subjects = _subject(question)
    whole = [certain.noun] if certain and not subjects else subjects
    ordered = [*(_owner(one) for one in whole), *whole, *_named(question), *_chunks(question)]
    distinct = dict.fromkeys(
        one
        for one in ordered
        if content_stems(one) and not any(one.startswith(f"{subject} ") for subject in subjects)
    )
    return tuple(distinct)[:MOST_THINGS]


def _pair(question: str) -> tuple[str, ...]:
    """The first two things of a question that a word such as "and" or "from" joins."""
    spans = [(question.find(one), one) for one in dict.fromkeys(_chunks(question))]
    for joins in _JOINS:
        for (start, first), (end, second) in pairwise(spans):
            if joins.match(question[start + len(first) : end]):
                return first, second
    return ()


def _named(text: str) -> list[str]:
    """Return the stretches of a text that name something for certain: by an article, or by capitals."""
    return [
        chunk
        for chunk in _chunks(text)
        if _OPENS_NOUN.match(chunk.split()[0]) or any(map(str.isupper, chunk))
    ]


def _definite(text: str) -> list[str]:
    """Return those of them that an "a" does not open."""
    return [one for one in _named(text) if not _INDEFINITE.match(one)]


def _owner(thing: str) -> str:
    """Return what an attribute belongs to: "its" after "the diameter of Venus" is mostly that of Venus."""
    attribute = _ATTRIBUTE_OF.match(thing)
    return attribute["owner"] if attribute else thing


def _subject(question: str) -> list[str]:
    """Return the words between "does" and a verb, without what may be a verb that is not known."""
    found = _DOES.search(question)
    rest = question[found.end() :] if found else ""
    first = next(_chunks(rest), "")
    if not first or not rest.startswith(first):
        return []
    words = first.split()
    verb_follows = _VERB_FOLLOWS.match(rest[len(first) :])
    least = 2 if _OPENS_NOUN.match(words[0]) else 1
    if verb_follows or len(words) <= least or not words[-1].islower():
        return [first]
    return [" ".join(words[:-1])]


def _chunks(question: str) -> Iterator[str]:
    """Stretches of words between those that join a sentence together, verbs behind a subject left out."""
    run: list[re.Match[str]] = []
    for word in [*_WORD.finditer(question), None]:
        said = word.group() if word else ""
        opens = _OPENS_NOUN.match(said)
        apart = word and run and question[run[-1].end() : word.start()].strip()
        closes = not word or _BOUNDARY.match(said) or (run and not apart and _IS_VERB.match(said))
        if run and (closes or opens or apart):
            if not (len(run) == 1 and _OPENS_NOUN.match(run[0].group())):
                yield question[run[0].start() : run[-1].end()]
            run = []
        if word and (opens or not closes):
            run.append(word)


def _kind(before: str) -> str | None:
    """Return what "the second one" is one of: the plural that the question before asks about, singular."""
    plurals = [
        word
        for word in re.findall(r"[A-Za-z][\w-]+", before)
        if singular(word) != word.lower() and not _BOUNDARY.match(word) and not _IS_VERB.match(word)
    ]
    if not plurals:
        return None
    head = plurals[0]
    rest = before[before.index(head) + len(head) :]
    of = re.match(r"\s+(?:of|in|for)\s+\S.*$", rest)
    return singular(head) + (of.group() if of else "")


def _put(found: re.Match[str], text: str, words: str) -> str:
    return _first_upper(text[: found.start()] + words + re.sub(r"^\s+ones?\b", "", text[found.end() :]))


def _without_article(words: str) -> str:
    return re.sub(rf"^{DETERMINER}\s+", "", words, flags=re.IGNORECASE)


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _first_lower(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
