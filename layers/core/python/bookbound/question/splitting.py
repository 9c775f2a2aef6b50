"""A question of separable parts, split into questions that stand alone (R9).

Each part is searched and judged separately, so each must name what it asks about. A question whose later part
depends in an uncertain way on what came before stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bookbound.question.antecedents import IN_EARNEST, PRONOUN, Antecedent, antecedent
from bookbound.question.inquiry import names
from bookbound.question.question_forms import ASKED_NOUN, AUX, EMPTY_IT, EXPLAIN, POLITELY, WH, pattern
from bookbound.question.work_requests import task_at_start
from bookbound.text.terms import content_stems

MOST_PARTS = 4


# --- the wording of questions ---------------------------------------------------------------------

_DIRECT = rf"(?:{WH}['’](?:s|re)\s+\w|{WH}\s+{ASKED_NOUN}{AUX}\s+\w|who\s+\w|what\s+happens\b|how\s+to\s+\w)"
_TELL_ME = r"(?:tell|show|give)\s+(?:me|us)"

_ASKS = pattern(rf"{_DIRECT}|{AUX}\s+\w|(?:what|which|whose)\s+\w")
_REQUESTS = pattern(rf"{POLITELY}(?:{_TELL_ME}|{EXPLAIN}|list|name|compare)\s+\w")
_DIRECTLY = pattern(_DIRECT)
# "and is the …" may go on with a predicate, "and list …" with an infinitive or a noun.
_GOES_ON_ASKING = pattern(rf"{_DIRECT}|{AUX}\s+(?:it|they|there|i|we|you)\b")
_GOES_ON_REQUESTING = pattern(rf"(?:please\s+)?(?:{_TELL_ME}|{EXPLAIN})\s+\w")
# After "and" these are certain to begin a request of their own …
_OF_ITS_OWN = pattern(r"(?:please|(?:can|could|will|would)\s+you|\w+\s+(?:me|us))\b")
# … and other verbs are not after one of these: "How do I build a package and write a node that …?"
_GOVERNOR = pattern(r"\b(?:to|i|we|one|you|can|could|should|must|may|might|will|would|do|does|did|let)\b")

_CONNECTIVE = r"(?:as\s+well\s+as|and|but|also|then|plus)"
_JOINT = pattern(
    rf"(?P<sentence>(?:[.?!;][\"')]*\s|\n)\s*(?:{_CONNECTIVE},?\s+){{0,2}})"
    rf"|(?<!\s)(?:(?P<joined>,?\s+(?:{_CONNECTIVE}\s+){{1,2}})|,?\s+or\s+|,\s+)"
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the question: `start`–`end` in it, and whether it asks for work to be done (G14)."""

    start: int
    end: int
    task: bool


def parts(question: str) -> tuple[str, ...]:
    """Return a question's parts in order, each able to stand alone; itself when it is one (R9).

    Returns:
        1 to 4 parts. A later part's pronoun is replaced by what it certainly stands for; what exceeds four
        parts stays together in the last one. A request to do work is a separate part (G14).
    """
    found: list[str] = []
    for _, run in groupby(_pieces(question), key=lambda piece: piece.task):
        standing = _standing(list(run), question)
        if not standing:
            return (question,)
        found.extend(standing)
    if len(found) == 1:
        return (question,)
    rest = " ".join(found[MOST_PARTS - 1 :])
    return (*found[: MOST_PARTS - 1], *([rest] if rest else []))


# --- cutting --------------------------------------------------------------------------------------


def _pieces(question: str) -> list[_Piece]:
    # A sentence that asks nothing is context, and nobody can tell for which of the questions.
    contextless = all(_opens(sentence) for sentence in _sentences(question))
    pieces: list[_Piece] = []
    start, task = 0, task_at_start(question) is not None
    for joint in _JOINT.finditer(question):
        before, rest = question[start : joint.start()], question[joint.end() :]
        to_task = task_at_start(rest) is not None
        known = contextless or (to_task and any(_asks(sentence) for sentence in _sentences(before)))
        if known and not (task and to_task) and _separates(joint, before, rest, to_task=to_task):
            pieces.append(_Piece(start, joint.start() + (joint.group()[0] in ".?!"), task))
            start, task = joint.end(), to_task
    return [*pieces, _Piece(start, len(question), task)]


def _sentences(text: str) -> list[str]:
    """Each from its first word on, with all that follows it."""
    joints = _JOINT.finditer(text)
    return [text, *(text[joint.end() :] for joint in joints if joint["sentence"])]


def _asks(sentence: str) -> bool:
    return bool(_ASKS.match(sentence) or _REQUESTS.match(sentence))


def _opens(sentence: str) -> bool:
    return _asks(sentence) or task_at_start(sentence) is not None


def _separates(joint: re.Match[str], before: str, rest: str, *, to_task: bool) -> bool:
    """Return whether another part begins after this joint; `before` is the part so far."""
    if not re.search(r"\w", before):
        return False
    if joint["sentence"]:
        return True
    if joint["joined"] and (to_task or _GOES_ON_REQUESTING.match(rest)):
        return bool(_OF_ITS_OWN.match(rest)) or not _governs(before)
    goes_on = _GOES_ON_ASKING if joint["joined"] else _DIRECTLY
    return bool(goes_on.match(rest)) and not _asked_within(before, rest)


def _governs(before: str) -> bool:
    """Return whether a bare verb after "and" may belong to what stands before."""
    polite = _REQUESTS.match(before)
    return _GOVERNOR.search(before, polite.end() if polite else 0) is not None


def _asked_within(before: str, rest: str) -> bool:
    """Return whether both may be clauses of one request: "Explain what a node is and what a topic is"."""
    word = rest.split(maxsplit=1)[0]
    return re.search(rf"\w\W+{re.escape(word)}\b", before, re.IGNORECASE) is not None


# --- standing alone -------------------------------------------------------------------------------

# Words that speak of something said before.
_LEANS = pattern(
    rf"\b{IN_EARNEST}"
    r"(?:each|both|either|neither|others?|another|same|latter|former|respectively|instead|rather|such|better"
    r"|best|worse|worst|else|so|too|then|ones?|this|that|these|those|its?|they|them|their|he|she|him|her|his)\b"
    rf"|\bexamples?\b(?!\s+of)|^which\s+{AUX}|\bthere\W*$"
)
_EMPTY_IT = pattern(EMPTY_IT)
_BE = r"(?:\s+(?:is|are|was|were)|['’](?:s|re))"
_DEFINES = pattern(rf"(?:(?:what|who){_BE}|{POLITELY}(?:{EXPLAIN}|tell\s+me\s+(?:what|about)))\s+(?!the\b)\w")
# "What is the default?" and "what are some advantages?" leave open of what.
_ATTRIBUTE = pattern(
    rf"{WH}(?:\s+\w+){{0,3}}?{_BE}\s+(?:the|(?:an?\s+)?(?:typical|usual|normal|common|good|suitable|safe))\b"
    r"(?!.*\bof\s+an?\b)"
    r"|.*\b(?:(?:dis)?advantage|benefit|drawback|limit|limitation|alternative|step|requirement|reason|cause|risk"
    r"|problem|error|use|application|type|kind|part|component|feature|difference|purpose)s?\W*$"
)
_INDEFINITE = pattern(r"\ban?\s+\w")


def _standing(run: Sequence[_Piece], question: str) -> tuple[str, ...]:
    """A run's parts; its stretch in one part where a piece leans on another; none if on another run."""
    texts = [_text(piece, question) for piece in run]
    if run[0].task:
        return tuple(texts)
    if run[0].start > 0 and _alone(texts[0], None) is None:
        return ()
    for n in range(1, len(texts)):
        alone = _alone(texts[n], antecedent(texts[n - 1]))
        if alone is None:
            return (question[run[0].start : run[-1].end].strip(),)
        texts[n] = alone
    return tuple(texts)


def _text(piece: _Piece, question: str) -> str:
    """The piece's own words, with the question mark that the cut took away."""
    text = question[piece.start : piece.end].strip(" \t\n,;")
    missing = not piece.task and text[-1:] not in (".", "?", "!") and _ASKS.match(text)
    return f"{text}?" if missing else text


def _alone(text: str, stands_for: Antecedent | None) -> str | None:
    """Return the text as a question that needs no other, None where it depends on one unclearly."""
    if stands_for and PRONOUN.search(text) and not _EMPTY_IT.search(text):
        text = stands_for.put_into(text)
    elif not _names_its_subject(text):
        return None
    return None if _LEANS.search(_EMPTY_IT.sub("", text)) else text


def _names_its_subject(text: str) -> bool:
    if any(names(text)):
        return True
    if _ATTRIBUTE.match(text):
        return False
    return bool(_DEFINES.match(text) or (_INDEFINITE.search(text) and len(content_stems(text)) > 1))
