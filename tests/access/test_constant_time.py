"""Secrets are compared in constant time: no comparison that ends at the first difference is on the path."""

from __future__ import annotations

import hmac
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bookbound.access import credentials
from bookbound.access.credentials import Client, ClientKey, Denied, Grant
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from tests.authorizer.conftest import FIRST, HeldSecret

KEY = ClientKey("campus", credentials.key_text("campus", "a" * 43))
OTHER = credentials.key_hash(credentials.key_text("campus", "b" * 43))


class Untouchable(str):
    """A hash that may not be compared as other texts are."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared with ==")

    __ne__ = __eq__


@contextmanager
def called_functions() -> Iterator[list[Any]]:
    """The functions of C that the block calls."""
    seen: list[Any] = []

    def note(frame: Any, event: str, function: Any) -> None:
        if event == "c_call":
            seen.append(function)

    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    ("current", "previous", "expected"),
    [
        (credentials.key_hash(KEY.text), None, Grant("campus")),
        (OTHER, credentials.key_hash(KEY.text), Grant("campus")),
        (OTHER, OTHER, Denied("wrong key")),
    ],
)
def test_a_keys_hashes_are_compared_in_constant_time(
    current: str, previous: str | None, expected: Grant | Denied
) -> None:
    """Both of them for every key, so that time does not tell which one a key fits either."""
    client = Client("campus", Untouchable(current), Untouchable(previous) if previous else None, 2)
    with called_functions() as called:
        decision = credentials.admit(KEY, client, now=1)
    assert decision == expected
    assert called.count(hmac.compare_digest) == 2


def test_a_hash_that_is_compared_otherwise_is_noticed() -> None:
    """The test above would fail for it."""
    with pytest.raises(AssertionError, match="=="):
        assert Untouchable(OTHER) == OTHER


@pytest.mark.rule("S4")
def test_a_tokens_signature_is_compared_in_constant_time() -> None:
    """By the library that checks it."""
    signed = BrowserTokens(HeldSecret(FIRST), "dev").sign(
        Grant("browser-1", ("ros2",), ("https://book.example",), address="ad"), 1
    )
    with called_functions() as called:
        assert BrowserTokens(HeldSecret(FIRST), "dev").check(signed[:-1] + "A") is None
    assert hmac.compare_digest in called
