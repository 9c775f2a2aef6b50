"""Requests to do a piece of work, separated from questions for knowledge by form alone (G14, V4).

A request is an imperative, or "can you …", at the start of a sentence; "how do I write …" asks for knowledge.
No rule looks for hostile wording: without a clear request it is a knowledge question.
"""

from __future__ import annotations

import re

_REQUEST = re.compile(
    r"(?P<asking>"
    r"(?:(?:hi|hello|hey|ok|okay|so|now|then|next|also|and|but|please|kindly|just|finally)[,!]?\s+){0,4}"
    r"(?:(?:(?P<able>can|could)|will|would) you\s+|(?:i (?:want|need|would like)|i'd like) you to\s+)?"
    r"(?:(?:please|kindly|just|also|quickly)\s+)?"
    r"(?:help (?:me|us)(?: to)?\s+(?!with\b))?"
    r")(?P<work>\w.*)",
    re.IGNORECASE,
)
_READ = 300
"""Characters of a sentence that are looked at; a request says what it wants at its beginning."""

# Words between an article and its noun. A preposition would begin another phrase: "a definition of a node".
_ADJECTIVES = r"(?:(?!(?:of|about|on|in|for|to|with|from|and|or|that|which)\b)[\w+#./,-]{1,30}\s+){0,6}?"
_SOME = rf"(?:an?|some|the|my|our|this|another|one)\s+{_ADJECTIVES}"
_ANY = rf"(?:{_SOME}|{_ADJECTIVES})"
_MINE = rf"(?:my|our|this|that|these|the following)\s+{_ADJECTIVES}"
_CODE = (
    r"(?:(?:source )?code|scripts?|programs?|functions?|class(?:es)?|nodes?|publishers?|subscribers?"
    r"|(?:action|service) (?:servers?|clients?)|(?:launch|world|config|configuration|yaml) ?files?|urdfs?|sdf"
    r"|xacros?|packages?|plugins?|modules?|apps?|applications?|controllers?|dockerfiles?|unit tests?)\b"
)
_PRODUCE = r"(?:write|code|program|generate|implement|develop|draft|create|make|build|produce)(?: up)?"
_COMPOSE = r"(?:write|draft|compose|generate|create|make|prepare|produce|finish|do)(?: up)?"
_LANGUAGE = (
    r"(?:arabic|bengali|chinese|czech|danish|dutch|english|farsi|finnish|french|german|greek|hebrew|hindi"
    r"|hungarian|indonesian|italian|japanese|korean|malay|mandarin|norwegian|persian|polish|portuguese|punjabi"
    r"|romanian|russian|spanish|swahili|swedish|tamil|telugu|thai|turkish|ukrainian|urdu|vietnamese)\b"
)

# "Create a package" is what a reader types to find out how, so the code must be for somebody or specified.
_CODE_KINDS = (
    (
        "writing code",
        rf"{_PRODUCE} (?:me|us)\s+{_ANY}{_CODE}"
        rf"|{_PRODUCE}\s+{_ANY}{_CODE}[^.?!]{{0,150}}?\bfor (?:me|us)\b"
        rf"|{_PRODUCE}\s+{_SOME}{_CODE}\s+(?:that|which)\b"
        rf"|(?:write|generate|implement|program)\s+{_SOME}{_CODE}"
        r"\s+(?:in [\w+]{1,10}\s+)?(?:to|for|with|using)\b",
    ),
    (
        "changing code",
        r"(?:fix|debug|refactor|optimi[sz]e|rewrite|modify|correct|clean up|port|convert|improve|extend|edit"
        rf"|patch|review|complete|finish|troubleshoot)\s+{_MINE}{_CODE}",
    ),
)
_OTHER_KINDS = (
    (
        "translation",
        r"translate\s+(?:this|that|the|my)\s+(?:\w+\s+){0,2}?(?:chapter|page|section|lesson|text|paragraph"
        r"|sentence|passage|answer|book)\b"
        rf"|translate\b[^.?!]{{0,200}}?\b(?:in)?to (?:\w+ )?{_LANGUAGE}",
    ),
    (
        "homework",
        rf"(?:do|solve|finish|complete|answer|take|pass)\s+(?:my|our|this|today's)\s+{_ADJECTIVES}"
        r"(?:homework|assignments?|quiz(?:zes)?|exams?|tests?|worksheets?|coursework|problem sets?)\b"
        r"|help (?:me|us) with (?:my|our)\s+(?:\w+\s+){0,3}(?:homework|assignments?|coursework)\b"
        r"|solve\s+(?:the\s+)?(?:homework|assignment|quiz|exam|worksheet|problem set|exercise)\b",
    ),
    ("an essay", rf"{_COMPOSE}\s+(?:me\s+|us\s+)?{_SOME}(?:essay|thesis|dissertation|term paper)s?\b"),
    (
        "writing a text",
        rf"{_COMPOSE}\s+(?:me\s+|us\s+)?{_SOME}(?:e-?mail|letter|article|blog post|report|speech|tweet"
        r"|press release|r[eé]sum[eé]|cv|presentation|slides|slide deck)s?\b",
    ),
    (
        "creative writing",
        rf"(?:{_COMPOSE}|tell|sing)\s+(?:me\s+|us\s+)?{_SOME}(?:poem|story|song|haiku|limerick|joke|rap|novel"
        r"|screenplay|sonnet|lyrics)s?\b",
    ),
    (
        "role play",
        r"(?:pretend (?:to be|you are|you're)|(?:act|behave) (?:as|like)\b|role-?play\b"
        r"|play the (?:role|part) of)",
    ),
)
_CODE_TASKS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _CODE_KINDS)
_OTHER_TASKS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _OTHER_KINDS)

# "Can you write a node in C++?" may ask whether one can; these words make it a request.
_FOR_THE_READER = re.compile(
    r"\w+(?: up)?\s+(?:me|us|my|our|this|these|the following)\b|[^.?!]*\bfor (?:me|us)\b", re.IGNORECASE
)
_SENTENCE_START = re.compile(r"^|[.?!;]\s+|\n\s*")


def task_of(part: str) -> str | None:
    """Return the kind of work that a part of a question requests, None for a knowledge question (G14).

    Returns:
        A few words for use in a sentence, such as "writing code" or "translation"; those of the first
        sentence that is a request, since what stands before it may be its context.
    """
    starts = (match.end() for match in _SENTENCE_START.finditer(part))
    return next((kind for start in starts if (kind := task_at_start(part[start:]))), None)


def task_at_start(text: str) -> str | None:
    """The kind of task that a text begins with, None when its first words are no request (G14)."""
    request = _REQUEST.match(" ".join(text[:_READ].replace("’", "'").split()))
    if request is None:
        return None
    asking, able, work = request.group("asking", "able", "work")
    certain = not able or "please" in asking.lower() or _FOR_THE_READER.match(work)
    kinds = _CODE_TASKS + _OTHER_TASKS if certain else _OTHER_TASKS
    return next((kind for kind, pattern in kinds if pattern.match(work)), None)
