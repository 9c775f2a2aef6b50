"""Questions that the book leaves out by its own policy (G4)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import cast

import re2

from bookbound.policy.book_policy import Policy, ScopeRule

_PATTERN_MEMORY = 1 << 20
"""Bytes that a compiled pattern may take; far above any that a person writes."""

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_QUOTES = dict.fromkeys(map(ord, "‘’"), "'")


def out_of_scope_topic(question: str, policy: Policy) -> str | None:
    """The first out-of-scope topic whose pattern the question matches, None when there is none (G4)."""
    return _topic(_plain(question), policy.out_of_scope)


@lru_cache(maxsize=256)
def _topic(text: str, rules: tuple[ScopeRule, ...]) -> str | None:
    """Every rung of the ladder asks the same."""
    return next((rule.topic for rule in rules if _matches(rule, text)), None)


@lru_cache(maxsize=1024)
def matcher(pattern: str) -> Callable[[str], object | None]:
    """The search of a policy's pattern: case-insensitive, its time linear in the question.

    Raises:
        ValueError: the linear-time engine can't take it (a syntax error, lookaround, a backreference).
    """
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _PATTERN_MEMORY
    try:
        return cast(Callable[[str], object | None], re2.compile(pattern, options).search)
    except re2.error as error:
        raise ValueError(_reason(error)) from error


def _matches(rule: ScopeRule, text: str) -> bool:
    return any(matcher(pattern)(text) for pattern in rule.patterns)


def _plain(question: str) -> str:
    """One typographic form, so that a pattern need not list every dash, quote and space."""
    folded = unicodedata.normalize("NFKC", question).translate(_DASHES | _QUOTES)
    return " ".join(folded.split())


def _reason(error: Exception) -> str:
    detail = error.args[0]
    return detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
