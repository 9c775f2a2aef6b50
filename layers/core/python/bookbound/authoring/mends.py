"""Mends that an author can put into bookbound.yaml, and the policy that each makes of another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bookbound.policy.book_policy import Policy
from bookbound.policy.policy_edit import Addition
from bookbound.text.glossary import phrase_key


@dataclass(frozen=True, slots=True)
class Alias:
    """Readers say `name` for what the book calls `term`."""

    term: str
    name: str


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """Readers write `short` for what the book spells out as `long`."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Canary:
    """A question whose outcome is known: it moves the threshold at which evidence suffices."""

    wish: Literal["answer", "refuse"]
    question: str


@dataclass(frozen=True, slots=True)
class AnsweredIn:
    """The section at `place` (document, `#`, the heading's anchor) answers these questions, each once."""

    place: str
    questions: tuple[str, ...]


Mend = Alias | Abbreviation | Canary | AnsweredIn


def mended(policy: Policy, mend: Mend) -> Policy:
    """The policy with a mend; the same where it has it already."""
    match mend:
        case Alias():
            return _with_alias(policy, mend)
        case Abbreviation():
            return replace(policy, glossary={mend.short: mend.long} | policy.glossary)
        case AnsweredIn():
            stated = _with(policy.answered_in.get(mend.place, ()), *mend.questions)
            return replace(policy, answered_in=policy.answered_in | {mend.place: stated})
        case Canary(wish="answer"):
            return replace(policy, canary_answer=_with(policy.canary_answer, mend.question))
        case Canary():
            return replace(policy, canary_refuse=_with(policy.canary_refuse, mend.question))


def addition(policy: Policy, mend: Mend) -> Addition:
    """What the mend adds to the file that states this policy."""
    match mend:
        case Alias():
            return Addition(("aliases", _written(policy, mend.term)), (mend.name,), "in_line")
        case Abbreviation():
            return Addition(("glossary", mend.short), (mend.long,), "value")
        case Canary():
            return Addition(("canary_questions", mend.wish), (mend.question,), "item")
        case AnsweredIn():
            known = policy.answered_in.get(mend.place, ())
            fresh = tuple(one for one in mend.questions if one not in known)
            return Addition(("answered_in", mend.place), fresh, "item")


def _written(policy: Policy, term: str) -> str:
    """The term as the policy's aliases write it, if they have it."""
    return next((known for known in policy.aliases if phrase_key(known) == phrase_key(term)), term)


def _with_alias(policy: Policy, alias: Alias) -> Policy:
    term = _written(policy, alias.term)
    names = policy.aliases.get(term, ())
    if any(phrase_key(alias.name) == phrase_key(name) for name in (term, *names)):
        return policy
    return replace(policy, aliases=policy.aliases | {term: (*names, alias.name)})


def _with(known: tuple[str, ...], *questions: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *questions)))
