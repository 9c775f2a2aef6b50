"""Asks one question, and shows what came of it and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bookbound.api.responses import chat_response
from bookbound.deadline import Deadline
from bookbound.model import Candidate, Result
from bookbound.question import validation

if TYPE_CHECKING:
    from bookbound.api.deps import Answer

Row = Mapping[str, Any]


async def ask(
    answer: Answer,
    text: str,
    selected_text: str | None = None,
    *,
    previous: str | None = None,
    pace: float = 1.0,
) -> Result:
    """Return the result of one question in a separate session; `pace` lengthens its deadline.

    Raises InvalidRequest (V1–V5), BookboundError.
    """
    question = validation.question(
        text,
        selected_text,
        query_id=uuid4(),
        session_id=uuid4(),
        client_id="command-line",
        previous=previous,
    )
    return await answer(question, None, Deadline(pace=pace))


def response(result: Result) -> dict[str, Any]:
    """The chat response as the HTTP contract gives it, JSON-ready."""
    return chat_response(result).model_dump(mode="json")


def candidates(result: Result) -> list[Row]:
    """Return what retrieval found, best first, and the id by which the generator was given it."""
    admitted = {exhibit.passage.chunk_id: exhibit.source_id for exhibit in result.evidence}
    return [_candidate(one, admitted.get(one.passage.chunk_id)) for one in result.candidates]


def _candidate(candidate: Candidate, source_id: str | None) -> Row:
    passage = candidate.passage
    return {
        "source": source_id,
        "document": passage.document,
        "page": passage.page,
        "score": round(candidate.score, 3),
        "similarity": round(candidate.similarity, 3),
        "lexical": round(candidate.lexical, 3),
        "cosine": round(candidate.cosine, 3),
        "read": round(candidate.readings[0].answers, 3) if candidate.readings else None,
        "text": shortened(passage.text[candidate.start : candidate.end]),
    }


def shortened(text: str, limit: int = 80) -> str:
    """Return a text on one line, cut to that many characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
