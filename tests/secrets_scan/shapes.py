"""Texts that have the shape of a secret (S5).

A shape is not enough: tests need keys too. A real key cannot have been made up, so a finding has to look
drawn at random. Tests spell theirs so that a reader sees it: a letter repeated, or words. An object's key
with a file's ending is the hash of its content, and a browser token for an origin that is reserved for tests
(RFC 2606) was signed by no stage.
"""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_SHAPES = {
    "a client's key": r"\bbb_[a-z0-9][a-z0-9-]{0,31}_([A-Za-z0-9_-]{43})",
    "a key of Claude's": r"\bsk-ant-([A-Za-z0-9_-]{16,})",
    "an access key of AWS": r"\b((?:AKIA|ASIA)[A-Z2-7]{16})\b",
    "a token of GitHub's": r"\b(?:gh[pousr]|github_pat)_([A-Za-z0-9_]{22,})",
    "a signed token": r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.([A-Za-z0-9_-]{20,})",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\s)*([A-Za-z0-9+/=]{40,})",
    "a value called secret": (
        r"(?i:key|secret|token|password|passwd|credentials?)[\"'\]]{0,2}\s*[:=]\s*[\"']?"
        r"((?!eyJ)[A-Za-z0-9+/_-]{32,}={0,2})(?![A-Za-z0-9+/_-]|\.(?:json|zip)\b)"
    ),
}
_ANY = re.compile("|".join(f"(?:{shape})" for shape in _SHAPES.values()))
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TEST_ORIGIN = re.compile(rb'"origin": ?"https?://[a-z0-9.-]+\.(?:test|example)"')
_WORD = re.compile(r"(?<![A-Za-z0-9])[a-z]+(?![A-Za-z0-9])")

_BITS = 2.5
"""Bits of entropy per character: 16 random letters have more, a few repeated letters have less."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A text that looks like a secret: its kind, its first line, and its first characters."""

    kind: str
    line: int
    beginning: str


def findings(text: str) -> Iterator[Finding]:
    """All that looks like a secret in a text, in order."""
    for found in _ANY.finditer(text):
        assert found.lastindex is not None
        value = found[found.lastindex]
        if looks_random(value) and not _is_for_tests(found[0]):
            kind = list(_SHAPES)[found.lastindex - 1]
            yield Finding(kind, text.count("\n", 0, found.start()) + 1, f"{value[:6]}…")


def looks_random(text: str) -> bool:
    """Return whether a text of 16 or more characters seems random: many different ones, no words.

    A word has no letter or digit next to it: five small letters in a row stand in many a drawn key by chance.
    A UUID does not count: it names something, and opens nothing.
    """
    in_words = sum(len(word) for word in _WORD.findall(text))
    return _UUID.fullmatch(text) is None and _bits(text) >= _BITS and in_words < len(text) / 2


def _is_for_tests(text: str) -> bool:
    """Return whether a signed token is bound to an origin that no site can have."""
    _, _, payload = text.partition(".")
    claims = payload.partition(".")[0]
    try:
        decoded = base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4))
    except ValueError:
        return False
    return _TEST_ORIGIN.search(decoded) is not None


def _bits(text: str) -> float:
    """Shannon's entropy of its characters, each."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
