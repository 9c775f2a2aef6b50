"""SnapStart: what is done before the snapshot, once for all, and what each environment renews after it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from snapshot_restore_py import register_after_restore, register_before_snapshot


class Warmable(Protocol):
    """Object that can be loaded before it is needed, and cut off from the world it was loaded in."""

    async def warm(self) -> None: ...

    async def renew(self) -> None: ...


def prepare(system: Warmable) -> None:
    """Register both hooks; the runtime calls them where SnapStart is on, and nowhere else."""
    register_before_snapshot(_run, system.warm)
    register_after_restore(_renew, system)


def _run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run on a separate loop, whose connections end with it: none is frozen into the snapshot."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        runner.run(work())


def _renew(system: Warmable) -> None:
    # Every environment would draw the same numbers: retries of all of them would come at the same moments.
    random.seed()
    _run(system.renew)
