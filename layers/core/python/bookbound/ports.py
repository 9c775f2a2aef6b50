"""Needs of the core from the outside world, by role. Adapters fit these shapes; none inherits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from uuid import UUID

# Whoever needs a shape alone does not wait for what fits it.
if TYPE_CHECKING:
    from bookbound.deadline import Deadline
    from bookbound.generator_input import GeneratorInput
    from bookbound.model import ClaimRead, Draft, Excerpt, Hit, Passage, Reading, Vector, Wanted


class Embedder(Protocol):
    """Turns text into L2-normalised vectors. `model_id` names weights and pooling, for the score map."""

    @property
    def model_id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]: ...

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]: ...


class Reader(Protocol):
    """Reads a question or a claim together with text of the book. Deterministic, and no vendor.

    `read`: is the question answered there, and where (G9); a reading per excerpt, in order.
    `confirm`: the same at a second look, which tells near misses better (G9); a logit per excerpt, in order.
    `judge`: is the claim borne out (P4, X18); a logit per claim, in order, any real number.
    `read_tables`: is one of a table's columns or rows asked for, and which (T1); as `read`.
    """

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]: ...

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]: ...

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]: ...

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]: ...


class PassageStore(Protocol):
    """The index of one book version, read side. An error raises Unavailable (R7).

    `search` answers all that is wanted in one round trip, a list of hits each: up to `limit` windows by
    meaning and `limit` by words (R3). `passages` gives all of the version's, each once, in any order.
    """

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]: ...

    async def passages(self) -> list[Passage]: ...


class Generator(Protocol):
    """Writes a draft from evidence alone; has no tools, files or web (R8, P3).

    `refuses` where it can tell by itself that the evidence does not answer (G12).
    """

    @property
    def name(self) -> str: ...

    @property
    def refuses(self) -> bool: ...

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft: ...


class AuditSink(Protocol):
    """Takes one denormalised record a question (A1)."""

    async def put(self, record: Mapping[str, Any]) -> None: ...


class FeedbackSink(Protocol):
    """Takes a reader's verdict on an answer (E3). Raises AnswerNotFound."""

    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None: ...


class Counters(Protocol):
    """Counts for all who share it, atomically, and blocks. Raises Unavailable.

    `add` adds to the counter of that name, which begins at 0, and tells what it has come to. After
    `expires_at`, epoch seconds, it may be forgotten.
    """

    def add(self, name: str, amount: int, expires_at: int) -> int: ...


@runtime_checkable
class Warming(Protocol):
    """A part that can be made ready before it is used. Raises what using it would."""

    async def warm(self) -> None: ...


@runtime_checkable
class Renewing(Protocol):
    """A part that may have aged while the process was frozen."""

    async def renew(self) -> None: ...


@runtime_checkable
class Closing(Protocol):
    """A holder of connections or threads."""

    async def aclose(self) -> None: ...
