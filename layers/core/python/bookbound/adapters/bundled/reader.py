"""The reader model on this machine and in Lambda: ONNX weights of this package, run without torch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bookbound.adapters.bundled.processors import processors
from bookbound.adapters.bundled.session import session
from bookbound.adapters.bundled.tokenizer import load_tokenizer
from bookbound.model import ClaimRead, Excerpt, Reading

MODEL = "model.onnx"

REMEMBERED = 8192
"""Excerpts and questions whose readings are kept: a question asked again is not read again."""

CUT_OFF = -20.0
"""Logit of a unit for which there was no room."""

LONGEST_QUESTION = 64
LONGEST_ABOVE = 48
LONGEST = 320
"""Word pieces: of the question, of what stands above the text, and of everything together."""

LONGEST_CLAIM = 128
"""Word pieces of a claim."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A question and what is read for it, as word pieces.

    Attributes:
        ids, segments: the same length; segment 0 is the question, 1 is what is read.
        units: for each unit the range of its pieces, end exclusive; empty where there was no room.
        offsets: for each piece its characters in its own text.
    """

    ids: list[int]
    segments: list[int]
    units: list[tuple[int, int]]
    offsets: list[tuple[int, int]]


def encoded(
    tokenizer: Tokenizer,
    question: str,
    above: str,
    texts: Sequence[str],
    longest: int = LONGEST_QUESTION,
) -> Pieces:
    """`[CLS] question or claim [SEP] above [SEP] unit unit … [SEP]`, each part cut to its room."""
    start, stop = (tokenizer.token_to_id(name) or 0 for name in ("[CLS]", "[SEP]"))
    parts = [question, above, *texts]
    asked, over, *read = tokenizer.encode_batch(parts, add_special_tokens=False)
    ids = [start, *asked.ids[:longest], stop]
    first = len(ids)
    # The last headings say most.
    ids += [*over.ids[-LONGEST_ABOVE:], stop]
    offsets = [(0, 0)] * len(ids)
    units = []
    for one in read:
        room = max(0, LONGEST - 1 - len(ids))
        units.append((len(ids), len(ids) + min(room, len(one.ids))))
        ids += one.ids[:room]
        offsets += one.offsets[:room]
    ids.append(stop)
    offsets.append((0, 0))
    return Pieces(ids, [0] * first + [1] * (len(ids) - first), units, offsets)


def fully_read(pieces: Pieces) -> int:
    """Units, from the first, for which there was room to their end; one at least."""
    begun = sum(end > start for start, end in pieces.units)
    return max(1, begun - (len(pieces.ids) == LONGEST))


_Logits = Callable[[str, str, tuple[str, ...]], tuple[float, tuple[float, ...]]]


class BundledReader:
    """Fits ports.Reader. An excerpt is one thread's.

    `logits` takes a question, what stands above, and the units' texts, and so does `confirmed`; `support` the
    same with a claim, `table_logits` with a table's columns or rows as units.
    """

    def __init__(self, folder: Path | None = None) -> None:
        path = folder / MODEL if folder else resources.files("bookbound") / "data" / "reader" / MODEL
        self._session = session(str(path))
        self._tokenizer = load_tokenizer()
        # A page or a question that spells "[SEP]" spells it, and does not part the reader's input (R10).
        self._tokenizer.encode_special_tokens = True
        self._threads = ThreadPoolExecutor(processors(), thread_name_prefix="read")
        self.logits = lru_cache(REMEMBERED)(self._answers)
        self.confirmed = lru_cache(REMEMBERED)(self._confirms)
        self.support = lru_cache(REMEMBERED)(self._supports)
        self.table_logits = lru_cache(REMEMBERED)(self._of_table)

    async def aclose(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """A reading per excerpt, in order."""
        return await asyncio.to_thread(self._read, question, excerpts, self.logits)

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        """The same of a table's columns or rows."""
        return await asyncio.to_thread(self._read, question, excerpts, self.table_logits)

    def _read(self, question: str, excerpts: Sequence[Excerpt], logits: _Logits) -> list[Reading]:
        found = self._threads.map(lambda one: logits(question, one.above, one.texts), excerpts)
        return [
            Reading(question, excerpt, answers, units)
            for excerpt, (answers, units) in zip(excerpts, found, strict=True)
        ]

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        """A logit per excerpt, in order."""
        return await asyncio.to_thread(self._confirm, question, excerpts)

    def _confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        return [*self._threads.map(lambda one: self.confirmed(question, one.above, one.texts), excerpts)]

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        """A logit per claim, in order."""
        return await asyncio.to_thread(self._judge, claims)

    def _judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        return [*self._threads.map(lambda one: self.support(one.claim, one.above, one.texts), claims)]

    def _answers(self, question: str, above: str, texts: tuple[str, ...]) -> tuple[float, tuple[float, ...]]:
        return self._pointed(("answers", "where"), encoded(self._tokenizer, question, above, texts))

    def _of_table(self, question: str, above: str, texts: tuple[str, ...]) -> tuple[float, tuple[float, ...]]:
        """Columns or rows for which there is no room are read by themselves: one that is unread is lost."""
        heads, pieces = ("held", "pointed"), encoded(self._tokenizer, question, above, texts)
        answers, units = self._pointed(heads, pieces)
        if (fitting := fully_read(pieces)) == len(texts):
            return answers, units
        of_rest, rest = self._of_table(question, above, texts[fitting:])
        return max(answers, of_rest), (*units[:fitting], *rest)

    def _pointed(self, heads: Sequence[str], pieces: Pieces) -> tuple[float, tuple[float, ...]]:
        """The logit of answering, and each unit's: the mean of its pieces'."""
        answers, where = self._run(heads, pieces)
        units = (where[0][start:end].mean() if end > start else CUT_OFF for start, end in pieces.units)
        return float(answers[0]), tuple(map(float, units))

    def _confirms(self, question: str, above: str, texts: tuple[str, ...]) -> float:
        [logits] = self._run(["confirmed"], encoded(self._tokenizer, question, above, texts), adapted=True)
        return float(logits[0])

    def _supports(self, claim: str, above: str, texts: tuple[str, ...]) -> float:
        pieces = encoded(self._tokenizer, claim, above, texts, LONGEST_CLAIM)
        [logits] = self._run(["support"], pieces, adapted=True)
        return float(logits[0])

    def _run(
        self, heads: Sequence[str], pieces: Pieces, *, adapted: bool = False
    ) -> Sequence[NDArray[np.float32]]:
        inputs = {
            "ids": np.array([pieces.ids], dtype=np.int64),
            "segments": np.array([pieces.segments], dtype=np.int64),
            "of_claim": np.array(adapted),
        }
        found: Sequence[NDArray[np.float32]] = self._session.run(heads, inputs)
        return found
