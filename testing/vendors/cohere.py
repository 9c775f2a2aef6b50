"""Cohere's embed API, version 2, as docs.cohere.com describes it."""

from __future__ import annotations

import asyncio
import hashlib
import math
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.server import Reply, Request, json_reply, page
from testing.vendors.speech import tokens
from testing.vendors.vendor import Rejected, Vendor

MAX_TEXTS = 96
DIMENSIONS = 1024
"""Dimensions for a request that names no output_dimension."""

Embed = Callable[[Sequence[str]], list[list[float]]]
"""A vector a text, in order; shorter or longer than asked for is made to fit."""

_INPUT_TYPES = ("search_document", "search_query", "classification", "clustering", "image")
_OUTPUT_DIMENSIONS = (256, 512, 1024, 1536, 2048)
_TRUNCATE = ("NONE", "START", "END")
_WORD = re.compile(r"[^\W_]+")
_VALUES_A_WORD = 8

TRIAL: Mapping[str, str] = {
    "x-endpoint-monthly-call-limit": "1000",
    "x-trial-endpoint-call-limit": "100",
    "x-trial-endpoint-call-remaining": "99",
}
"""Headers of a trial key's replies, but of those with an error."""

_ERRORS: Mapping[int, str] = {
    400: "invalid request: inputs contains an element that is the empty string at index 0",
    401: "invalid api token",
    403: "your api key is not allowed to use this model",
    404: "model 'nonesuch' not found, make sure the correct model ID was used",
    429: "You are past the per minute request limit, please wait and try again later.",
    500: "internal server error, this has been reported to our developers.",
    503: "the service is temporarily unavailable, please try again later.",
}


def hashed(texts: Sequence[str]) -> list[list[float]]:
    """Vectors that are the nearer the more words two texts share; not normalised, and the same every time."""
    return [_hashed(text) for text in texts]


def _hashed(text: str) -> list[float]:
    vector = [0.01] * DIMENSIONS
    for word in _WORD.findall(text.lower()):
        digest = hashlib.sha256(word.encode()).digest()
        for number in range(_VALUES_A_WORD):
            place = int.from_bytes(digest[2 * number : 2 * number + 2], "big")
            vector[place % DIMENSIONS] += 1.0 if place & 0x8000 else -1.0
    return vector


class Cohere(Vendor):
    """POST /v2/embed, computed by `embed`, which runs in a thread.

    Attributes:
        trial: the headers of its good replies; a production key's have none of them.
    """

    name = "cohere"

    def __init__(self, embed: Embed = hashed, **options: Any) -> None:
        super().__init__(**options)
        self.embed = embed
        self.trial: Mapping[str, str] = {}

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        if (request.method, request.path) != ("POST", "/v2/embed"):
            raise Rejected(404, "page not found")
        self._authenticate(request)
        body = _checked(request)
        vectors = await asyncio.to_thread(self.embed, body["texts"])
        dimensions = body.get("output_dimension") or DIMENSIONS
        spoilt = _spoilt([_fit(one, dimensions) for one in vectors], wrong)
        return json_reply(_response(body["texts"], spoilt), headers=self.trial)

    def error(self, status: int, message: str | None = None) -> Reply:
        usual = _ERRORS.get(status)
        if usual is None:
            return page(status)
        return json_reply({"id": _id(usual), "message": message or usual}, status)

    def _authenticate(self, request: Request) -> None:
        if "authorization" not in request.headers:
            raise Rejected(401, "no api key supplied")
        if request.headers["authorization"] != f"Bearer {self.api_key}":
            raise Rejected(401)


def _checked(request: Request) -> dict[str, Any]:
    """The request's body, when Cohere would take it. Raises Rejected."""
    try:
        body = request.json
    except ValueError as error:
        raise Rejected(400, "invalid json syntax") from error
    if not isinstance(body, dict) or not body.get("model"):
        raise Rejected(400, "a model parameter is required for this endpoint.")
    if body.get("input_type") not in _INPUT_TYPES:
        raise Rejected(400, "invalid request: valid input_type must be provided with the provided model")
    if body.get("embedding_types") not in (["float"], None):
        raise Rejected(400, "invalid request: embedding_types: this server computes float alone")
    if body.get("output_dimension") not in (*_OUTPUT_DIMENSIONS, None):
        raise Rejected(400, f"invalid request: output_dimension must be one of {_OUTPUT_DIMENSIONS}")
    if body.get("truncate") not in (*_TRUNCATE, None):
        raise Rejected(400, f"invalid request: truncate must be one of {_TRUNCATE}")
    _check_texts(body.get("texts"))
    return body


def _check_texts(texts: Any) -> None:
    if not isinstance(texts, list) or not texts:
        raise Rejected(400, "invalid request: required 'texts' param is missing or empty.")
    if len(texts) > MAX_TEXTS:
        too_many = f"total number of texts must be at most {MAX_TEXTS} - received {len(texts)}"
        raise Rejected(400, f"invalid request: {too_many}")
    if "" in texts:
        index = texts.index("")
        raise Rejected(
            400, f"invalid request: inputs contains an element that is the empty string at index {index}"
        )


def _fit(vector: list[float], dimensions: int) -> list[float]:
    """Padded with zeros, which changes no cosine, or cut."""
    return vector[:dimensions] + [0.0] * (dimensions - len(vector))


def _spoilt(vectors: list[list[float]], wrong: Misbehaviour | None) -> list[list[Any]]:
    match wrong:
        case Misbehaviour.TOO_FEW_VECTORS:
            return vectors[:-1]
        case Misbehaviour.WRONG_DIMENSION:
            return [vector[:-1] for vector in vectors]
        case Misbehaviour.NAN_VALUES:
            return [[math.nan, *vector[1:]] for vector in vectors]
        case Misbehaviour.NULL_VALUES:
            return [[None, *vector[1:]] for vector in vectors]
    return vectors


def _response(texts: list[str], vectors: list[list[Any]]) -> dict[str, Any]:
    units = {"input_tokens": sum(tokens(text) for text in texts)}
    return {
        "id": _id("".join(texts)),
        "embeddings": {"float": vectors},
        "texts": texts,
        "meta": {"api_version": {"version": "2"}, "billed_units": units},
        "response_type": "embeddings_by_type",
    }


def _id(content: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, content))
