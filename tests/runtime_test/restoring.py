"""SnapStart's story, in the runtime's Python with a function's paths; each of its turns is a line of JSON.

Initialised, frozen by the runtime's own hook runner; restored once an event comes in, and asked.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from awslambdaric.bootstrap import _get_handler  # type: ignore[import-not-found]
from awslambdaric.lambda_context import LambdaContext  # type: ignore[import-not-found]
from awslambdaric.lambda_runtime_hooks_runner import (  # type: ignore[import-not-found]
    run_after_restore,
    run_before_snapshot,
)


def connections() -> list[str]:
    """Return the TCP connections of this process by inode, so without an event loop's own pair."""
    known = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]}
    links = (each.readlink().name for each in Path("/proc/self/fd").iterdir() if each.is_symlink())
    return [inode for link in links if (inode := link.removeprefix("socket:[").rstrip("]")) in known]


def tell(turn: str, **more: Any) -> None:
    """Print what is imported and connected now."""
    now = {"turn": turn, "modules": sorted(sys.modules), "connections": connections()}
    print(json.dumps(now | more), flush=True)


handler = _get_handler(os.environ["_HANDLER"])
run_before_snapshot()
tell("frozen")
event = json.loads(sys.stdin.readline())
run_after_restore()
now = time.time() * 1000
event["requestContext"]["requestTimeEpoch"] = now
context = LambdaContext("id", None, None, now + 10_000, "arn:aws:lambda:::function:api")
tell("asked", result=handler(event, context))
