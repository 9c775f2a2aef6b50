"""What a pronoun of a later question stands for: one noun phrase of the question before it, or nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bookbound.question.question_forms import ASKED_NOUN, AUX, EXPLAIN, POLITELY, WH, pattern

# "On its own" means alone, and speaks of nothing said before.
IN_EARNEST = r"(?!(?<=\bo[fn]\s)(?:its|their)\s+own\b)"
PRONOUN = pattern(
    rf"\b{IN_EARNEST}"
    r"(?:(?P<one>its?|that one|this one)|(?P<many>they|them|their)|(?P<any>one(?=\W*$)))\b(?!['’])"
)

DETERMINER = r"(?:the|an?|my|our|your)"
_NOUN = rf"(?P<noun>(?:{DETERMINER}\s+)?(?!{DETERMINER}\s)[^\s,;:?!()]+(?:\s+[^\s,;:?!()]+){{0,7}}?)"
VERB = (
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
    (pattern(subject), plural, anything)
    for subject, plural, anything in (
        (rf"(?:what|who)(?:['’]s|\s+is|\s+was)(?:\s+exactly)?\s+{_NOUN}{_PREDICATE}", False, True),
        (rf"(?:what|who)(?:['’]re|\s+are|\s+were)(?:\s+exactly)?\s+{_NOUN}{_PREDICATE}", True, True),
        (rf"(?:what|when|where|how)\s+{ASKED_NOUN}(?:is|was)\s+{_NOUN}{_PREDICATE}", False, False),
        (rf"(?:what|when|where|how)\s+{ASKED_NOUN}(?:are|were)\s+{_NOUN}{_PREDICATE}", True, False),
        (rf"(?:{_ASKED_HOW})?(?:does|did)\s+{_NOUN}\s+{VERB}.*", False, True),
        (rf"(?:{_ASKED_HOW})?do\s+(?!(?:i|we|you)\s){_NOUN}\s+{VERB}.*", True, True),
        (rf"(?:can|could|will|would|should|must)\s+{_NOUN}\s+{VERB}.*", None, False),
        (rf"how\s+(?:do|can|could|should)\s+(?:i|we|you)\s+\w+\s+(?:up\s+)?{_NOUN}{_ADVERBIAL}", None, False),
        (rf"who\s+(?!{AUX})\w+\s+{_NOUN}{_ADVERBIAL}", False, False),
        (rf"{POLITELY}(?:{EXPLAIN}|tell\s+me\s+about)\s+(?:what\s+)?{_NOUN}(?:\s+(?:is|are))?", None, True),
    )
)
_SHOWS_NOUN = re.compile(rf"(?:{DETERMINER}|The|An?|My|Our|Your)\s|[^\W_]*[A-Z\d]|/\w|`")
_SINGULAR = pattern(r"an?\s")
_NOT_A_NOUN = pattern(
    rf"\b(?:{WH}|{AUX}|i|you|we|it|they|he|she|there|if|while|because|that|this|these|those|than|to|or|not"
    r"|best|most|least|\w{2,}est|only|right|wrong|differences?)\b"
    r"|^(?:meant|used|called|needed|required|known|going|happening|involved|included|special|new|similar|available"
    r"|important|possible|necessary|different|inside|behind)\b"
)


@dataclass(frozen=True, slots=True)
class Antecedent:
    """Subject of an earlier question, in its own words; `plural` is None when its form doesn't tell."""

    noun: str
    plural: bool | None

    def put_into(self, text: str) -> str:
        """The text with its pronouns replaced; a pronoun of another number, or another "one", stays."""
        return PRONOUN.sub(self._instead, text)

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


def antecedent(question: str) -> Antecedent | None:
    """The one noun phrase that a pronoun after this question must mean, None when that is uncertain."""
    asked = question.rstrip(" .?!")
    matches = ((subject.fullmatch(asked), plural, anything) for subject, plural, anything in _SUBJECTS)
    match, plural, anything = next((found for found in matches if found[0]), (None, None, False))
    if match is None or not _is_noun(match["noun"], anything=anything):
        return None
    noun = match["noun"]
    if re.search(r"\band\b", noun):
        return Antecedent(noun, plural) if plural else None
    return Antecedent(noun, False if _SINGULAR.match(noun) else plural)


def _is_noun(words: str, *, anything: bool) -> bool:
    return not _NOT_A_NOUN.search(words) and (anything or _SHOWS_NOUN.match(words) is not None)
