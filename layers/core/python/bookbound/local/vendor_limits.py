"""Reads what each vendor allows: Claude's and Cohere's from a reply's headers, Qdrant's from its telemetry.

Each is asked once, by its own SDK, for the least that it can be asked for.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

import httpx
from anthropic import Anthropic, APIError, APIStatusError
from cohere import ClientV2
from cohere.core import RequestOptions
from cohere.core.api_error import ApiError
from pydantic import SecretStr
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import UnexpectedResponse

from bookbound.adapters.vendors.cohere import TEXTS_A_SECOND
from bookbound.local import allowance
from bookbound.local.allowance import SEARCHES, Cluster, Limit
from bookbound.local.checks import Check
from bookbound.settings import Settings

PATIENCE = 10
"""Seconds after which a vendor is given up."""

_FORBIDDEN = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def claude(settings: Settings) -> Check:
    """What the key's organisation may ask of Claude; costs a message of one token."""
    check = partial(Check, "limits claude")
    client = Anthropic(
        api_key=_value(settings.claude_api_key),
        base_url=settings.claude_url,
        max_retries=0,
        timeout=PATIENCE,
    )
    try:
        with client:
            reply = client.messages.with_raw_response.create(
                model=settings.claude_model,
                max_tokens=1,
                thinking={"type": "disabled"},
                messages=[{"role": "user", "content": "1"}],
            )
    except APIError as error:
        status = error.status_code if isinstance(error, APIStatusError) else type(error).__name__
        return check(f"not told ({status})", "try again, and see the vendor's status")
    limits = allowance.of_claude(reply.headers)
    if not limits:
        return check("not told: the reply has no anthropic-ratelimit headers")
    found, least = allowance.listed(limits), allowance.tightest(limits).questions
    return check(found, _too_few(settings, least, "a higher tier: console.anthropic.com → Limits"))


def cohere(settings: Settings) -> Check:
    """The kind of the key, by the headers that a trial key's replies have; costs the embedding of a word."""
    check = partial(Check, "limits cohere")
    with httpx.Client(timeout=PATIENCE) as http:
        client = ClientV2(_value(settings.cohere_api_key), base_url=settings.cohere_url, httpx_client=http)
        try:
            reply = client.with_raw_response.embed(
                model=settings.cohere_questions_model,
                input_type="search_query",
                texts=["limits"],
                output_dimension=settings.cohere_dimensions,
                embedding_types=["float"],
                request_options=RequestOptions(timeout=PATIENCE, max_retries=0),
            )
        except (ApiError, httpx.HTTPError) as error:
            status = error.status_code if isinstance(error, ApiError) else type(error).__name__
            return check(f"not told ({status})", "try again, and see the vendor's status")
    trial = allowance.of_cohere(reply.headers)
    if trial is None:
        return check(allowance.production(60 * TEXTS_A_SECOND))
    take = "readers need a production key: dashboard.cohere.com → API keys"
    return check(str(trial), take if settings.vendors_secret else None)


def qdrant(client: QdrantClient, settings: Settings) -> Check:
    """The server's size, and the book's limit on reads. Raises what the client does."""
    check = partial(Check, "limits qdrant")
    try:
        told = client.http.service_api.telemetry(details_level=1).result
    except UnexpectedResponse as error:
        if error.status_code not in _FORBIDDEN:
            raise
        return check("not told: the key may not read the server's telemetry")
    system = told.app.system if told and told.app else None
    cluster = Cluster(system.ram_size, system.disk_size) if system else Cluster(None, None)
    reads = _reads_a_minute(client, settings.book)
    found = f"{cluster}; {reads or 'no limit on questions per minute'}"
    if reads is None:
        return check(found)
    more = "a higher read_rate_limit in the collection's strict mode"
    return check(found, _too_few(settings, reads.questions, more))


def _reads_a_minute(client: QdrantClient, book: str | None) -> Limit | None:
    """The limit of the collection that the book's alias names; None where it has none, or is not there."""
    try:
        strict = client.get_collection(book).config.strict_mode_config if book else None
    except UnexpectedResponse as error:
        if error.status_code != HTTPStatus.NOT_FOUND:
            raise
        return None
    limit = strict.read_rate_limit if strict and strict.enabled else None
    return Limit("searches", limit, SEARCHES) if limit else None


def _too_few(settings: Settings, questions: int, more: str) -> str | None:
    """Return what to do where not even one reader's questions are allowed."""
    if questions >= settings.questions_per_session:
        return None
    one = settings.questions_per_session
    return f"one reader may ask {one} per minute: take {more}, or let readers ask less"


def _value(key: SecretStr | None) -> str:
    return key.get_secret_value() if key else ""
