"""One cold start, measured: a fresh environment, one event."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testing.runtime.emulator import Emulator, Function, FunctionError
from testing.runtime.tools import Tools

_INIT = re.compile(r"INIT REPORT\(durationMs: ([\d.]+)\)")
_IMPORT = re.compile(r"^import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)$", re.MULTILINE)
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Start:
    """Milliseconds: `init` until the process takes events, `event` for the first one, `total` for both.

    `cpu` is what it had used of the processor by then, to 10 ms: other programs disturb that less.
    """

    init: float
    event: float
    total: float
    cpu: float
    status: int
    was_refusal: bool


def start(emulator: Emulator, event: Any) -> Start:
    """The environment is fresh: its process starts when the event comes."""
    with emulator:
        begun = time.perf_counter()
        try:
            response = emulator.invoke(event)
        except FunctionError:  # it ran out of time, on a busy machine
            response = {"statusCode": 504, "body": ""}
        total = 1000 * (time.perf_counter() - begun)
        cpu = _cpu(emulator.runtime_pid)
    reported = _INIT.search(emulator.log.read_text())
    init = float(reported[1]) if reported else 0.0
    return Start(
        init, total - init, total, cpu, response["statusCode"], '"was_refusal":true' in response["body"]
    )


def _cpu(process: int | None) -> float:
    if process is None:  # it was ended
        return 0.0
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND


def imports(function: Function, tools: Tools) -> Counter[str]:
    """Microseconds that the function's module takes to import, by package."""
    paths = (function.code, *function.layers)
    done = subprocess.run(
        [tools.python, "-P", "-S", "-X", "importtime", "-c", f"import {function.handler.rpartition('.')[0]}"],
        env={**function.environment, "PYTHONPATH": ":".join(map(str, paths))},
        capture_output=True,
        text=True,
        check=True,
    )
    spent: Counter[str] = Counter()
    for microseconds, module in _IMPORT.findall(done.stderr):
        spent[module.partition(".")[0]] += int(microseconds)
    return spent
