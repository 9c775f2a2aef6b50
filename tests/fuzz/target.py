"""What a fuzzing target is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

Law = Callable[[bytes], None]
"""Raises whatever it likes when the input breaks it; AssertionError says which sentence of it."""

Mutate = Callable[[bytes, Random, Callable[[bytes], bytes]], bytes]
"""Another input near this one; the last argument changes some bytes at random."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes strangers' bytes.

    Attributes:
        seeds: good inputs, and bad ones of a kind of their own.
        words: of the input's language, which bytes at random would hardly hit upon.
        mutate: None: bytes at random do.
        longest: bytes of an input.
    """

    law: Law
    seeds: Callable[[], Iterable[bytes]]
    words: tuple[str, ...] = ()
    mutate: Mutate | None = None
    longest: int = 4096
