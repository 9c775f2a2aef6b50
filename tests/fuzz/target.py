"""A fuzzing target."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

Law = Callable[[bytes], None]
"""A law: raises any exception if the input breaks it; AssertionError names the sentence."""

Mutate = Callable[[bytes, Random, Callable[[bytes], bytes]], bytes]
"""Another input near this one; the last argument changes some bytes at random."""


@dataclass(frozen=True, slots=True)
class Target:
    """Code that takes strangers' bytes.

    Attributes:
        seeds: good inputs, and special kinds of bad ones.
        words: words of the input's language, which random bytes would hardly hit.
        mutate: None: random bytes are enough.
        longest: maximum number of bytes of an input.
    """

    law: Law
    seeds: Callable[[], Iterable[bytes]]
    words: tuple[str, ...] = ()
    mutate: Mutate | None = None
    longest: int = 4096
