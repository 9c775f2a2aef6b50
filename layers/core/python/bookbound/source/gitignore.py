"""Patterns as in `.gitignore`, by which MkDocs leaves files out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import re2

_PARTS = re.compile(r"(/\*\*/|^\*\*/|/\*\*$|\*+|\?|\[[^\]/]+\]|\\.)")
_WILDCARDS = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.*", "?": "[^/]"}
_LONGEST = 200
"""Characters of a pattern that counts."""


def ignored_by(lines: Iterable[str]) -> Callable[[str], bool]:
    """Return a test for paths; the last pattern that matches decides, and `!` takes a file in again."""
    rules = [rule for rule in map(_rule, lines) if rule]

    def ignored(path: str) -> bool:
        return next((out for out, matches in reversed(rules) if matches(path)), False)

    return ignored


def _rule(line: str) -> tuple[bool, Callable[[str], bool]] | None:
    pattern = line.strip()
    taken_in = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    if not pattern or pattern.startswith("#") or len(pattern) > _LONGEST:
        return None
    anchored = "/" in pattern.rstrip("/")
    start = "" if anchored else "(?:.*/)?"
    end = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    compiled = re2.compile(f"(?s){start}{_expression(pattern.strip('/'))}{end}")
    return not taken_in, lambda path: compiled.fullmatch(path) is not None


def _expression(pattern: str) -> str:
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
