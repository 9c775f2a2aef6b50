"""Environments of one function, one per concurrent event; a further event waits."""

from __future__ import annotations

import queue
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from testing.runtime.emulator import Emulator, Function
from testing.runtime.tools import Tools


class Invokable(Protocol):
    """A function as its callers see it; the result of `submit` may be a FunctionError or PayloadTooLarge."""

    def submit(self, event: Any) -> Future[Any]: ...


class Slots:
    """Fits Invokable: `number` emulators, for as long as the block lasts; their logs go into a folder."""

    def __init__(self, function: Function, number: int, tools: Tools, logs: Path) -> None:
        self.function = function
        self.emulators = tuple(
            Emulator(function, tools, logs / f"{function.name}-{slot}.log") for slot in range(number)
        )
        self._free: queue.SimpleQueue[Emulator] = queue.SimpleQueue()
        self._stack = ExitStack()

    def __enter__(self) -> Slots:
        with ExitStack() as starting:
            for emulator in self.emulators:
                self._free.put(starting.enter_context(emulator))
            self._workers = ThreadPoolExecutor(len(self.emulators), "slot")
            self._stack = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        # The emulators first: an event that is still under way ends with its own.
        self._stack.close()
        self._workers.shutdown()

    def submit(self, event: Any) -> Future[Any]:
        """Return the event's result as a future; it takes its turn even if no caller waits any more."""
        return self._workers.submit(self._invoke, event)

    def _invoke(self, event: Any) -> Any:
        emulator = self._free.get()
        try:
            return emulator.invoke(event)
        finally:
            self._free.put(emulator)
