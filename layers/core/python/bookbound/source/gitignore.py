"""Patterns as in `.gitignore`, by which MkDocs leaves files out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import re2

_PARTS = re.compile(r"(/\*\*/|^\*\*/|/\*\*$|\*+|\?|\[[^\]/]+\]|\\.)")
_WILDCARDS = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.*", "?": "[^/]"}
_REPEATED = re.compile(r"(?<![^/])\*\*(?:/\*\*)+(?![^/])")
"""Any folders below any folders: any folders."""

_LONGEST = 200
"""Characters of a pattern that counts."""


def ignored_by(lines: Iterable[str]) -> Callable[[str], bool]:
    """Return a test for paths; the last pattern that matches decides, and `!` takes a file in again.

    What names the file itself goes before what names a folder that it lies in.
    """
    rules = [rule for rule in map(_rule, lines) if rule]

    def ignored(path: str) -> bool:
        named = (rule.leaves_out for rule in reversed(rules) if rule.names(path))
        within = (rule.leaves_out for rule in reversed(rules) if rule.holds(path))
        return next(chain(named, within), False)

    return ignored


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern: the expression of the files that it names, None for a folder's, and of what lies within."""

    leaves_out: bool
    itself: Any | None
    within: Any

    def names(self, path: str) -> bool:
        return self.itself is not None and self.itself.fullmatch(path) is not None

    def holds(self, path: str) -> bool:
        return self.within.fullmatch(path) is not None


def _rule(line: str) -> _Rule | None:
    pattern = line.strip()
    taken_in = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    if not pattern or pattern.startswith("#") or len(pattern) > _LONGEST:
        return None
    pattern = _REPEATED.sub("**", pattern)
    anchored = "/" in pattern.rstrip("/")
    start = "" if anchored else "(?:.*/)?"
    expression = f"(?s){start}{_expression(pattern.strip('/'))}"
    itself = None if pattern.endswith("/") else re2.compile(expression)
    return _Rule(not taken_in, itself, re2.compile(f"{expression}/.*"))


def _expression(pattern: str) -> str:
    if pattern == "**":
        return ".*"
    return "".join(map(_translated, _PARTS.split(pattern)))


def _translated(part: str) -> str:
    if part in _WILDCARDS:
        return _WILDCARDS[part]
    if part.startswith("*"):
        return "[^/]*"
    if part.startswith("["):
        inner = re2.escape(part[1:-1].lstrip("!^")).replace("\\-", "-")
        return f"[{'^' if part[1] in '!^' else ''}{inner}]"
    return str(re2.escape(part[1:] if part.startswith("\\") else part))
