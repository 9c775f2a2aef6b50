"""Bearer headers and browser tokens: only the exact key and token let a caller in (S1, S4)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bookbound.access import credentials
from bookbound.access.credentials import BrowserToken, Client, ClientKey, Grant
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from tests.fuzz.mutations import mutated_json
from tests.fuzz.target import Target

STAGE = "dev"
NOW = 1_700_000_000
KEYS = {"current": "1" * 32, "previous": "2" * 32, "other": "3" * 32, "": ""}
_SECRET = {
    "kid": "current",
    "key": KEYS["current"],
    "previous_kid": "previous",
    "previous_key": KEYS["previous"],
}
HEADER = {"alg": "HS256", "typ": "JWT", "kid": "current"}
CLAIMS: dict[str, Any] = {
    "iss": credentials.ISSUER, "aud": STAGE, "sub": "browser-1", "origin": "https://book.test",
    "book": "robotics",
    "addr": "0123456789abcdef", "iat": NOW, "nbf": NOW, "exp": 4_102_444_800,
}  # fmt: skip


class HeldSecret:
    """Fits signing.Secret; there is never a newer one."""

    def get(self) -> Mapping[str, str]:
        return _SECRET

    def refetch(self, outdated: Callable[[Mapping[str, str]], bool]) -> Mapping[str, str]:
        return _SECRET


def key(letter: str) -> str:
    return credentials.key_text("campus", letter * 43)


CLIENT = Client(
    "campus",
    credentials.key_hash(key("a")),
    previous_hash=credentials.key_hash(key("b")),
    previous_until=NOW + 60,
)
TOKENS = BrowserTokens(HeldSecret(), STAGE)


def signed(header: Any, claims: Any, name: str = "current") -> str:
    """A token of these parts, by a key of that name: made here, so that nothing in it has to be right."""
    parts = ".".join(_encoded(json.dumps(part).encode()) for part in (header, claims))
    return f"{parts}.{_encoded(hmac.digest(KEYS[name].encode(), parts.encode(), hashlib.sha256))}"


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


GOOD = signed(HEADER, CLAIMS)
LET_IN = {key("a"), key("b"), GOOD}


def law(content: bytes) -> None:
    """JSON tells of a token to be signed; anything else is a header's value, or a token."""
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, dict) and str(told.get("key")) in KEYS:
        _check_claims(told.get("header"), told.get("claims"), str(told["key"]))
        return
    text = content.decode("utf-8", "replace")
    _check_header(text)
    # Base64's own padding changes nothing, and gets through no header.
    assert (TOKENS.check(text) is not None) == (text.rstrip("=") == GOOD), "an altered token is taken"


def _check_header(text: str) -> None:
    given = credentials.credential([text])
    assert credentials.credential([]) is None
    assert credentials.credential([text, text]) is None, "two headers are taken"
    if given is None:
        return
    scheme, _, rest = text.strip(" \t").partition(" ")
    assert scheme.lower() == "bearer"
    assert given.text == rest.lstrip(" ")
    assert given.text.isascii()
    assert len(text) <= credentials.HEADER_LIMIT
    if isinstance(given, BrowserToken):
        assert (TOKENS.check(given.text) is not None) == (given.text == GOOD), "an altered token is taken"
        return
    assert isinstance(given, ClientKey)
    assert given.text == credentials.key_text(given.client_id, given.text[-43:])
    admitted = isinstance(credentials.admit(given, CLIENT, NOW), Grant)
    assert admitted == (given.text in LET_IN), "a wrong key is taken, or the right one is not"


def _check_claims(header: Any, claims: Any, name: str) -> None:
    grant = TOKENS.check(signed(header, claims, name))
    if grant is None:
        return
    assert header["alg"] == "HS256"
    assert name in ("current", "previous")
    assert header["kid"] == name, "a key under another's name"
    assert claims["iss"] == credentials.ISSUER
    assert claims["aud"] == STAGE or STAGE in claims["aud"], "a token of another stage"
    assert float(claims["nbf"]) <= time.time() < float(claims["exp"]), "a token that is over, or not yet good"
    told = [claims[claim] for claim in ("sub", "book", "origin", "addr")]
    assert all(isinstance(one, str) and one for one in told), "a grant of odd claims"
    assert told == [grant.client_id, *grant.books, *grant.origins, grant.address]


def seeds() -> Iterator[bytes]:
    for text in (
        f"Bearer {key('a')}",
        f"bearer  {key('b')} ",
        f"Bearer {GOOD}",
        GOOD,
        key("a"),
        "Basic YTpi",
    ):
        yield text.encode()
    for name in KEYS:
        header = {**HEADER, "kid": name}
        yield json.dumps({"key": name, "header": header, "claims": CLAIMS}).encode()
    for changes in (
        {"alg": "none"},
        {"alg": "RS256"},
        {"crit": ["b64"], "b64": False},
        {"jwk": {}, "x5u": "http://a"},
    ):
        yield json.dumps({"key": "current", "header": {**HEADER, **changes}, "claims": CLAIMS}).encode()
    for claim, value in (("exp", NOW), ("nbf", 4_000_000_000), ("aud", ["dev"]), ("aud", "prod"), ("sub", 1)):
        yield json.dumps({"key": "current", "header": HEADER, "claims": {**CLAIMS, claim: value}}).encode()


TARGET = Target(
    law,
    seeds,
    mutate=mutated_json,
    words=(
        "Bearer ",
        "bearer\t",
        "Basic ",
        "bb_campus_",
        ".",
        "eyJ",
        "HS256",
        "none",
        "current",
        "previous",
        "\u0661",
        "=",
    ),
)
