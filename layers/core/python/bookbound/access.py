"""Who may ask, and what: client keys, browser tokens and the grants that follow from them (S1, S4).

Of a key only its SHA-256 is kept. A slow hash protects secrets that people choose; these are 256 random bits,
which no number of guesses finds, and the check stands in the way of every question.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from bookbound.errors import Forbidden

HEADER_LIMIT = 2048
"""Characters of an Authorization header; a key takes some 90, a token some 400."""

TOKEN_SECONDS = 15 * 60
"""How long a browser token lives."""

ISSUER = "bookbound"

# A client's id holds no underscore, so a key falls apart in one way only.
_CLIENT_ID = r"[a-z0-9][a-z0-9-]{0,31}"
_KEY = re.compile(rf"bb_({_CLIENT_ID})_[A-Za-z0-9_-]{{43}}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}")
# White space around a header's value is no part of it (RFC 9110, 5.5).
_BEARER = re.compile(r"[ \t]*(?i:bearer) +([A-Za-z0-9._-]+)[ \t]*")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a caller may do.

    Attributes:
        client_id: who asks, as the audit record names it (S1).
        books: ids of the only books that may be asked; none: all of them.
        origin: the only site whose pages may ask so; None: not a browser's grant.
    """

    client_id: str = "anonymous"
    books: tuple[str, ...] = ()
    origin: str | None = None

    def context(self) -> dict[str, str]:
        """The grant as the gateway hands it from the authorizer to the API: strings."""
        context = {"client_id": self.client_id}
        if self.books:
            context["book_id"] = ",".join(self.books)
        if self.origin is not None:
            context["origin"] = self.origin
        return context

    @classmethod
    def from_context(cls, context: Mapping[str, Any]) -> Grant:
        """The grant that a gateway's authorizer context tells of; an empty one is anonymous."""
        return cls(
            client_id=str(context.get("client_id") or context.get("principalId") or "anonymous"),
            books=tuple(filter(None, str(context.get("book_id") or "").split(","))),
            origin=context.get("origin"),
        )

    def require_origin(self, origins: Sequence[str]) -> None:
        """Raises Forbidden unless the request's Origin headers are the grant's one origin (S4)."""
        if self.origin is not None and list(origins) != [self.origin]:
            raise Forbidden("This token was given to another site.")

    def require_book(self, book_id: str | None) -> None:
        """Raises Forbidden for a book that the grant does not name."""
        if self.books and book_id not in self.books:
            raise Forbidden("This key or token is for another book.")


@dataclass(frozen=True, slots=True)
class ClientKey:
    """A key as it came in: `bb_{client id}_{secret}`."""

    client_id: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BrowserToken:
    """What looks like a signed token; nothing in it is to be believed yet."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Client:
    """A trusted client.

    Attributes:
        key_hash: of its key, see `key_hash`.
        previous_hash: of the key before, good until `previous_until`, epoch seconds.
        revoked: for good; none of its keys counts any more.
        books: ids of the only books that it may ask; none: all of them.
    """

    client_id: str
    key_hash: str
    previous_hash: str | None = None
    previous_until: int = 0
    revoked: bool = False
    books: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Denied:
    """No entry; the reason is for the log, never for the caller."""

    reason: str


def is_client_id(text: str) -> bool:
    """1–32 lower-case letters, digits and dashes, no dash first."""
    return re.fullmatch(_CLIENT_ID, text) is not None


def key_text(client_id: str, secret: str) -> str:
    """A client's key; the secret is 32 random bytes in URL-safe base64, 43 characters."""
    return f"bb_{client_id}_{secret}"


def key_hash(key: str) -> str:
    """SHA-256 of the whole key, in hex; the client's id in it keeps hashes from being moved."""
    return sha256(key.encode()).hexdigest()


def credential(headers: Sequence[str]) -> ClientKey | BrowserToken | None:
    """What the request's Authorization headers hold; None unless it is one well-formed bearer credential."""
    if len(headers) != 1 or len(headers[0]) > HEADER_LIMIT:
        return None
    bearer = _BEARER.fullmatch(headers[0])
    text = bearer[1] if bearer else ""
    if key := _KEY.fullmatch(text):
        return ClientKey(key[1], text)
    return BrowserToken(text) if _TOKEN.fullmatch(text) else None


def admit(key: ClientKey, client: Client | None, now: float) -> Grant | Denied:
    """What the key is good for at `now`, epoch seconds; hashes are compared in constant time (S1)."""
    if client is None:
        return Denied("unknown client")
    if not _fits(key, client, now):
        return Denied("wrong key")
    return Denied("revoked") if client.revoked else Grant(client.client_id, client.books)


def _fits(key: ClientKey, client: Client, now: float) -> bool:
    given = key_hash(key.text)
    current = hmac.compare_digest(given, client.key_hash)
    previous = hmac.compare_digest(given, client.previous_hash or "")
    return current or (previous and now < client.previous_until)


def claims(grant: Grant, stage: str, now: int) -> dict[str, Any]:
    """A browser token's claims (RFC 7519): `grant` has an origin and one book; `now` in epoch seconds."""
    return {
        "iss": ISSUER,
        "aud": stage,
        "sub": grant.client_id,
        "origin": grant.origin,
        "book": grant.books[0],
        "iat": now,
        "exp": now + TOKEN_SECONDS,
    }


def grant_of(verified: Mapping[str, Any]) -> Grant:
    """What a token grants whose signature, issuer, audience and end were found good."""
    return Grant(verified["sub"], (verified["book"],), verified["origin"])


def signing_key(secret: Mapping[str, str], kid: str) -> str | None:
    """The key of that name in the signing secret: the current one or the one before; else None."""
    if kid == secret["kid"]:
        return secret["key"]
    return secret["previous_key"] if kid == secret.get("previous_kid") else None


def rotated(secret: Mapping[str, str], kid: str, key: str) -> dict[str, str]:
    """The signing secret with a new key; the current one becomes the previous, the previous one ends."""
    return {"kid": kid, "key": key, "previous_kid": secret["kid"], "previous_key": secret["key"]}
