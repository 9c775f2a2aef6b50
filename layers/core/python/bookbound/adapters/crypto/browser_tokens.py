"""Browser tokens: signed and checked with the keys of a stage's signing secret (RFC 7519, HS256; S4).

A token lives 15 minutes. The signer may hold the secret of before a rotation, and so may the checker: the
previous key is good until the next rotation, and an unknown key makes the checker fetch the secret again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import jwt

from bookbound.access import credentials
from bookbound.access.credentials import Grant

ALGORITHM = "HS256"

_JWT = jwt.PyJWT(
    {
        "require": ["iss", "aud", "sub", "origin", "book", "addr", "iat", "nbf", "exp"],
        # When a token was signed is not compared: the clocks of two machines differ.
        "verify_iat": False,
        "enforce_minimum_key_length": True,
    }
)


class Secret(Protocol):
    """The signing secret as held; `refetch` looks whether there is a newer one where it is outdated.

    Any caller can name an unknown key, so `refetch` is to bound how often it really looks.
    """

    def get(self) -> Mapping[str, str]: ...

    def refetch(self, outdated: Callable[[Mapping[str, str]], bool]) -> Mapping[str, str]: ...


class BrowserTokens:
    """The tokens of one stage.

    Every call raises Unavailable when the secret cannot be had.
    """

    def __init__(self, secret: Secret, stage: str) -> None:
        self._secret = secret
        self._stage = stage

    def sign(self, grant: Grant, now: int) -> str:
        """A token for a grant as `access.claims` needs it; it ends `access.TOKEN_SECONDS` after `now`."""
        secret = self._secret.get()
        claims = credentials.claims(grant, self._stage, now)
        return _JWT.encode(claims, secret["key"], ALGORITHM, {"kid": secret["kid"]})

    def address(self, address: str) -> str:
        """Return the stand-in for a network address until the next rotation; see `access.address_id`."""
        return credentials.address_id(address, self._secret.get()["key"])

    def check(self, token: str) -> Grant | None:
        """Return the token's grant; None if altered, over, of another stage or signed by no known key."""
        try:
            key = self._key(jwt.get_unverified_header(token).get("kid", ""))
            if key is None:
                return None
            verified = _JWT.decode(token, key, [ALGORITHM], audience=self._stage, issuer=credentials.ISSUER)
        except jwt.InvalidTokenError:
            return None
        return credentials.grant_of(verified)

    def _key(self, kid: str) -> str | None:
        known = credentials.signing_key(self._secret.get(), kid)
        if known is not None:
            return known
        fetched = self._secret.refetch(lambda held: credentials.signing_key(held, kid) is None)
        return credentials.signing_key(fetched, kid)
