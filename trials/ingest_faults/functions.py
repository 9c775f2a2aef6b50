"""The functions of the steps as the state machine calls them: once, twice, or left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from bookbound.errors import LeaseTaken, Throttled
from testing.job.machine import Event, Step
from trials.ingest_faults.faults import Again, Fault, Heard, Kind, Others, Spot, Stop
from trials.ingest_faults.function import Function, told

TIMED_OUT = type("Sandbox.Timedout", (Exception,), {})
"""Named as Lambda names what it says of a function that did not end."""

WAITED_SECONDS = 60.0
"""Time that passes, for the table, while the machine waits for a limit or for a lease."""


class Functions:
    """All calls of a schedule's functions.

    `runs` has each run's number by its name, and `heard` what was called so far. `look` is called after each
    of them, with a name for the place, `complain` with the place and what is wrong there, and `age` with
    seconds that are to have passed.
    """

    def __init__(
        self,
        faults: Sequence[Fault],
        others: Others,
        *,
        look: Callable[[str], None],
        complain: Callable[[str, str], None],
        age: Callable[[float], None],
    ) -> None:
        self.faults = faults
        self.runs: dict[str, int] = {}
        self.heard: list[Heard] = []
        self._others = others
        self._look = look
        self._complain = complain
        self._age = age
        self._attempts: Counter[tuple[int, str, int]] = Counter()
        self._sleepers: list[Function] = []
        self._lock = Lock()

    def call(self, step: str, inner: Step, event: Event) -> Any:
        """A step's function as Lambda runs it. Raises what the function does, Killed, TIMED_OUT."""
        heard = self._begun(step, event)
        try:
            result = self._through(lambda: inner(event), heard)
        except (Throttled, LeaseTaken):
            self._age(WAITED_SECONDS)
            raise
        finally:
            self._look(told(heard.spot))
        self._wake(lambda sleeper: sleeper.wakes(heard.spot))
        return result

    def wake_all(self) -> None:
        """Let every function that was stopped go on to its end."""
        self._wake(lambda sleeper: True)

    def _begun(self, step: str, event: Event) -> Heard:
        at = (self.runs[event["run"]], step, event.get("batch", 1))
        with self._lock:
            self._attempts[at] += 1
            heard = Heard(Spot(*at, self._attempts[at]), self._others)
            self.heard.append(heard)
        return heard

    def _through(self, body: Callable[[], Any], heard: Heard) -> Any:
        faults = [fault for fault in self.faults if fault.strikes(heard.spot)]
        function = Function(body, heard, faults)
        for fault in faults:
            if isinstance(fault, Stop):
                return self._left(function, fault)
        again = next((fault for fault in faults if isinstance(fault, Again)), None)
        result = self._twice(function, body, again) if again else function.run()
        for fault in faults:
            fault.returning()
        return result

    def _left(self, function: Function, stop: Stop) -> Any:
        """The function's result; where it stops, it is taken for dead, and goes on later."""
        function.wake = stop.wake
        function.start()
        if function.stops():
            with self._lock:
                self._sleepers.append(function)
            raise TIMED_OUT("Task timed out")
        if function.error is not None:
            raise function.error
        return function.result

    def _twice(self, function: Function, body: Callable[[], Any], again: Again) -> Any:
        """The function's result, which is the same if it runs once more, later or at the same time."""
        spot = function.heard.spot
        twin = Function(body, Heard(spot, self._others))
        if again.kind is Kind.AT_ONCE:
            twin.start()
            try:
                result = function.run()
            finally:
                twin.finish()
        else:
            result = function.run()
            twin.start()
            twin.finish()
        again.fired += 1
        if twin.error is None and twin.result != result:
            self._complain(told(spot), f"once more it returns {twin.result}, not {result}")
        return result

    def _wake(self, wanted: Callable[[Function], bool]) -> None:
        with self._lock:
            woken = [sleeper for sleeper in self._sleepers if wanted(sleeper)]
            self._sleepers = [sleeper for sleeper in self._sleepers if sleeper not in woken]
        for sleeper in woken:
            sleeper.finish()
            self._look(f"{told(sleeper.heard.spot)}, gone on late")
