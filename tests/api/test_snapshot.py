"""SnapStart: what the runtime runs before the snapshot, and in each environment that is restored from it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from snapshot_restore_py import get_after_restore, get_before_snapshot

from bookbound.api import snapshot


@dataclass
class FakeSystem:
    """Remembers what was done to it, and on which loop."""

    done: list[str] = field(default_factory=list)
    loops: list[asyncio.AbstractEventLoop] = field(default_factory=list)

    async def warm(self) -> None:
        self.done.append("warm")
        self.loops.append(asyncio.get_running_loop())

    async def renew(self) -> None:
        self.done.append("renew")
        self.loops.append(asyncio.get_running_loop())


@pytest.fixture
def system() -> Iterator[FakeSystem]:
    """With its hooks registered, and no others."""
    for registry in (get_before_snapshot(), get_after_restore()):
        registry.clear()
    registered = FakeSystem()
    snapshot.prepare(registered)
    yield registered
    for registry in (get_before_snapshot(), get_after_restore()):
        registry.clear()


def freeze() -> None:
    """Run the hooks as the runtime's hook runner does: the last one first, each once."""
    while hooks := get_before_snapshot():
        function, arguments, named = hooks.pop()
        function(*arguments, **named)


def restore() -> None:
    """Run the hooks as the runtime's hook runner does."""
    for function, arguments, named in get_after_restore():
        function(*arguments, **named)


def test_the_system_is_warm_in_the_snapshot_and_renewed_after_it(system: FakeSystem) -> None:
    """In this order."""
    freeze()
    assert system.done == ["warm"]
    restore()
    assert system.done == ["warm", "renew"]


def test_no_loop_is_frozen_with_its_connections(system: FakeSystem) -> None:
    """Each hook has a separate loop, which is closed when the hook ends."""
    freeze()
    restore()
    assert [loop.is_closed() for loop in system.loops] == [True, True]


def test_the_gateways_loop_is_left_alone(system: FakeSystem, loop: None) -> None:
    """The adapter for API Gateway runs its requests on the thread's loop."""
    before = asyncio.get_event_loop_policy().get_event_loop()
    freeze()
    restore()
    assert asyncio.get_event_loop_policy().get_event_loop() is before


def test_restored_environments_draw_different_numbers(system: FakeSystem) -> None:
    """Their common state is the snapshot's: without a new seed all would wait for the same random times."""
    freeze()
    frozen = random.getstate()
    restore()
    one = random.random()
    random.setstate(frozen)
    restore()
    assert random.random() != one
