"""A function as Lambda runs it, and what goes wrong while it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Any

import httpx

from testing.job.machine import Killed
from trials.ingest_faults.faults import Fault, Heard, Spot, Wake
from trials.ingest_faults.wire import Call, heard_by

PATIENCE = 120
"""Seconds until a function is taken for one that never ends."""


class Function:
    """Fits wire.Listener: hears what its own body calls.

    It may be killed, and has no effect from then on; or be stopped, and goes on when asked to. `result`
    and `error` are those of one that was started, and has ended.
    """

    def __init__(self, body: Callable[[], Any], heard: Heard, faults: Sequence[Fault] = ()) -> None:
        self.heard = heard
        self.wake: Wake | None = None
        self._body = body
        self._faults = faults
        self._dead = False
        self._thread: Thread | None = None
        self.result: Any = None
        self.error: BaseException | None = None
        self._ended = False
        self._noticed = Event()
        self._go_on = Event()

    def run(self) -> Any:
        """Its result; raises its error."""
        with heard_by(self):
            return self._body()

    def start(self) -> None:
        """Run it in a separate thread."""
        self.heard.pause = self._pause
        self._thread = Thread(target=self._noted, daemon=True)
        self._thread.start()

    def stops(self) -> bool:
        """Tell whether it stops before its end; waits for either. Raises TimeoutError."""
        if not self._noticed.wait(PATIENCE):
            raise TimeoutError(f"{told(self.heard.spot)} neither stops nor ends")
        return not self._ended

    def wakes(self, done: Spot) -> bool:
        """Tell whether it has to go on now that a step is done."""
        own = self.heard.spot.run
        return self.wake == (done.step, done.run > own) and done.run >= own

    def finish(self) -> None:
        """Let it go on, and wait for its end. Raises TimeoutError."""
        assert self._thread is not None, "it was started"
        self._go_on.set()
        self._thread.join(PATIENCE)
        if not self._ended:
            raise TimeoutError(f"{told(self.heard.spot)} does not end")

    def before(self, call: Call) -> httpx.Response | None:
        if self._dead:
            raise Killed
        self._count(call)
        try:
            replies = [fault.before(self.heard, call) for fault in self._faults]
        except Killed:
            self._dead = True
            raise
        return next((reply for reply in replies if reply is not None), None)

    def after(self, call: Call) -> None:
        for fault in self._faults:
            fault.after(self.heard, call)

    def _noted(self) -> None:
        try:
            self.result = self.run()
        except BaseException as error:
            self.error = error
        self._ended = True
        self._noticed.set()

    def _pause(self) -> None:
        self._noticed.set()
        self._go_on.wait()

    def _count(self, call: Call) -> None:
        counts = self.heard.counts
        counts[call.service] += 1
        counts["any"] += 1
        # To keep a lease, or to ask for a turn, is not what the other steps are for.
        aside = call.service == "dynamodb" and self.heard.spot.step not in ("begin", "report")
        counts["writes"] += call.writes and not aside


def told(spot: Spot) -> str:
    """A spot in words."""
    batch = f" {spot.batch}" if spot.step == "index" else ""
    return f"run {spot.run}, {spot.step}{batch}, attempt {spot.attempt}"
