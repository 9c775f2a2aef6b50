"""Follow-ups: the readings of an elliptic question after the one before it (X18).

A follow-up leaves out what the question before it said: "and its weight?", "why?", "what about the second
one?". Its readings are written in code, from the words of both; which one is meant is for the reader model
to judge. A question that leans on nothing has no other reading than itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bookbound.question.antecedents import DETERMINER, IN_EARNEST, VERB, antecedent
from bookbound.question.question_forms import AUX, EXPLAIN, POLITELY, WH, pattern
from bookbound.question.validation import QUESTION_LIMIT
from bookbound.text.glossary import singular
from bookbound.text.sentences import sentence_spans
from bookbound.text.terms import content_stems

MOST_READINGS = 6
"""Completed readings of a question; each of them is searched and read."""

LONGEST_PREVIOUS = 300
"""Characters of a question that may complete another one; a longer text is no question."""

MOST_TOPICS = 4
"""Things of the question before that a follow-up may be about."""

_LEAD = pattern(
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|also|then|now|well|thanks|sorry|hm+)[,!.]?\s+)*"
    r"(?:(?P<about>(?:what|how)\s+about|what\s+of|same\s+for|the\s+same\s+for)\s+)?"
)
_JOINED = pattern(r"^\W*(?:and|but|also|so|then|or)\b")
_WHY = r"(?:why(?:\s+(?:not|so|is\s+that|is\s+this))?|how\s+come|how\s+so)"
_BARE_WH = pattern(
    rf"^(?P<wh>{_WHY}|how(?:\s+(?:often|long|much|many|far|fast|big|high|heavy|exactly))?|when|where|who|by\s+whom"
    r"|since\s+when|for\s+how\s+long|until\s+when|from\s+where|with\s+what|which(?:\s+ones?)?)$"
)
_FRONTED = pattern(
    r"^(?:in|on|at|for|from|to|with|without|under|during|after|before|between|inside|outside|by|when|if|while)\b"
)
_ITS = pattern(rf"\b{IN_EARNEST}(?:its|their|his|her)\b(?!\s+own\b)")
_IT = pattern(rf"\b{IN_EARNEST}(?:it|they|them|he|she|him|(?<=does )one)\b")
# "That" and "those" before a verb or at the end stand for something; before a noun they point at it.
_THAT = pattern(
    rf"\b(?:that|this|these|those)(?=\s*$|\s+(?:{AUX}|{VERB}|\w+ed\b|ones?\b)|[,.;])|(?<=^is )(?:that|this)\b"
)
_EMPTY = pattern(
    r"\bit\s+(?:takes?|seems?|is\s+(?:\w+\s+)?(?:to|that))\b|\b(?:is|was)\s+it\s+(?:\w+\s+){1,2}(?:to|that|if|when)\b|\bdoes\s+it\s+take\b"
)
_ONE = pattern(
    r"\b(?:the\s+)?(?P<which>first|second|third|fourth|fifth|last|next|other|others|latter|former|new|old|big|small)"
    r"(?:\s+ones?)?(?=\s*$|\s+(?:one|ones|is|are|was|do|does|mean|for|work|in)\b)"
)
_EXAMPLE = pattern(
    rf"^{POLITELY}(?:(?:give|show|tell)(?:\s+me)?\s+)?(?:an?\s+|another\s+|some\s+)?examples?(?:\s+please)?$|^(?:for|such\s+as)\s+(?:example|instance|what)$|^like\s+what$"
)
_MORE = pattern(
    rf"^{POLITELY}(?:tell\s+me\s+more|(?:(?:explain|describe)\s+)?(?:more|further)(?:\s+details?)?|more\s+details?|elaborate"
    r"|go\s+on|what\s+else|anything\s+else|say\s+more|(?:can\s+you\s+)?explain(?:\s+(?:it|that|this))?(?:\s+(?:more|further|again|please))*)(?:\s+(?:on|about)\s+(?:it|that|this))?$"
)
_OPEN_ATTRIBUTE = pattern(rf"^(?:{WH}\s+(?:is|are|was|were)|{WH}['’]s)\s+the\s+\w+(?:\s+\w+)?$")
_COMPARES = pattern(
    r"^(?:which|who|what)(?:\s+(?:one|of\s+(?:them|the\s+two|these|those)))?\s+(?:is|are|has|have|costs?|weighs?|lasts?|needs?|takes?|comes?|should|do|does|would)\b|\b(?:the\s+difference|between\s+(?:them|the\s+two)|both|either|neither|each)\b"
)
_NO_VERB = pattern(rf"\b(?:{AUX}|{WH}|{VERB}|i|we|you)\b|^{POLITELY}{EXPLAIN}\b")

_MARKUP = re.compile(r"[<>{}\[\]\\|`]|://|\w:\w")
_ASKS = pattern(rf"{WH}|{AUX}")
_COMPARATIVE = pattern(
    r"\b(?:\w{2,}er|more|less|better|worse)\b(?=\s*$)|\b(?:bigger|smaller|longer|shorter|heavier|faster)\b"
)
_INDEFINITE = pattern(r"an?\s")
_THAN = pattern(r"\bthan\b|\bor\b")
_SHORT = 8
"""Words of a question that may go on about the same thing without saying so."""

_WORD = re.compile(r"[^\s,;:?!()\"“”]+")
_BOUNDARY = pattern(
    rf"(?:{WH}|{AUX}|(?:i|you|we|it|they|he|she|there|if|while|because|that|this|these|those|than|to|or|and|not|of|in|on"
    r"|into|onto|from|with|without|for|by|at|as|using|inside|about|before|after|during|between|over|under|per|when"
    r"|exactly|often|long|much|many|far|fast|big|high|heavy|please|me|us|need|needed|used|called|made|mean|does|my"
    r"|explain|describe|define|list|name|give|tell|show|get|set|happen|happens|one|ones|its|their|only|also|first|most|best))$"
)
_ATTRIBUTE_OF = pattern(rf"{DETERMINER}\s+\S+(?:\s+\S+)?\s+of\s+(?P<owner>\S.*)$")
_DOES = pattern(r"\b(?:do|does|did|can|could|will|would|should|must)\s+")
_OPENS_NOUN = pattern(rf"^{DETERMINER}$")


@dataclass(frozen=True, slots=True)
class Readings:
    """What a question may mean after another one.

    Attributes:
        complete: complete questions of at most QUESTION_LIMIT characters, most likely first; empty where the
            question stands alone.
        leans: whether its words alone leave out something for certain.
    """

    complete: tuple[str, ...] = ()
    leans: bool = False


def readings(question: str, previous: str) -> Readings:
    """Return what a question may mean after another one, made of the words of both."""
    asked = _LEAD.sub("", question, count=1).strip(" \t\n.?!…")
    before = _last_asked(previous).strip(" \t\n.?!…")
    if not asked or not before or len(before) > LONGEST_PREVIOUS or _MARKUP.search(before):
        return Readings()
    certain = tuple(_readings(question, asked, before))
    found = dict.fromkeys(certain or _about_the_same(asked, before))
    fitting = [one for one in found if len(one) <= QUESTION_LIMIT]
    return Readings(tuple(fitting[:MOST_READINGS]), bool(certain))


def _about_the_same(asked: str, before: str) -> Iterator[str]:
    """A short question that names nothing, or compares with nothing, may go on about the same thing."""
    short = len(asked.split()) <= _SHORT and _ASKS.match(asked)
    compares = _COMPARATIVE.search(asked) and not _THAN.search(asked)
    definite = [one for one in _named(asked) if not _INDEFINITE.match(one)]
    if short and (compares or not definite):
        yield from (f"{_first_upper(asked)} ({thing})?" for thing in topics(before))


def _last_asked(text: str) -> str:
    """Return the last sentence that is a question, else the last sentence."""
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    asking = [sentence for sentence in sentences if sentence.rstrip().endswith("?")]
    return (asking or sentences or [""])[-1]


def _readings(question: str, asked: str, before: str) -> Iterator[str]:
    things = topics(before)
    lead = _LEAD.match(question)
    about = bool(lead and lead["about"])
    if bare := _BARE_WH.match(asked):
        yield from _asked_anew(bare["wh"], before)
    elif _EXAMPLE.search(asked):
        yield from (f"What is an example of {thing}?" for thing in things)
        yield f"{_first_upper(before)}, for example?"
    elif _MORE.search(asked):
        yield from (f"What is {thing}?" for thing in things)
        yield f"{_first_upper(before)}?"
    elif (which := _ONE.search(asked)) and (kind := _kind(before)):
        thing = f"the {which['which'].lower()} {kind}"
        yield (
            f"What is {thing}?"
            if about or which.span() == (0, len(asked))
            else f"{_put(which, asked, thing)}?"
        )
    elif _leans(asked):
        yield from _completed(asked, things, about=about)
        if _THAT.search(asked) or not things:
            yield f"{_first_upper(asked)} ({before})?"
    elif about or _is_fragment(asked) or (_JOINED.match(question) and len(asked.split()) <= 4):
        yield from _put_in_place(asked, before, things)
    elif _OPEN_ATTRIBUTE.match(asked):
        yield from (f"{_first_upper(asked)} of {thing}?" for thing in things)
    elif _COMPARES.search(asked) and not _named(asked):
        yield f"{_first_upper(asked)} ({before})?"
        yield from (f"{_first_upper(asked)} of {thing}?" for thing in things)


def _leans(asked: str) -> bool:
    """Return whether a pronoun of the question stands for something said before it."""
    if _ITS.search(asked) or _THAT.search(asked):
        return True
    pronoun = _IT.search(asked)
    return pronoun is not None and not _EMPTY.search(asked) and not _named(asked[: pronoun.start()])


def _is_fragment(asked: str) -> bool:
    """Return whether the words are no sentence: "in winter", "the camera"."""
    return len(asked.split()) <= 6 and (not _NO_VERB.search(asked) or bool(_FRONTED.match(asked)))


def _completed(asked: str, things: tuple[str, ...], *, about: bool) -> Iterator[str]:
    """The question with what its pronouns stand for."""
    attribute = about or not _NO_VERB.search(asked)
    if _THAT.search(asked):
        # "That" is the attribute itself: "How is that measured?"
        things = tuple(sorted(things, key=lambda thing: not _ATTRIBUTE_OF.match(thing)))
    for thing in things:
        text = _in_place_of(_ITS, f"{thing}'" if thing.endswith("s") else f"{thing}'s", asked)
        if text == asked:
            text = _in_place_of(_THAT, thing, _in_place_of(_IT, thing, asked), count=1)
        yield f"What is {text}?" if attribute else f"{_first_upper(text)}?"


def _in_place_of(pronoun: re.Pattern[str], thing: str, text: str, count: int = 0) -> str:
    """Put a thing in the place of a pronoun, as it stands: a backslash in it means nothing."""
    return pronoun.sub(lambda _: thing, text, count=count)


def _asked_anew(wh: str, before: str) -> Iterator[str]:
    """ "Why?" after "Does the motor stop?": the same with the word that is asked now."""
    wh = re.sub(r"^(?:how\s+(?:come|so)|why\s+(?:is\s+(?:that|this)|so))$", "why", wh.lower())
    rest = re.sub(
        rf"^{POLITELY}(?:{WH}(?:\s+(?:often|long|much|many|far|fast|big|high|heavy))?|{EXPLAIN})\s+",
        "",
        before,
        flags=re.IGNORECASE,
    )
    if re.match(rf"{AUX}", rest, re.IGNORECASE):
        yield f"{_first_upper(wh)} {_first_lower(rest)}?"
    else:
        yield f"{_first_upper(before)} – {wh}?"


def _put_in_place(asked: str, before: str, things: tuple[str, ...]) -> Iterator[str]:
    """The question before with other words in the place of some of its own, or an attribute of its things."""
    if _FRONTED.match(asked):
        preposition = asked.split(maxsplit=1)[0]
        same = re.search(rf"\b{re.escape(preposition)}\b.*$", before, re.IGNORECASE)
        if same and same.start():
            yield f"{_first_upper(before[: same.start()] + asked)}?"
        yield f"{_first_upper(before)} {asked}?"
        named = asked[len(preposition) :].strip()
        yield from (f"{_first_upper(before.replace(thing, named, 1))}?" for thing in things if named)
        return
    for thing in things:
        start = before.find(thing)
        if start >= 0:
            yield f"{_first_upper(before[:start] + asked + before[start + len(thing) :])}?"
    yield from (f"What is the {_without_article(asked)} of {thing}?" for thing in things)


def _named(text: str) -> list[str]:
    """Return the stretches of a text that name something for certain: by an article, or by capitals."""
    return [
        chunk
        for chunk in _chunks(text)
        if _OPENS_NOUN.match(chunk.split()[0]) or any(map(str.isupper, chunk))
    ]


def topics(question: str) -> tuple[str, ...]:
    """Return the things that a question speaks of, in its own words, the one it is certainly about first."""
    certain = antecedent(question)
    subject = _subject(question)
    whole = [certain.noun] if certain and not subject else subject
    ordered = [*(_owner(one) for one in whole), *whole, *_named(question), *_chunks(question)]
    return tuple(dict.fromkeys(one for one in ordered if content_stems(one)))[:MOST_TOPICS]


def _owner(thing: str) -> str:
    """Return what an attribute belongs to: "its" after "the diameter of Venus" is mostly that of Venus."""
    attribute = _ATTRIBUTE_OF.match(thing)
    return attribute["owner"] if attribute else thing


def _subject(question: str) -> list[str]:
    """Return the words between "does" and a verb, with and without what may be a verb that is not known."""
    found = _DOES.search(question)
    first = next(_chunks(question[found.end() :]), "") if found else ""
    words = first.split()
    least = 2 if words and _OPENS_NOUN.match(words[0]) else 1
    if not found or not question[found.end() :].lstrip().startswith(first) or len(words) <= least:
        return []
    return [" ".join(words[:-1]), first] if words[-1].islower() else []


def _chunks(question: str) -> Iterator[str]:
    """Stretches of words between those that join a sentence together, verbs behind a subject left out."""
    run: list[re.Match[str]] = []
    for word in [*_WORD.finditer(question), None]:
        opens = word is not None and _OPENS_NOUN.match(word.group())
        ends = (
            word is None
            or opens
            or _BOUNDARY.match(word.group())
            or (run and re.fullmatch(VERB, word.group(), re.IGNORECASE))
        )
        if ends and run:
            if not (len(run) == 1 and _OPENS_NOUN.match(run[0].group())):
                yield question[run[0].start() : run[-1].end()]
            run = []
        if word is not None and (opens or not ends):
            run.append(word)


def _kind(before: str) -> str | None:
    """Return what "the second one" is one of: the plural that the question before asks about, singular."""
    plurals = [
        word
        for word in re.findall(r"[A-Za-z][\w-]+", before)
        if singular(word) != word.lower()
        and not _BOUNDARY.match(word)
        and not re.fullmatch(VERB, word, re.IGNORECASE)
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
