"""Rules for a question, a selected passage, a comment and a book id before any use (V1–V5).

No rule looks for hostile wording (V4): a question is data for the search, in any wording.
"""

from __future__ import annotations

import re
import unicodedata
from uuid import UUID

from bookbound.errors import BookNotFound, InvalidRequest
from bookbound.model import Question

QUESTION_LIMIT = 1000
SELECTED_TEXT_LIMIT = 8000
COMMENT_LIMIT = 2000
"""Characters after NFC and trimming (V1, V5)."""

_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_BOOK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def decode(body: bytes) -> str:
    """The bytes as strict UTF-8; raises InvalidRequest 400 (V2)."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest("The body is not valid UTF-8.", 400) from error


def question(
    text: str,
    selected_text: str | None = None,
    *,
    query_id: UUID,
    session_id: UUID,
    client_id: str = "anonymous",
    previous: str | None = None,
    name: str = "question",
) -> Question:
    """A Question from raw input; raises InvalidRequest with status 400 or 422 (V1–V3, V5, X18).

    `name` is what its text is called where that is wrong.
    """
    return Question(
        text=_required(text, name, QUESTION_LIMIT),
        selected_text=_optional(selected_text, "selected_text", SELECTED_TEXT_LIMIT),
        query_id=query_id,
        session_id=session_id,
        client_id=client_id,
        previous=None if previous is None else _required(previous, "previous.question", QUESTION_LIMIT),
    )


def address(text: str) -> str:
    """A section's address, 1–1000 characters; raises InvalidRequest (V1–V3)."""
    return _required(text, "address", QUESTION_LIMIT)


def comment(text: str | None) -> str | None:
    """A reader's remark, at most 2000 characters; None when blank; raises InvalidRequest (E3, V2, V3)."""
    return _optional(text, "comment", COMMENT_LIMIT)


def book_id(text: str) -> str:
    """A book id: 1–64 letters, digits, `.`, `_` or `-`; nothing else names a book: BookNotFound (S3)."""
    if not _BOOK_ID.fullmatch(text):
        raise BookNotFound("no book has such an id")
    return text


def _required(text: str, field: str, limit: int) -> str:
    clean = _clean(text, field)
    if not 1 <= len(clean) <= limit:
        raise InvalidRequest(f"{field} must have 1 to {limit} characters; it has {len(clean)}.")
    return clean


def _optional(text: str | None, field: str, limit: int) -> str | None:
    clean = "" if text is None else _clean(text, field)
    if len(clean) > limit:
        raise InvalidRequest(f"{field} must have at most {limit} characters; it has {len(clean)}.")
    return clean or None


def _clean(text: str, field: str) -> str:
    if _SURROGATE.search(text):
        raise InvalidRequest(f"{field} holds half of a surrogate pair, which is not valid Unicode.", 400)
    text = text.replace("\r\n", "\n")
    if _FORBIDDEN.search(text):
        raise InvalidRequest(f"{field} holds a control character; only tab and newline are allowed.", 400)
    return unicodedata.normalize("NFC", text).strip()
