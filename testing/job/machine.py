"""The state machine itself, run by moto's interpreter; each of its functions is one of Python's.

What the interpreter lacks is put in from outside: an engine for JSONata, functions that really run, and waits
that are noted instead of waited for. What it cannot show is what AWS alone does: the tolerances of a map, and
that the states of a map do not see the variables around it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import boto3
import pytest
from jsonata import Jsonata
from moto import mock_aws
from moto.awslambda_simple.models import LambdaSimpleBackend
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.jsonata import jsonata

DEFINITION = Path(__file__).parents[2] / "ingest_job" / "state_machine.asl.json"
STEPS = ("begin", "discover", "index", "tally", "finish", "verify", "publish", "prune", "report")
PATIENCE = 90

_ROLE = "arn:aws:iam::123456789012:role/any"
_FUNCTION = "arn:aws:lambda:eu-central-1:123456789012:function:"
_INTERPRETED = {"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}}

Event = dict[str, Any]
Step = Callable[[Event], Any]
"""A function of the machine: takes the event, returns what is JSON."""


class Killed(BaseException):
    """The function ends without a word, as one that has no memory left: nothing in it can see that come."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function that was called; `error` is the kind of what it raised."""

    step: str
    event: Event
    result: Any
    error: str | None


@dataclass(frozen=True, slots=True)
class Execution:
    """Outcome of an execution. `states` are those that were entered, without those inside a Map."""

    name: str
    status: str
    output: Any
    error: str | None
    cause: str | None
    states: list[str]
    sizes: list[int]


@dataclass
class Machine:
    """A state machine with its functions; `calls` and `waits` (in seconds) are noted as they come."""

    arn: str
    steps: dict[str, Step]
    calls: list[Call] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    _started: int = 0

    def run(self, name: str | None = None, **asked: Any) -> Execution:
        """Start an execution, and wait until it ends. Raises TimeoutError."""
        return self.ended(self.start(name, **asked))

    def start(self, name: str | None = None, **asked: Any) -> str:
        """Start an execution; its ARN."""
        self._started += 1
        client = boto3.client("stepfunctions")
        started = client.start_execution(
            stateMachineArn=self.arn, name=name or f"run-{self._started}", input=json.dumps(asked)
        )
        return started["executionArn"]

    def ended(self, arn: str) -> Execution:
        """Return the outcome of an execution. Raises TimeoutError when it does not end."""
        client = boto3.client("stepfunctions")
        deadline = time.monotonic() + PATIENCE
        while (found := client.describe_execution(executionArn=arn))["status"] == "RUNNING":
            if time.monotonic() > deadline:
                raise TimeoutError(f"{arn} still runs")
            time.sleep(0.02)
        events: list[Any] = []
        for page in client.get_paginator("get_execution_history").paginate(executionArn=arn):
            events += page["events"]
        entered = (one["stateEnteredEventDetails"] for one in events if "stateEnteredEventDetails" in one)
        return Execution(
            name=found["name"],
            status=found["status"],
            output=json.loads(found.get("output") or "null"),
            error=found.get("error"),
            cause=found.get("cause"),
            states=[one["name"] for one in entered],
            sizes=[len(json.dumps(one, default=str)) for one in events],
        )

    def invoke(self, name: str, body: str, headers: dict[str, str]) -> bytes:
        """Answer as Lambda does: with the result, or the error with a header that says so."""
        step, event = name.rpartition(":")[2], json.loads(body)
        try:
            result, error = self.steps[step](event), None
        except Killed:
            result, error = {"errorType": "Runtime.ExitError", "errorMessage": "Runtime exited"}, "Killed"
        except Exception as raised:
            error = type(raised).__name__
            result = {"errorType": error, "errorMessage": str(raised), "stackTrace": []}
        if error:
            headers["x-amz-function-error"] = "Unhandled"
        with self._lock:
            self.calls.append(Call(step, event, result, error))
        return json.dumps(result).encode()

    def around(self, step: str, wrapper: Callable[[Step, Event], Any]) -> None:
        """From now on the wrapper is called with the step and its event."""
        inner = self.steps[step]
        self.steps[step] = lambda event: wrapper(inner, event)

    def called(self, step: str) -> list[Call]:
        """The calls of a step, in order."""
        return [call for call in self.calls if call.step == step]


@contextmanager
def account() -> Iterator[None]:
    """An account of moto's in which state machines run."""
    with mock_aws(config=_INTERPRETED):  # type: ignore[arg-type]
        yield


@contextmanager
def machine(steps: Mapping[str, Step], bucket: str) -> Iterator[Machine]:
    """The machine of the definition, over these functions; needs `account`."""
    arn = boto3.client("stepfunctions").create_state_machine(
        name="ingest", definition=substituted(bucket), roleArn=_ROLE
    )["stateMachineArn"]
    built = Machine(arn, dict(steps))

    def invoke(backend: Any, name: str, qualifier: Any, body: Any, *headers: Any) -> bytes:
        return built.invoke(name, body, headers[-1])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LambdaSimpleBackend, "invoke", invoke)
        patch.setattr(jsonata, "_eval_jsonata", evaluated)
        patch.setattr(retrier_decl, "time", _Hurried(built.waits))
        yield built


def substituted(bucket: str) -> str:
    """The definition with a name for each place that is left open."""
    names = {f"{step.capitalize()}Function": f"{_FUNCTION}{step}" for step in STEPS}
    definition = DEFINITION.read_text()
    for name, value in {**names, "BooksBucket": bucket}.items():
        definition = definition.replace(f"${{{name}}}", value)
    return definition


def evaluated(expression: str) -> Any:
    """A JSONata expression's value, as plain JSON."""
    return json.loads(json.dumps(Jsonata(expression).evaluate(None)))


@dataclass
class _Hurried:
    """Stands in for the module `time` where the interpreter waits before it tries again."""

    waits: list[float]

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        time.sleep(min(seconds, 0.01))
