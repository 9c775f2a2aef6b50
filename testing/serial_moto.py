"""moto, restricted to one call at a time: its dicts change while another thread lists them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from moto.core.botocore_stubber import BotocoreStubber


@contextmanager
def serial() -> Iterator[None]:
    """For clients that call from several threads, of which some write."""
    answer, lock = BotocoreStubber.process_request, RLock()

    def one_at_a_time(stubber: BotocoreStubber, request: Any) -> Any:
        with lock:
            return answer(stubber, request)

    BotocoreStubber.process_request = one_at_a_time  # type: ignore[method-assign]
    try:
        yield
    finally:
        BotocoreStubber.process_request = answer  # type: ignore[method-assign]
