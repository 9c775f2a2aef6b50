"""Every way in which a vendor can go wrong, by name, and the table of which vendor can go wrong how."""

from __future__ import annotations

from enum import Enum, unique
from typing import NamedTuple

VENDORS = ("claude", "ollama", "cohere", "qdrant")


@unique
class Misbehaviour(Enum):
    """A name, and as its value what goes wrong."""

    # The address.
    DNS_FAILURE = "the URL's host does not resolve"
    CONNECTION_REFUSED = "nobody listens at the port"
    CONNECT_HANGS = "the port's backlog is full, so that connecting never ends"
    TLS_UNTRUSTED = "https with a certificate from an authority that no client knows"
    TLS_PLAIN = "an https URL, and plain http behind it"

    # The status.
    STATUS_400 = "400: the request is called bad"
    STATUS_401 = "401: the key is called wrong"
    STATUS_403 = "403: the key may not do this"
    STATUS_404 = "404: the model or collection does not exist"
    STATUS_413 = "413: the request is called too large"
    STATUS_429 = "429 without retry-after"
    STATUS_429_RETRY_AFTER_0 = "429 with retry-after 0"
    STATUS_429_RETRY_AFTER_1 = "429 with retry-after 1"
    STATUS_429_RETRY_AFTER_60 = "429 with retry-after 60"
    STATUS_500 = "500 with the vendor's own error body"
    STATUS_502 = "502 with a gateway's page"
    STATUS_503 = "503: out of capacity"
    STATUS_529 = "529: Claude is overloaded"

    # The time that bytes take.
    LATE_HEADERS = "nothing for 10 s, then a good answer"
    TRICKLED_BODY = "headers at once, then a byte of the body a second"
    STALLED_BODY = "headers and half of the body, then nothing any more"

    # The connection.
    RESET_BEFORE_HEADERS = "connection reset instead of an answer"
    RESET_BEFORE_BODY = "connection reset after the headers"
    RESET_IN_BODY = "connection reset in the middle of the body"
    RESET_AFTER_BODY = "connection reset after a whole answer"
    CLOSED_IN_BODY = "connection closed in the middle of the body (of a stream: in mid-line)"
    DEAD_CONNECTION = "a kept-alive connection is reset at its second request; a new one answers"

    # The body.
    TRUNCATED_JSON = "half of the JSON (of a stream: of its last line), with a content-length that fits"
    WRONG_CONTENT_TYPE = "200 with a page in text/html"
    EMPTY_BODY = "200 without a body"
    ERROR_IN_200 = "200 with the vendor's error object"
    INVALID_UTF8 = "bytes that are no UTF-8 inside the text"

    # What a model said.
    MAX_TOKENS = "the text ends in mid-sentence at the token limit, and the reply says so"
    EMPTY_TEXT = "an answer whose text is empty"
    LONG_TEXT = "100 kB of text"
    OTHER_MODEL = "the reply names another model than the one asked for"
    REFUSAL = "stop_reason refusal, without text"
    REFUSAL_WITH_TEXT = "stop_reason refusal, after some text"
    THINKING_FIRST = "a thinking block in front of the text"
    TWO_TEXT_BLOCKS = "the text in two blocks"
    EMPTY_CONTENT = "an empty list of content blocks"
    NO_DONE_LINE = "a stream that ends well framed, without its done line"
    ERROR_IN_STREAM = "an error line in the middle of the stream"

    # What an embedder computed.
    TOO_FEW_VECTORS = "a vector less than texts"
    WRONG_DIMENSION = "vectors that are a value short"
    NAN_VALUES = "vectors that hold the literal NaN"
    NULL_VALUES = "vectors that hold null"

    # What a store found.
    NO_POINTS = "no point is found, ever"
    NO_PAYLOAD = "points come without their payload"
    WRONG_VECTOR_NAME = "400: the collection has no vector of that name"
    COLLECTION_MISSING = "404: the collection does not exist"
    TIMEOUT_IN_200 = "200 with a status that tells of a timeout"

    @property
    def description(self) -> str:
        """The fault in one line."""
        return self.value

    @property
    def status(self) -> int | None:
        """The HTTP status that stands in its name."""
        kind, *rest = self.name.split("_")
        return int(rest[0]) if kind == "STATUS" else None

    @property
    def retry_after(self) -> str | None:
        """The seconds that its retry-after header asks for."""
        _, found, seconds = self.name.partition("RETRY_AFTER_")
        return seconds if found else None


class Case(NamedTuple):
    """A vendor's name and one of its misbehaviours."""

    vendor: str
    misbehaviour: Misbehaviour

    def __str__(self) -> str:
        return f"{self.vendor}-{self.misbehaviour.name.lower()}"


_ALL = tuple(Misbehaviour)

_ANY_VENDOR = tuple(
    one for one in _ALL[: _ALL.index(Misbehaviour.ERROR_IN_200) + 1] if one is not Misbehaviour.STATUS_529
)
"""Misbehaviours independent of a vendor's bodies, first in the enum; 529 is Claude's own."""

_ANY_MODEL = (
    Misbehaviour.INVALID_UTF8,
    Misbehaviour.MAX_TOKENS,
    Misbehaviour.EMPTY_TEXT,
    Misbehaviour.LONG_TEXT,
    Misbehaviour.OTHER_MODEL,
)

_OWN = {
    "claude": (
        *_ANY_MODEL,
        Misbehaviour.STATUS_529,
        Misbehaviour.REFUSAL,
        Misbehaviour.REFUSAL_WITH_TEXT,
        Misbehaviour.THINKING_FIRST,
        Misbehaviour.TWO_TEXT_BLOCKS,
        Misbehaviour.EMPTY_CONTENT,
    ),
    "ollama": (*_ANY_MODEL, Misbehaviour.NO_DONE_LINE, Misbehaviour.ERROR_IN_STREAM),
    "cohere": (
        Misbehaviour.TOO_FEW_VECTORS,
        Misbehaviour.WRONG_DIMENSION,
        Misbehaviour.NAN_VALUES,
        Misbehaviour.NULL_VALUES,
    ),
    "qdrant": (
        Misbehaviour.NO_POINTS,
        Misbehaviour.NO_PAYLOAD,
        Misbehaviour.WRONG_VECTOR_NAME,
        Misbehaviour.COLLECTION_MISSING,
        Misbehaviour.TIMEOUT_IN_200,
    ),
}

CASES: tuple[Case, ...] = tuple(Case(name, one) for name in VENDORS for one in (*_ANY_VENDOR, *_OWN[name]))
"""Every pair of a vendor and a misbehaviour that it is capable of."""
