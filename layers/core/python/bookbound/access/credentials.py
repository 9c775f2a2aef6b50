"""Callers' rights: client keys, browser tokens and the grants that follow from them (S1, S4).

Only the SHA-256 of a key is kept. A slow hash protects secrets that people choose; these are 256 random bits,
which no number of guesses finds, and the check is in the path of every question.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_network
from typing import Any

from bookbound.errors import Forbidden

HEADER_LIMIT = 2048
"""Characters of an Authorization header; a key takes some 90, a token some 400."""

TOKEN_SECONDS = 15 * 60
"""Seconds that a browser token lives."""

CLOCKS_APART = 30
"""Seconds by which a token checker's clock may be behind the signer's clock."""

CALLS_A_MINUTE = 100
"""Limit of a client's key that sets no other limit (S2)."""

ISSUER = "bookbound"

# A client's id holds no underscore, so a key falls apart in one way only.
_CLIENT_ID = r"[a-z0-9][a-z0-9-]{0,31}"
_KEY = re.compile(rf"bb_({_CLIENT_ID})_[A-Za-z0-9_-]{{43}}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}")
_LIMIT = re.compile(r"[1-9][0-9]{0,8}")
# White space around a header's value is no part of it (RFC 9110, 5.5).
_BEARER = re.compile(r"[ \t]*(?i:bearer) +([A-Za-z0-9._-]+)[ \t]*")


@dataclass(frozen=True, slots=True)
class Grant:
    """Rights of a caller.

    Attributes:
        client_id: the caller, as the audit record names it (S1).
        books: ids of the only books that may be asked; none: all of them.
        origins: the only sites whose pages may ask with it; none: a caller may claim any origin.
        limit: calls per minute, ≥ 1; of a client's key (S2).
        address: stands for the network address that a browser's token was given to; None: a key's grant.
    """

    client_id: str = "anonymous"
    books: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    limit: int = CALLS_A_MINUTE
    address: str | None = None

    def context(self) -> dict[str, str]:
        """The grant as the gateway hands it from the authorizer to the API: strings."""
        context = {
            "client_id": self.client_id,
            "books": ",".join(self.books),
            "origins": ",".join(self.origins),
            "limit": str(self.limit),
            "address": self.address or "",
        }
        return {name: value for name, value in context.items() if value}

    @classmethod
    def from_context(cls, context: Mapping[str, Any]) -> Grant | None:
        """The grant that `context` told the gateway; None for what no authorizer of ours has told."""
        told = {name: str(context.get(name) or "") for name in ("client_id", "books", "origins", "limit")}
        if not told["client_id"] or not _LIMIT.fullmatch(told["limit"]):
            return None
        return cls(
            client_id=told["client_id"],
            books=_listed(told["books"]),
            origins=_listed(told["origins"]),
            limit=int(told["limit"]),
            address=str(context.get("address") or "") or None,
        )

    def require_origin(self, origins: Sequence[str]) -> None:
        """Raises Forbidden unless the request has one Origin header, which the grant names (S4)."""
        if self.origins and (len(origins) != 1 or origins[0] not in self.origins):
            raise Forbidden("This key or token is for another site.")

    def require_book(self, book_id: str | None) -> None:
        """Raises Forbidden for a book that the grant does not name."""
        if self.books and book_id not in self.books:
            raise Forbidden("This key or token is for another book.")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


@dataclass(frozen=True, slots=True)
class ClientKey:
    """A key as it came in: `bb_{client id}_{secret}`."""

    client_id: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BrowserToken:
    """Text in the form of a signed token; nothing in it is trusted yet."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Client:
    """A trusted client.

    Attributes:
        key_hash: hash of its key, see `key_hash`.
        previous_hash: hash of the previous key, valid until `previous_until`, epoch seconds.
        revoked: permanently; none of its keys is valid any more.
        books: ids of the only books that it may ask; none: all of them.
        limit: calls per minute, ≥ 1.
        origins: the only sites whose pages may use the key; none: it is a server's.
    """

    client_id: str
    key_hash: str
    previous_hash: str | None = None
    previous_until: int = 0
    revoked: bool = False
    books: tuple[str, ...] = ()
    limit: int = CALLS_A_MINUTE
    origins: tuple[str, ...] = ()


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
    """Return the request's credential; None unless its headers are one well-formed bearer credential."""
    if len(headers) != 1 or len(headers[0]) > HEADER_LIMIT:
        return None
    bearer = _BEARER.fullmatch(headers[0])
    text = bearer[1] if bearer else ""
    if key := _KEY.fullmatch(text):
        return ClientKey(key[1], text)
    return BrowserToken(text) if _TOKEN.fullmatch(text) else None


def admit(key: ClientKey, client: Client | None, now: float) -> Grant | Denied:
    """Return a key's grant at `now`, epoch seconds, or its denial; compares in constant time (S1)."""
    if client is None:
        return Denied("unknown client")
    if not _fits(key, client, now):
        return Denied("wrong key")
    if client.revoked:
        return Denied("revoked")
    return Grant(client.client_id, client.books, client.origins, client.limit)


def _fits(key: ClientKey, client: Client, now: float) -> bool:
    given = key_hash(key.text)
    current = hmac.compare_digest(given, client.key_hash)
    previous = hmac.compare_digest(given, client.previous_hash or "")
    return current or (previous and now < client.previous_until)


def claims(grant: Grant, stage: str, now: int) -> dict[str, Any]:
    """A browser token's claims (RFC 7519); `now` in epoch seconds. Its grant has one origin and one book."""
    return {
        "iss": ISSUER,
        "aud": stage,
        "sub": grant.client_id,
        "origin": grant.origins[0],
        "book": grant.books[0],
        "addr": grant.address,
        "iat": now,
        "nbf": now - CLOCKS_APART,
        "exp": now + TOKEN_SECONDS,
    }


def grant_of(verified: Mapping[str, Any]) -> Grant | None:
    """Return the grant of a token with good signature, issuer, audience and time; None for odd claims."""
    told = [verified[name] for name in ("sub", "book", "origin", "addr")]
    if not all(isinstance(one, str) and one for one in told):
        return None
    client_id, book, origin, address = told
    return Grant(client_id, (book,), (origin,), address=address)


def address_id(address: str, key: str) -> str:
    """Return an id to count a network address by: 64 bits of an HMAC, to keep the address private.

    For IPv6 the 64-bit network counts: one customer has it as a rule, and can draw addresses from it.
    """
    # A socket for both versions tells of IPv4 so: all of it would be one network.
    address = address.lower().removeprefix("::ffff:")
    try:
        network = str(ip_network((address, 64 if ":" in address else 32), strict=False))
    except ValueError:
        network = address
    return hmac.new(key.encode(), f"address {network}".encode(), sha256).hexdigest()[:16]


def signing_key(secret: Mapping[str, str], kid: str) -> str | None:
    """The key of that name in the signing secret: the current one or the one before; else None."""
    if kid == secret["kid"]:
        return secret["key"]
    return secret["previous_key"] if kid == secret.get("previous_kid") else None


def rotated(secret: Mapping[str, str], kid: str, key: str) -> dict[str, str]:
    """The signing secret with a new key; the current one becomes the previous, the previous one ends."""
    return {"kid": kid, "key": key, "previous_kid": secret["kid"], "previous_key": secret["key"]}
