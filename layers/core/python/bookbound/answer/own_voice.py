"""Words by which a generator speaks from elsewhere than the passages: opinion, guess, advice and so on (G11).

Kinds of wordings, not a list of sentences (X16). Book text that is quoted stays: it is the book's voice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LOCKED = re.compile(
    r"\b(?:in general|typically|i believe(?: that)?|based on my understanding|you might also consider"
    r"|as a best practice|i think)\b",
    re.IGNORECASE,
)
"""Source 1's own table: they fall even where a passage holds the same words."""

_SELF = (
    r"(?:think|thought|believe|feel|guess|suspect|assume|presume|suppose|imagine|reckon|expect|recall|know"
)
_SELF += r"|argue|say|bet|hope|prefer|recommend|suggest|advise|propose|encourage|urge|doubt|understand|see"
_SELF += r"|found|find|seen|noticed|learned|observed|encountered|experienced|heard|read|come across)"
_MINE = (
    r"(?:opinion|view|point of view|viewpoint|perspective|mind|judge?ment|estimation|experience|understanding"
)
_MINE += (
    r"|knowledge|training|advice|recommendation|suggestion|tip|guess|impression|sense|take|feeling|hunch)"
)
_GOOD = (
    r"(?:best|good|wise|wisest|advisable|recommended|recommendable|prudent|sensible|helpful|worth(?:while)?)"
)

KINDS = {
    "opinion": re.compile(
        rf"\b(?:I(?:['’](?:d|m|ve|ll))?(?:\s+(?:would|will|can|must|have|had|do|also|personally|strongly|really"
        rf"|usually|often|just|only|not|to|be))*\s+{_SELF}\b"
        rf"|I(?:['’]m| am)(?:\s+\w+)? (?:sure|certain|confident|convinced|afraid|aware)"
        rf"|(?:my|our) (?:\w+ )?{_MINE}\b|if you ask me|to my mind|it seems to me|as I see it"
        rf"|as far as I\b|for my part|(?:(?<=^)|(?<=[,;:(] )|(?<=[.!?] ))personally\b(?=,))",
        re.IGNORECASE,
    ),
    "speculation": re.compile(
        r"\b(?:one (?:can|could|might|may) (?:guess|assume|speculate|imagine)"
        r"|it (?:is|['’]s) (?:safe|fair) to (?:say|assume)"
        r"|(?:it|this|that) (?:stands to reason|is (?:likely|probable|conceivable|reasonable to \w+))"
        r"|(?:my|the) (?:best|educated) guess|more likely than not|in all (?:likelihood|probability)"
        r"|chances are|who knows|for all (?:I|we) know)\b",
        re.IGNORECASE,
    ),
    "outside knowledge": re.compile(
        r"\b(?:(?:it (?:is|['’]s) )?(?:well|widely|commonly|generally|universally) known(?: that)?"
        r"|common knowledge"
        r"|as (?:everyone|everybody|most people|we all|you (?:may|might|probably)) knows?|common sense"
        r"|general(?:ly)? speaking|as a (?:general )?rule(?: of thumb)?|by and large|on the whole"
        r"|broadly speaking"
        r"|(?:based on|from|using|with|according to) (?:general|prior|common|outside|background|external"
        r"|other) "
        r"(?:knowledge|sources|information|experience)|(?:outside|beyond) (?:of )?(?:the|this|these) "
        r"(?:book|text|textbook|passages?|excerpts?|context)|in the real world|in most cases|in practice,"
        r"|(?:many|most) (?:experts|people|practitioners|engineers|researchers) "
        r"(?:say|agree|think|believe|recommend)"
        r"|(?:studies|research|experience|history) (?:has |have )?"
        r"(?:shows?|shown|suggests?|teaches|taught))\b",
        re.IGNORECASE,
    ),
    "advice": re.compile(
        r"\b(?:you (?:might|may|could|should|can|will)(?: \w+)? (?:also |even |well )?"
        r"(?:want|wish|like|need|consider)"
        r"(?: to| looking)?|(?:also )?consider(?:ing)? also|it (?:is|['’]s|might be|may be|would be)"
        r"(?: \w+)? "
        rf"{_GOOD}(?: idea| practice)?(?: to| that| \w+ing)|(?:as )?(?:a )?(?:best|good|common) practices?"
        r"|(?:a )?(?:good|useful|handy) (?:idea|tip|rule of thumb)|pro tip|don['’]t forget to"
        r"|make sure you|keep in mind that"
        r"|it (?:is|['’]s) (?:worth|important to) (?:noting|note|remember\w*|mention\w*|consider\w*)"
        r"|we (?:recommend|suggest|advise)|(?:is|are) (?:highly |strongly )?recommended)\b",
        re.IGNORECASE,
    ),
    "frequency": re.compile(
        r"\b(?:generally|usually|normally|commonly|ordinarily|customarily|probably|presumably|perhaps|maybe|possibly"
        r"|apparently|supposedly|arguably|conceivably|undoubtedly|surely|obviously|most likely)\b",
        re.IGNORECASE,
    ),
}
"""Kind → its wordings; they fall unless a cited passage holds the very words."""

_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]|`([^`]+)`")


def own_voice(sentence: str, passages: Sequence[str]) -> str | None:
    """Return the words by which a sentence speaks from elsewhere than its passages, None without any."""
    held = [_squeezed(passage) for passage in passages]
    told = _QUOTED.sub(lambda quote: _without_quotation(quote, held), sentence)
    if locked := LOCKED.search(told):
        return locked[0]
    found = (match[0] for kind in KINDS.values() for match in kind.finditer(told))
    return next((words for words in found if not any(_squeezed(words) in text for text in held)), None)


def _without_quotation(quote: re.Match[str], held: Sequence[str]) -> str:
    words = _squeezed(quote[1] or quote[2])
    return " " if any(words in text for text in held) else quote[0]


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())
