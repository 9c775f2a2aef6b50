"""What a vendor's limits allow, in questions per minute. Pure: figures go in, what they mean comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PROMPT_CHARACTERS = 7_805
"""Mean over the 198 questions on the sample book, as `python -m infra.costs --measure` prints it."""

CHARACTERS_A_TOKEN = 3
OUTPUT_TOKENS = 300
"""Both are assumed, and rather too high for a token and for an answer: each question gets a draft here."""

INPUT_TOKENS = PROMPT_CHARACTERS / CHARACTERS_A_TOKEN

TEXTS = 1
"""Texts that a question has embedded, and calls of the embedder. One with parts or a pronoun has up to three;
over the same 198 questions it is 1.03."""

SEARCHES = 3 * TEXTS
"""Searches of a question, which the store counts one by one though they come in one request: by meaning, by
words, and by meaning among what the words found."""

EMBEDDED_A_MINUTE = 2_000
"""Texts per minute for any key of Cohere's: docs.cohere.com/docs/rate-limits, November 2026."""

MONTH_DAYS = 30

GIB = 1 << 20
"""In KiB: the memory of Qdrant Cloud's free cluster (qdrant.tech/pricing, October 2026)."""

FREE = "the size of Qdrant Cloud's free cluster, suspended after a week without questions and deleted later"


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of so many per minute, and how many a question takes of it."""

    what: str
    a_minute: int
    a_question: float

    @property
    def questions(self) -> int:
        """Questions per minute that it allows."""
        return int(self.a_minute / self.a_question)

    def __str__(self) -> str:
        return listed([self])


def of_claude(headers: Mapping[str, str]) -> list[Limit]:
    """The limits that a reply of Claude's names, of those that a question takes of."""
    known = {"requests": 1.0, "input-tokens": INPUT_TOKENS, "output-tokens": float(OUTPUT_TOKENS)}
    return [
        Limit(kind.replace("-", " "), limit, takes)
        for kind, takes in known.items()
        if (limit := _number(headers, f"anthropic-ratelimit-{kind}-limit"))
    ]


def tightest(limits: Sequence[Limit]) -> Limit:
    """The one that allows the fewest questions. Raises ValueError for none."""
    return min(limits, key=lambda limit: limit.questions)


def listed(limits: Sequence[Limit]) -> str:
    """What the limits are, and what they allow."""
    least = tightest(limits)
    given = ", ".join(f"{limit.a_minute:,} {limit.what}" for limit in limits)
    return f"{given} per minute: {least.questions:,} questions per minute, by {least.what}"


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial key of Cohere's: calls per minute, and per month, where the reply names them."""

    a_minute: int | None
    a_month: int | None

    def __str__(self) -> str:
        texts = Limit("texts", EMBEDDED_A_MINUTE, TEXTS)
        calls = [Limit("calls", self.a_minute, TEXTS)] if self.a_minute else []
        found = f"a trial key: {listed([*calls, texts])}"
        return found if self.a_month is None else f"{found}, and {_of_a_month(self.a_month)}"


def _of_a_month(calls: int) -> str:
    return f"{calls:,} calls per month, {calls // (TEXTS * MONTH_DAYS):,} questions per day"


def of_cohere(headers: Mapping[str, str]) -> Trial | None:
    """The trial key that a reply of Cohere's gives away; None for a production key, which none does."""
    minute = _number(headers, "x-trial-endpoint-call-limit")
    month = _number(headers, "x-endpoint-monthly-call-limit")
    return None if minute is None and month is None else Trial(minute, month)


def production(ingesting: float) -> str:
    """What a production key allows, and what is left where an ingest embeds so many texts per minute."""
    all_texts = Limit("texts", EMBEDDED_A_MINUTE, TEXTS)
    left = Limit("texts", EMBEDDED_A_MINUTE - int(ingesting), TEXTS)
    return f"a production key: {all_texts}; {left.questions:,} during an ingest"


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Qdrant server: its memory and disk in KiB, None where it does not tell."""

    memory: int | None
    disk: int | None

    def __str__(self) -> str:
        if self.memory is None:
            return "a server that does not tell its memory"
        disk = f", {self.disk / GIB:.1f} GiB disk" if self.disk else ""
        size = f"{self.memory / GIB:.1f} GiB memory{disk}"
        return f"{size}, {FREE}" if self.memory <= GIB else size


def _number(headers: Mapping[str, str], name: str) -> int | None:
    found = headers.get(name, "")
    return int(found) if found.isascii() and found.isdigit() else None
