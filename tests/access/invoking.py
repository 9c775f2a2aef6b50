"""A function of this process as the gateway invokes one: JSON goes in and comes out, errors have a name."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from testing.runtime.emulator import FunctionError

Handler = Callable[[Any, Any], Any]
"""Takes an event and a context."""


class InProcess:
    """In-process testing.runtime.slots.Invokable: one environment with a separate thread and loop.

    `load` gives the handler, there.
    """

    def __init__(self, load: Callable[[], Handler]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = ThreadPoolExecutor(1, initializer=asyncio.set_event_loop, initargs=(self._loop,))
        self._handler = self._thread.submit(load).result()

    def submit(self, event: Any) -> Future[Any]:
        """The event's result; of what the handler raises, the log has a traceback, as Lambda's has."""
        return self._thread.submit(self._invoke, json.dumps(event))

    def close(self) -> None:
        """Let the thread and its loop go."""
        self._thread.submit(lambda: self._loop.run_until_complete(self._loop.shutdown_default_executor()))
        self._thread.shutdown()
        self._loop.close()

    def _invoke(self, event: str) -> Any:
        try:
            return json.loads(json.dumps(self._handler(json.loads(event), None)))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            raise FunctionError(type(error).__name__, str(error)) from None
