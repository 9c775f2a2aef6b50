"""Questions of which the author says where the book answers them: `answered_in` of bookbound.yaml.

A reader model judges wrongly now and then; who wrote the page knows. What the author says holds for a
question of the same words alone, in any form: what is merely near it may be what the page leaves open.
"""

from __future__ import annotations

from bookbound.model import Candidate, Excerpt, Passage, Unit
from bookbound.policy.book_policy import Policy
from bookbound.question.wordings import Query
from bookbound.text.glossary import PHRASE_TOKEN
from bookbound.text.terms import stem

_SAYS_NOTHING = frozenset({"a", "an", "the", "please"})


def place_of(query: Query, policy: Policy) -> str | None:
    """Return the section that is stated for a question, None without: a document, `#`, a heading's anchor.

    A document alone is what stands under the page's title, before the first heading.
    """
    asked = {_words(query.original), _words(query.corrected)}
    return next(
        (
            place
            for place, questions in policy.answered_in.items()
            if any(_words(one) in asked for one in questions)
        ),
        None,
    )


def place(excerpt: Excerpt) -> str:
    """The section of an excerpt, which lies in one, written as in a policy."""
    return _place(excerpt.passage, excerpt.passage.units[excerpt.units[0]])


def is_in(excerpt: Excerpt, stated: str) -> bool:
    """Return whether an excerpt lies in the section that is stated."""
    return place(excerpt) == stated


def has_of(window: Candidate, stated: str) -> bool:
    """Return whether a window has text of the section that is stated."""
    units = (unit for unit in window.passage.units if window.start <= unit.start < window.end)
    return any(_place(window.passage, unit) == stated for unit in units)


def _place(passage: Passage, unit: Unit) -> str:
    return f"{passage.document}#{passage.sections[unit.section].anchor or ''}".removesuffix("#")


def _words(question: str) -> tuple[str, ...]:
    """The stems of all words but articles, in order: "who" and "when", "not" and "and" make a difference."""
    words = (match.group().lower() for match in PHRASE_TOKEN.finditer(question))
    return tuple(stem(word) for word in words if word not in _SAYS_NOTHING)
