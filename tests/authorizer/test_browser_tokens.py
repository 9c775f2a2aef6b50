"""Browser tokens: what they grant and for how long, and how keys change under them."""

import time

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.access import credentials
from bookbound.access.credentials import Grant
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from tests.authorizer.conftest import FIRST, HeldSecret

GRANT = Grant("browser-1", ("ros2",), ("https://book.example",), address="0123456789abcdef")


def tokens(stage: str = "dev", secret: dict[str, str] = FIRST) -> BrowserTokens:
    return BrowserTokens(HeldSecret(secret), stage)


def signed_now(by: BrowserTokens | None = None, ago: int = 0) -> str:
    return (by or tokens()).sign(GRANT, int(time.time()) - ago)


@pytest.mark.rule("S4")
def test_a_token_grants_what_it_was_signed_for() -> None:
    """Session, origin and book, in a token that fits the header's limit many times over."""
    token = signed_now()
    assert tokens().check(token) == GRANT
    assert len(token) < credentials.HEADER_LIMIT / 4


@pytest.mark.rule("S4")
def test_a_token_lives_15_minutes() -> None:
    """Good shortly before its end, and not after it."""
    assert credentials.TOKEN_SECONDS == 15 * 60
    assert tokens().check(signed_now(ago=credentials.TOKEN_SECONDS - 60)) == GRANT
    assert tokens().check(signed_now(ago=credentials.TOKEN_SECONDS)) is None


@pytest.mark.rule("S4")
def test_a_signers_clock_may_be_ahead() -> None:
    """Two functions' clocks differ; a fresh token is not refused for it."""
    assert tokens().check(signed_now(ago=-3)) == GRANT


@pytest.mark.rule("S4")
@given(st.data())
def test_a_token_altered_in_any_character_is_refused(data: st.DataObject) -> None:
    """Even the last letter of the signature has only one spelling."""
    token = signed_now()
    place = data.draw(st.integers(0, len(token) - 1) | st.just(len(token) - 1))
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= \n"
    letter = data.draw(st.sampled_from([one for one in alphabet if one != token[place]]))
    found = credentials.credential([f"Bearer {token[:place]}{letter}{token[place + 1 :]}"])
    assert not isinstance(found, credentials.BrowserToken) or tokens().check(found.text) is None


@given(st.from_regex(r"\A[A-Za-z0-9_-]{1,80}\.[A-Za-z0-9_-]{1,80}\.[A-Za-z0-9_-]{43}\Z"))
def test_no_token_breaks_the_check(token: str) -> None:
    """Text in the form of a token that is none is refused like the rest."""
    assert tokens().check(token) is None


@pytest.mark.rule("S4")
def test_an_unknown_key_is_looked_for_once() -> None:
    """A rotation shows itself by a key's new name; a known one costs no fetch."""
    second = credentials.rotated(FIRST, "second", "2" * 32)
    secret = HeldSecret(FIRST, newest=second)
    checker = BrowserTokens(secret, "dev")
    assert checker.check(signed_now()) == GRANT
    assert secret.fetches == 0
    assert [checker.check(signed_now(tokens(secret=second))) for _ in range(3)] == [GRANT] * 3
    assert secret.fetches == 1


@pytest.mark.rule("S4")
def test_a_token_of_the_key_before_is_good_until_the_next_rotation() -> None:
    """One rotation ends no token, and two of them end every one."""
    second = credentials.rotated(FIRST, "second", "2" * 32)
    third = credentials.rotated(second, "third", "3" * 32)
    assert tokens(secret=second).check(signed_now()) == GRANT
    assert tokens(secret=third).check(signed_now()) is None


@pytest.mark.rule("S4")
def test_a_signing_key_that_could_be_guessed_signs_nothing() -> None:
    """HS256 wants 256 bits (RFC 7518, 3.2)."""
    with pytest.raises(jwt.InvalidKeyError):
        signed_now(tokens(secret={"kid": "first", "key": "short"}))
