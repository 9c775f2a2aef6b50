"""Load from locust, phase by phase: `python -m benchmarks.load.arrivals URL QUESTIONS PHASES`.

Prints a JSON line for each question. Arrivals don't wait for each other, as readers don't: each is a separate
greenlet, due at a moment that was drawn beforehand, and timed from that moment.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import gevent
from locust import FastHttpUser, constant, task
from locust.env import Environment

from benchmarks.load.phases import OK, Asked, Phase

CONNECTIONS = 5_000
"""More than ever wait at once: none may wait for another's connection."""

PATIENCE = 30.0
"""Seconds until no response counts as none."""


class Readers(FastHttpUser):
    """All readers; locust's own users would each wait for an answer before the next reader comes."""

    wait_time = constant(0)
    concurrency = CONNECTIONS
    connection_timeout = network_timeout = PATIENCE
    bodies: Sequence[dict[str, Any]] = ()
    phases: Sequence[Phase] = ()
    draw = random.Random(7)

    @task
    def ask_all(self) -> None:
        """All phases, once."""
        under_way: list[gevent.Greenlet] = []
        for number, phase in enumerate(self.phases):
            print(
                phase.name, f"for {phase.seconds:.0f} s" if phase.seconds else "", file=sys.stderr, flush=True
            )
            begun = time.perf_counter()
            if phase.readers:
                bodies = self._bodies(phase)
                under_way += [
                    gevent.spawn(self._in_turns, number, begun, bodies) for _ in range(phase.readers)
                ]
            for at in self._moments(phase):
                gevent.sleep(max(0.0, begun + at - time.perf_counter()))
                under_way.append(gevent.spawn(self._ask, number, begun, at, self.draw.choice(self.bodies)))
            gevent.sleep(max(0.0, begun + phase.seconds - time.perf_counter()))
            if phase.drained:
                gevent.joinall(under_way)
            under_way = [one for one in under_way if not one.ready()]
        gevent.joinall(under_way)
        self.environment.runner.quit()

    def _moments(self, phase: Phase) -> Iterator[float]:
        """Yield when arrivals are due: a Poisson process with the number that its rate says."""
        if phase.rate is None:
            return
        number = max(1, round(phase.rate * phase.seconds))
        yield from sorted(self.draw.uniform(0, phase.seconds) for _ in range(number))

    def _bodies(self, phase: Phase) -> Iterator[dict[str, Any]]:
        """Yield what readers ask in turns: for some time, or every question once."""
        if not phase.seconds:
            yield from self.draw.sample(self.bodies, len(self.bodies))
            return
        end = time.perf_counter() + phase.seconds
        while time.perf_counter() < end:
            yield self.draw.choice(self.bodies)

    def _in_turns(self, number: int, begun: float, bodies: Iterator[dict[str, Any]]) -> None:
        for body in bodies:
            self._ask(number, begun, time.perf_counter() - begun, body)

    def _ask(self, number: int, begun: float, at: float, body: dict[str, Any]) -> None:
        response = self.client.post("/v1/chat", json=body)
        took = time.perf_counter() - begun - at
        found = response.json() if response.status_code == OK else {}
        own_ms = found["latency_ms"]["total"] if found else None
        asked = Asked(number, at, took, response.status_code, own_ms, _is_proper(response))
        print(json.dumps(asdict(asked)), flush=True)


def _is_proper(response: Any) -> bool:
    status, headers = response.status_code, response.headers or {}
    problem = headers.get("content-type") == "application/problem+json"
    return status == OK or (problem and (status != 503 or "retry-after" in headers))


def _bodies(questions: Path) -> list[dict[str, Any]]:
    fields = ("question", "selected_text")
    lines = (json.loads(line) for line in questions.read_text("utf-8").splitlines())
    return [{name: line[name] for name in fields if line.get(name)} for line in lines]


def main(url: str, questions: str, phases: str) -> None:
    """Ask as the phases, a JSON array of them, say."""
    Readers.host = url
    Readers.bodies = _bodies(Path(questions))
    Readers.phases = [Phase(**phase) for phase in json.loads(phases)]
    runner = Environment(user_classes=[Readers]).create_local_runner()
    runner.start(1, spawn_rate=1)
    runner.greenlet.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
