"""A question of separable parts, split into questions that stand alone (R9).

Each part is searched and judged separately, so each must name what it asks about. A question whose later part
depends in an uncertain way on what came before stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bookbound.question.inquiry import names
from bookbound.question.work_requests import task_at_start
from bookbound.text.terms import content_stems

MOST_PARTS = 4


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# --- the wording of questions ---------------------------------------------------------------------

_AUX = r"(?:is|are|was|were|do|does|did|can|could|should|would|will|must|may|might|has|have|had)(?:n['’]t)?\b"
_WH = r"(?:what|which|who|whom|whose|where|when|why|how)\b"
# A noun may stand between "which" and its auxiliary, a subject may not: "how it works when you do that".
_NO_SUBJECT = r"(?!(?:it|they|he|she|i|you|we|the|an?|this|that|these|those|to|if|and|or)\b)"
_ASKED_NOUN = rf"(?:{_NO_SUBJECT}[\w'’/.+-]{{1,40}}\s+){{0,4}}?"
_DIRECT = (
    rf"(?:{_WH}['’](?:s|re)\s+\w|{_WH}\s+{_ASKED_NOUN}{_AUX}\s+\w|who\s+\w|what\s+happens\b|how\s+to\s+\w)"
)
_POLITELY = r"(?:(?:can|could|will|would)\s+you\s+)?(?:please\s+)?"
_EXPLAIN = r"(?:explain|describe|define|summari[sz]e|outline)"
_TELL_ME = r"(?:tell|show|give)\s+(?:me|us)"

_ASKS = _pattern(rf"{_DIRECT}|{_AUX}\s+\w|(?:what|which|whose)\s+\w")
_REQUESTS = _pattern(rf"{_POLITELY}(?:{_TELL_ME}|{_EXPLAIN}|list|name|compare)\s+\w")
_DIRECTLY = _pattern(_DIRECT)
# "and is the …" may go on with a predicate, "and list …" with an infinitive or a noun.
_GOES_ON_ASKING = _pattern(rf"{_DIRECT}|{_AUX}\s+(?:it|they|there|i|we|you)\b")
_GOES_ON_REQUESTING = _pattern(rf"(?:please\s+)?(?:{_TELL_ME}|{_EXPLAIN})\s+\w")
# After "and" these are certain to begin a request of their own …
_OF_ITS_OWN = _pattern(r"(?:please|(?:can|could|will|would)\s+you|\w+\s+(?:me|us))\b")
# … and other verbs are not after one of these: "How do I build a package and write a node that …?"
_GOVERNOR = _pattern(r"\b(?:to|i|we|one|you|can|could|should|must|may|might|will|would|do|does|did|let)\b")

_CONNECTIVE = r"(?:as\s+well\s+as|and|but|also|then|plus)"
_JOINT = _pattern(
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

# "On its own" means alone, and speaks of nothing said before.
_IN_EARNEST = r"(?!(?<=\bo[fn]\s)(?:its|their)\s+own\b)"
_PRONOUN = _pattern(
    rf"\b{_IN_EARNEST}"
    r"(?:(?P<one>its?|that one|this one)|(?P<many>they|them|their)|(?P<any>one(?=\W*$)))\b(?!['’])"
)
# Words that speak of something said before.
_LEANS = _pattern(
    rf"\b{_IN_EARNEST}"
    r"(?:each|both|either|neither|others?|another|same|latter|former|respectively|instead|rather|such|better"
    r"|best|worse|worst|else|so|too|then|ones?|this|that|these|those|its?|they|them|their|he|she|him|her|his)\b"
    rf"|\bexamples?\b(?!\s+of)|^which\s+{_AUX}|\bthere\W*$"
)
# Here "it" may stand for nothing.
_EMPTY_IT = _pattern(r"\bdoes it take\b|\b(?:is|was) it (?:\w+ ){1,2}(?:to|that|if|when)\b")
_BE = r"(?:\s+(?:is|are|was|were)|['’](?:s|re))"
_DEFINES = _pattern(
    rf"(?:(?:what|who){_BE}|{_POLITELY}(?:{_EXPLAIN}|tell\s+me\s+(?:what|about)))\s+(?!the\b)\w"
)
# "What is the default?" and "what are some advantages?" leave open of what.
_ATTRIBUTE = _pattern(
    rf"{_WH}(?:\s+\w+){{0,3}}?{_BE}\s+(?:the|(?:an?\s+)?(?:typical|usual|normal|common|good|suitable|safe))\b"
    r"(?!.*\bof\s+an?\b)"
    r"|.*\b(?:(?:dis)?advantage|benefit|drawback|limit|limitation|alternative|step|requirement|reason|cause|risk"
    r"|problem|error|use|application|type|kind|part|component|feature|difference|purpose)s?\W*$"
)
_INDEFINITE = _pattern(r"\ban?\s+\w")


def _standing(run: Sequence[_Piece], question: str) -> tuple[str, ...]:
    """A run's parts; its stretch in one part where a piece leans on another; none if on another run."""
    texts = [_text(piece, question) for piece in run]
    if run[0].task:
        return tuple(texts)
    if run[0].start > 0 and _alone(texts[0], None) is None:
        return ()
    for n in range(1, len(texts)):
        alone = _alone(texts[n], _antecedent(texts[n - 1]))
        if alone is None:
            return (question[run[0].start : run[-1].end].strip(),)
        texts[n] = alone
    return tuple(texts)


def _text(piece: _Piece, question: str) -> str:
    """The piece's own words, with the question mark that the cut took away."""
    text = question[piece.start : piece.end].strip(" \t\n,;")
    missing = not piece.task and text[-1:] not in (".", "?", "!") and _ASKS.match(text)
    return f"{text}?" if missing else text


def _alone(text: str, antecedent: _Antecedent | None) -> str | None:
    """Return the text as a question that needs no other, None where it depends on one unclearly."""
    if antecedent and _PRONOUN.search(text) and not _EMPTY_IT.search(text):
        text = antecedent.put_into(text)
    elif not _names_its_subject(text):
        return None
    return None if _LEANS.search(text) else text


def _names_its_subject(text: str) -> bool:
    if any(names(text)):
        return True
    if _ATTRIBUTE.match(text):
        return False
    return bool(_DEFINES.match(text) or (_INDEFINITE.search(text) and len(content_stems(text)) > 1))


# --- what a pronoun stands for --------------------------------------------------------------------

_DETERMINER = r"(?:the|an?|my|our|your)"
_NOUN = rf"(?P<noun>(?:{_DETERMINER}\s+)?(?!{_DETERMINER}\s)[^\s,;:?!()]+(?:\s+[^\s,;:?!()]+){{0,7}}?)"
_VERB = (
    r"(?:apply|begin|belong|break|build|call|carry|change|charge|come|communicate|compute|connect|consist|contain"
    r"|control|cost|create|deliver|depend|detect|do|draw|drive|end|estimate|expire|fail|fit|generate|get|give|go"
    r"|handle|happen|have|help|hold|include|keep|know|last|learn|listen|look|make|mean|measure|move|need|offer"
    r"|open|produce|provide|publish|read|receive|refer|replace|represent|require|return|run|see|send|serve|stand"
    r"|start|stay|stop|store|subscribe|support|take|track|turn|use|wait|walk|weigh|work|write)\b"
)
_PREDICATE = r"(?:\s+(?:\w{2,}ed|built|made|set|run|done|kept|held|sold|found|put|shown|written|due)\b.*)?"
_ADVERBIAL = r"(?:\s+(?:in|on|into|onto|to|from|with|without|for|by|at|as|using|inside)\b.*)?"
_ASKED_HOW = r"(?:what|where|when|why|how(?:\s+\w+){0,3}?)\s+"

# Patterns of a whole question, whether the noun is plural (None: unknown), and whether any words may be one;
# else an article or a capital must show where it begins.
_SUBJECTS = tuple(
    (_pattern(pattern), plural, anything)
    for pattern, plural, anything in (
        (rf"(?:what|who)(?:['’]s|\s+is|\s+was)(?:\s+exactly)?\s+{_NOUN}{_PREDICATE}", False, True),
        (rf"(?:what|who)(?:['’]re|\s+are|\s+were)(?:\s+exactly)?\s+{_NOUN}{_PREDICATE}", True, True),
        (rf"(?:what|when|where|how)\s+{_ASKED_NOUN}(?:is|was)\s+{_NOUN}{_PREDICATE}", False, False),
        (rf"(?:what|when|where|how)\s+{_ASKED_NOUN}(?:are|were)\s+{_NOUN}{_PREDICATE}", True, False),
        (rf"(?:{_ASKED_HOW})?(?:does|did)\s+{_NOUN}\s+{_VERB}.*", False, True),
        (rf"(?:{_ASKED_HOW})?do\s+(?!(?:i|we|you)\s){_NOUN}\s+{_VERB}.*", True, True),
        (rf"(?:can|could|will|would|should|must)\s+{_NOUN}\s+{_VERB}.*", None, False),
        (rf"how\s+(?:do|can|could|should)\s+(?:i|we|you)\s+\w+\s+(?:up\s+)?{_NOUN}{_ADVERBIAL}", None, False),
        (rf"who\s+(?!{_AUX})\w+\s+{_NOUN}{_ADVERBIAL}", False, False),
        (rf"{_POLITELY}(?:{_EXPLAIN}|tell\s+me\s+about)\s+(?:what\s+)?{_NOUN}(?:\s+(?:is|are))?", None, True),
    )
)
_SHOWS_NOUN = re.compile(rf"(?:{_DETERMINER}|The|An?|My|Our|Your)\s|[^\W_]*[A-Z\d]|/\w|`")
_SINGULAR = _pattern(r"an?\s")
_NOT_A_NOUN = _pattern(
    rf"\b(?:{_WH}|{_AUX}|i|you|we|it|they|he|she|there|if|while|because|that|this|these|those|than|to|or|not"
    r"|best|most|least|\w{2,}est|only|right|wrong|differences?)\b"
    r"|^(?:meant|used|called|needed|required|known|going|happening|involved|included|special|new|similar|available"
    r"|important|possible|necessary|different|inside|behind)\b"
)


@dataclass(frozen=True, slots=True)
class _Antecedent:
    """Subject of an earlier question, in its own words; `plural` is None when its form doesn't tell."""

    noun: str
    plural: bool | None

    def put_into(self, text: str) -> str:
        """The text with its pronouns replaced; a pronoun of another number, or another "one", stays."""
        return _PRONOUN.sub(self._instead, text)

    def _instead(self, pronoun: re.Match[str]) -> str:
        fits = {"one": self.plural is not True, "many": self.plural is not False, "any": self._is_one_of_many}
        if not fits[str(pronoun.lastgroup)]:
            return pronoun.group()
        if pronoun.group().lower() not in ("its", "their"):
            return self.noun
        return f"{self.noun}'" if self.plural and self.noun.endswith("s") else f"{self.noun}'s"

    @property
    def _is_one_of_many(self) -> bool:
        return _SINGULAR.match(self.noun) is not None


def _antecedent(question: str) -> _Antecedent | None:
    """The one noun phrase that a pronoun after this question must mean, None when that is uncertain."""
    asked = question.rstrip(" .?!")
    matches = ((pattern.fullmatch(asked), plural, anything) for pattern, plural, anything in _SUBJECTS)
    match, plural, anything = next((found for found in matches if found[0]), (None, None, False))
    if match is None or not _is_noun(match["noun"], anything=anything):
        return None
    noun = match["noun"]
    if re.search(r"\band\b", noun):
        return _Antecedent(noun, plural) if plural else None
    return _Antecedent(noun, False if _SINGULAR.match(noun) else plural)


def _is_noun(words: str, *, anything: bool) -> bool:
    return not _NOT_A_NOUN.search(words) and (anything or _SHOWS_NOUN.match(words) is not None)
