"""Signed tokens as an attacker makes them: any header, any claims, any algorithm, no library in the way."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bookbound.access import credentials
from bookbound.access.credentials import Grant

SIGNATURE = "A" * 43
"""Text in the form of an HS256 signature."""

RSA = rsa.generate_private_key(65537, 2048)
PUBLIC_KEY = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def claims(stage: str, book: str, site: str, ago: int = 0) -> dict[str, Any]:
    """A browser token's claims, as they were given `ago` seconds ago."""
    grant = Grant("browser-1", (book,), (site,), address="0123456789abcdef")
    return credentials.claims(grant, stage, int(time.time()) - ago)


def without(claimed: Mapping[str, Any], name: str) -> dict[str, Any]:
    """All claims but one."""
    return {one: value for one, value in claimed.items() if one != name}


def header(**changes: Any) -> dict[str, Any]:
    """A token's header; `first` is the current key's name."""
    return {"alg": "HS256", "kid": "first", "typ": "JWT"} | changes


def unsigned(head: Any, claimed: Any) -> str:
    """The part of a token that is signed."""
    return f"{_encoded(head)}.{_encoded(claimed)}"


def signed(head: Any, claimed: Any, key: bytes | str) -> str:
    """Return a token with an HS256 signature, regardless of what its header says."""
    text = unsigned(head, claimed)
    secret = key.encode() if isinstance(key, str) else key
    return f"{text}.{_base64(hmac.digest(secret, text.encode(), 'sha256'))}"


def signed_rsa(head: Any, claimed: Any) -> str:
    """A token with an RS256 signature by a key of the attacker's."""
    text = unsigned(head, claimed)
    return f"{text}.{_base64(RSA.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def _encoded(part: Any) -> str:
    return _base64((part if isinstance(part, str) else json.dumps(part)).encode())


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
