"""One execution environment: a function in Lambda's emulator, which takes one event after another."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from layers.deps.tools import PYTHON, BuildError
from testing.runtime.processes import children, kill_session
from testing.runtime.tools import Tools

LOOPBACK = "127.0.0.1"
LARGEST_PAYLOAD = 6_291_556
"""Bytes of an event or of a result; the emulator cuts what is longer, Lambda's Invoke rejects it."""

_START_SECONDS = 30.0
_INVOCATIONS = "/2015-03-31/functions/function/invocations"


class FunctionError(Exception):
    """The function failed: it raised, ended, ran out of time or said too much.

    `kind` and `detail` are Lambda's errorType and errorMessage.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class PayloadTooLarge(Exception):
    """The event is larger than Invoke takes; the function does not see it."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function as it is deployed.

    Attributes:
        handler: such as `functions.api.handler.handler`.
        code: the asset's root, in Lambda /var/task.
        layers: folders whose content is, in Lambda, in /opt/python; the first one wins.
        environment: its variables.
        timeout: seconds that an event may take.
    """

    name: str
    handler: str
    code: Path
    layers: tuple[Path, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: int = 10


class Emulator:
    """The function in one environment, for as long as the block lasts; its output goes to `log`.

    It dies when two events come at once: take turns.
    """

    def __init__(self, function: Function, tools: Tools, log: Path) -> None:
        self.function = function
        self.log = log
        self._tools = tools

    def __enter__(self) -> Emulator:
        port, runtime_port = free_ports()
        self._client = httpx.Client(base_url=f"http://{LOOPBACK}:{port}", timeout=None, trust_env=False)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(port, runtime_port),
                env=self.environment,
                cwd=self.function.code,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            await_port(port, self.log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        kill_session(self._process.pid)
        self._process.wait()
        self._client.close()

    @property
    def pid(self) -> int:
        """The emulator's own process, which leads a session."""
        return self._process.pid

    @property
    def runtime_pid(self) -> int | None:
        """The process that runs the function; None before the first event, and after it has ended."""
        return next(iter(children(self._process.pid)), None)

    @property
    def environment(self) -> dict[str, str]:
        """Variables of the runtime's process, as in Lambda."""
        function = self.function
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
            "AWS_EXECUTION_ENV": f"AWS_Lambda_python{PYTHON}",
            "AWS_LAMBDA_FUNCTION_NAME": function.name,
            "AWS_LAMBDA_FUNCTION_TIMEOUT": str(function.timeout),
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "LAMBDA_TASK_ROOT": str(function.code),
            "_HANDLER": function.handler,
            **function.environment,
            "PYTHONPATH": ":".join(map(str, (*function.layers, self._tools.client))),
        }

    def invoke(self, event: Any) -> Any:
        """The function's result for an event; blocks. Raises FunctionError, PayloadTooLarge."""
        payload = json.dumps(event, ensure_ascii=False).encode()
        if len(payload) > LARGEST_PAYLOAD:
            raise PayloadTooLarge
        try:
            reply = self._client.post(_INVOCATIONS, content=payload)
        except httpx.TransportError as error:
            raise FunctionError("Sandbox.Failure", f"the emulator is gone; see {self.log}") from error
        return _result(reply.text)

    def _command(self, port: int, runtime_port: int) -> list[str]:
        addresses = {"interface-emulator": port, "api": runtime_port}
        return [
            str(self._tools.emulator),
            *(
                text
                for name, number in addresses.items()
                for text in (f"--runtime-{name}-address", f"{LOOPBACK}:{number}")
            ),
            # Without site-packages: what a layer does not bring is not there.
            *(str(self._tools.python), "-S", "-m", "awslambdaric", self.function.handler),
        ]


def _result(text: str) -> Any:
    """The emulator tells a failure from a result by its body alone."""
    try:
        result = json.loads(text)
    except json.JSONDecodeError:
        raise FunctionError("Sandbox.Timedout", text) from None
    if isinstance(result, dict) and {"errorType", "errorMessage"} <= result.keys():
        raise FunctionError(result["errorType"], result["errorMessage"])
    return result


def free_ports() -> tuple[int, int]:
    """Return two ports that are not in use now."""
    with socket.create_server((LOOPBACK, 0)) as one, socket.create_server((LOOPBACK, 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]


def await_port(port: int, log: Path) -> None:
    """Wait until a server listens; `log` is where it would tell why it does not. Raises BuildError."""
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends:
        try:
            socket.create_connection((LOOPBACK, port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise BuildError(f"nothing listens at port {port}; see {log}")
