"""Keys change under traffic, and no request fails because of it.

Several authorizers answer at once, each in a thread and with separate memory, as Lambda runs them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import jwt
import pytest

from bookbound.access import credentials
from bookbound.access.authorizer import Authorizer, Unauthorized
from bookbound.access.credentials import Grant
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from testing.serial_moto import serial
from tests.authorizer.conftest import Stage, event, key

CALLERS = 4
PAGE = Grant("browser-1", ("ros2",), ("https://book.example",), address="0123456789abcdef")


@dataclass
class Traffic:
    """Callers that ask without a break; `credential` is what each of them sends at the time."""

    authorizers: list[Authorizer]
    credential: Callable[[int], str]
    let_in: int = 0
    failures: list[Exception] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    counting: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, caller: int) -> None:
        while not self.over.is_set():
            try:
                self.authorizers[caller].policy(event(f"Bearer {self.credential(caller)}"))
            except Exception as error:
                self.failures.append(error)
                return
            with self.counting:
                self.let_in += 1

    def goes_on(self) -> None:
        """Wait until every caller may have asked a few times more, or one failed."""
        goal = self.let_in + 5 * CALLERS
        end = time.monotonic() + 30
        while self.let_in < goal and not self.failures and time.monotonic() < end:
            time.sleep(0.005)
        assert self.let_in >= goal or self.failures, "the callers stand still"


def under_traffic(traffic: Traffic, *steps: Callable[[], object]) -> None:
    """The steps, with requests before, between and after them; raises what a request failed with."""
    with serial(), ThreadPoolExecutor(CALLERS) as callers:
        asking = [callers.submit(traffic.ask, caller) for caller in range(CALLERS)]
        try:
            traffic.goes_on()
            for step in steps:
                step()
                traffic.goes_on()
        finally:
            traffic.over.set()
    for one in asking:
        one.result()
    assert traffic.failures == []


@pytest.mark.rule("S1")
def test_a_clients_key_is_rotated_without_a_failed_request(stage: Stage) -> None:
    """Its servers take the new key one after the other, then the old one is let go."""
    client = stage.add()
    held = [key("a")] * CALLERS
    traffic = Traffic([stage.authorizer() for _ in held], lambda caller: held[caller])

    def rotate() -> None:
        stage.registry.rotate(client, credentials.key_hash(key("n")), int(time.time()) + 3600)

    def roll_out(to: range) -> None:
        for caller in to:
            held[caller] = key("n")

    under_traffic(traffic, rotate, lambda: roll_out(range(2)), lambda: roll_out(range(2, 4)))


@pytest.mark.rule("S1")
def test_an_overlap_of_nothing_ends_the_old_key(stage: Stage) -> None:
    """Unlike the rotation above, this one makes requests fail, as the traffic shows."""
    client = stage.add()
    traffic = Traffic([stage.authorizer() for _ in range(CALLERS)], lambda caller: key("a"))
    with pytest.raises(AssertionError):
        under_traffic(
            traffic, lambda: stage.registry.rotate(client, credentials.key_hash(key("n")), int(time.time()))
        )
    assert {type(failure) for failure in traffic.failures} == {Unauthorized}


@pytest.mark.rule("S4")
def test_the_signing_key_is_rotated_without_a_failed_request(stage: Stage) -> None:
    """Functions that saw the change and functions that did not sign and check side by side."""
    signers = [stage.signer()]
    old = signed(signers[0])
    turns = [0] * CALLERS

    def old_or_fresh(caller: int) -> str:
        """By turns: the token of before, and one of each signer that there is."""
        turns[caller] += 1
        half, is_old = divmod(turns[caller], 2)
        return old if is_old else signed(signers[half % len(signers)])

    traffic = Traffic([stage.authorizer() for _ in range(CALLERS)], old_or_fresh)
    under_traffic(
        traffic,
        lambda: stage.rotate_signing("second", "2"),
        lambda: signers.append(stage.signer()),
    )
    fresh = signed(signers[-1])
    assert [jwt.get_unverified_header(token)["kid"] for token in (old, fresh)] == ["first", "second"]


def signed(by: BrowserTokens) -> str:
    return by.sign(PAGE, int(time.time()))
