"""Credentials that callers present at a door: the known clients, and every way to pose as one."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bookbound.access import credentials as access
from bookbound.access.credentials import Client
from tests.access import forging
from tests.access.doors import BOOK, SITE, Attempt, Door, Headers
from tests.access.forging import header, signed

EVIL = "https://evil.example"

UNREADABLE = "no bearer key or token"
UNKNOWN, WRONG, REVOKED, BAD_TOKEN = "unknown client", "wrong key", "revoked", "bad token"
FORBIDDEN = "Forbidden"


@dataclass(frozen=True)
class Keyring:
    """Clients that the door knows, by id, with the key of each, and what signs tokens there."""

    door: Door
    keys: dict[str, str] = field(default_factory=dict)

    def bearer(self, client_id: str = "campus") -> Headers:
        return bearer(self.keys[client_id])

    def claims(self, ago: int = 0) -> dict[str, object]:
        return forging.claims(self.door.name, BOOK, SITE, ago)

    def header(self, **changes: object) -> dict[str, object]:
        return header(**{"kid": self.door.signing["kid"]} | changes)

    def token(self, claimed: object = None, key: bytes | str | None = None, **changes: object) -> str:
        """A good token, unless something else is claimed, signs or stands in its header."""
        good = self.claims() if claimed is None else claimed
        return signed(self.header(**changes), good, self.door.signing["key"] if key is None else key)

    def page(self, token: str, *origins: str) -> Headers:
        return [*bearer(token), *((b"Origin", origin.encode()) for origin in origins or (SITE,))]


def furnished(door: Door) -> Keyring:
    """The door with its clients."""
    ring = Keyring(door)
    for client in (
        Client("campus", "", limit=1000),
        Client("twice", ""),
        Client("library", "", books=("gazebo",)),
        Client("site", "", origins=(SITE,)),
        Client("former", ""),
    ):
        _add(ring, client)
    for client_id, overlap in (("rotated", 3600), ("overdue", 0)):
        client = _add(ring, Client(client_id, ""))
        door.registry.rotate(client, access.key_hash(_drawn(client_id)), int(time.time()) + overlap)
    door.registry.revoke("former")
    return ring


def _add(ring: Keyring, client: Client) -> Client:
    key = ring.keys[client.client_id] = _drawn(client.client_id)
    added = Client(
        client.client_id,
        access.key_hash(key),
        books=client.books,
        limit=client.limit,
        origins=client.origins,
    )
    ring.door.registry.add(added)
    return added


def _drawn(client_id: str) -> str:
    return access.key_text(client_id, secrets.token_urlsafe(32))


def bearer(*credentials: str | bytes) -> Headers:
    """An Authorization header for each."""
    return [
        (b"Authorization", b"Bearer " + (one.encode() if isinstance(one, str) else one))
        for one in credentials
    ]


def authorization(value: str) -> Headers:
    return [(b"Authorization", value.encode())]


Make = Callable[[Keyring], Attempt]


def headers(make: Callable[[Keyring], Headers]) -> Make:
    """A question with these headers."""
    return lambda ring: Attempt(make(ring))


def page(make: Callable[[Keyring], str], *origins: str) -> Make:
    """A token of the page of a site."""
    return lambda ring: Attempt(ring.page(make(ring), *origins))


LET_IN: Mapping[str, Make] = {
    "a client's key": headers(lambda ring: ring.bearer()),
    "lower-case scheme": headers(lambda ring: authorization(f"bearer {ring.keys['campus']}")),
    "trailing space": headers(lambda ring: authorization(f"Bearer {ring.keys['campus']} ")),
    "previous key within its overlap": headers(lambda ring: ring.bearer("rotated")),
    "a site's key from its pages": headers(lambda ring: ring.page(ring.keys["site"])),
    "a book of its own": lambda ring: Attempt(ring.bearer("library"), "/v1/books/gazebo/chat"),
    "a page's token": page(lambda ring: ring.token()),
    "a token by the previous signing key": page(
        lambda ring: ring.token(key=ring.door.signing["previous_key"], kid=ring.door.signing["previous_kid"])
    ),
    "a token from a clock that is a little ahead": page(lambda ring: ring.token(ring.claims(ago=-20))),
}

KEYS: Mapping[str, tuple[Make, str]] = {
    "no header": (headers(lambda ring: []), UNREADABLE),
    "empty header": (headers(lambda ring: authorization("")), UNREADABLE),
    "scheme alone": (headers(lambda ring: authorization("Bearer ")), UNREADABLE),
    "wrong scheme": (headers(lambda ring: authorization(f"Basic {ring.keys['campus']}")), UNREADABLE),
    "no scheme": (headers(lambda ring: authorization(ring.keys["campus"])), UNREADABLE),
    "two headers": (headers(lambda ring: bearer(ring.keys["twice"], ring.keys["twice"])), UNREADABLE),
    "two keys in one header": (
        headers(lambda ring: bearer(f"{ring.keys['twice']}, {ring.keys['twice']}")),
        UNREADABLE,
    ),
    "unicode digits": (headers(lambda ring: bearer("bb_campus_" + "٣" * 43)), UNREADABLE),
    "unicode letters of other forms": (
        headers(lambda ring: bearer("bb_ｃａｍｐｕｓ_" + "a" * 43)),
        UNREADABLE,
    ),
    "10 kB header": (headers(lambda ring: bearer(ring.keys["campus"] + "a" * 10_000)), UNREADABLE),
    "10 kB of spaces": (
        headers(lambda ring: authorization("Bearer" + " " * 10_000 + ring.keys["campus"])),
        UNREADABLE,
    ),
    "NUL in key": (headers(lambda ring: bearer(ring.keys["campus"].replace("_", "\0", 1))), UNREADABLE),
    "NUL after key": (headers(lambda ring: bearer(ring.keys["campus"] + "\0")), UNREADABLE),
    "newline in key": (headers(lambda ring: bearer(ring.keys["campus"][:20] + "\n" + "a" * 20)), UNREADABLE),
    "newline after key": (headers(lambda ring: bearer(ring.keys["campus"] + "\n")), UNREADABLE),
    "bytes that are no text": (headers(lambda ring: bearer(b"bb_campus_\xff\xfe")), UNREADABLE),
    "truncated key": (headers(lambda ring: bearer(ring.keys["campus"][:-1])), UNREADABLE),
    "truncated and filled up": (headers(lambda ring: bearer(ring.keys["campus"][:-1] + ".")), UNREADABLE),
    "key in the query": (
        lambda ring: Attempt(query=f"authorization=Bearer%20{ring.keys['campus']}&key={ring.keys['campus']}"),
        UNREADABLE,
    ),
    "key as cookie": (
        headers(lambda ring: [(b"Cookie", f"Authorization=Bearer {ring.keys['campus']}".encode())]),
        UNREADABLE,
    ),
    "key in another header": (
        headers(lambda ring: [(b"X-Api-Key", ring.keys["campus"].encode())]),
        UNREADABLE,
    ),
    "unknown id": (headers(lambda ring: bearer(_drawn("nobody"))), UNKNOWN),
    "known id with wrong secret": (headers(lambda ring: bearer(_drawn("campus"))), WRONG),
    "another's secret": (
        headers(lambda ring: bearer(access.key_text("campus", ring.keys["library"][-43:]))),
        WRONG,
    ),
    "another case": (headers(lambda ring: bearer(_swapped(ring.keys["campus"]))), WRONG),
    "other stage's key": (headers(lambda ring: bearer(_drawn("site"))), WRONG),
    "revoked": (headers(lambda ring: ring.bearer("former")), REVOKED),
    "expired rotation": (headers(lambda ring: ring.bearer("overdue")), WRONG),
}
"""401, for the reason in the log."""

ELSEWHERE: Mapping[str, Make] = {
    "a book that the key is not for": headers(lambda ring: ring.bearer("library")),
    "a book that the token is not for": lambda ring: Attempt(
        ring.page(ring.token()), "/v1/books/gazebo/chat"
    ),
    "wrong origin": page(lambda ring: ring.token(), EVIL),
    "missing origin": headers(lambda ring: bearer(ring.token())),
    "null origin": page(lambda ring: ring.token(), "null"),
    "origin with port": page(lambda ring: ring.token(), f"{SITE}:443"),
    "origin with another port": page(lambda ring: ring.token(), f"{SITE}:8443"),
    "origin with a slash": page(lambda ring: ring.token(), f"{SITE}/"),
    "origin in capitals": page(lambda ring: ring.token(), SITE.upper()),
    "origin without https": page(lambda ring: ring.token(), SITE.replace("https", "http")),
    "origin below the host": page(lambda ring: ring.token(), SITE.replace("//", "//sub.")),
    "origin with a longer host": page(lambda ring: ring.token(), f"{SITE}.evil.example"),
    "two origins": page(lambda ring: ring.token(), SITE, EVIL),
    "two origins in one header": page(lambda ring: ring.token(), f"{SITE}, {EVIL}"),
    "a site's key from another page": headers(lambda ring: ring.page(ring.keys["site"], EVIL)),
    "a site's key from no page": headers(lambda ring: ring.bearer("site")),
}
"""403: they are known, and may not do this."""


def _swapped(key: str) -> str:
    """The key with its secret's letters in the other case."""
    return key[:-43] + key[-43:].swapcase()
