"""Requests to the API, and their responses."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any
from uuid import UUID, uuid4, uuid5

import httpx

from trials.deadline.__main__ import is_whole

_CAMERA = "Its depth camera has a range of 6 m."
_FEEDBACK = "feedback"

KINDS: dict[str, Sequence[dict[str, Any]]] = {
    "answer": [
        {"question": "How often does the lidar of Kestrel scan?"},
        {"question": "How much does the Kestrel robot weigh?"},
        {"question": "Who built the Kestrel robot?"},
        {"question": "Where is the emergency stop of Kestrel?"},
    ],
    "refusal": [
        {"question": "What is the capital of Peru?"},
        {"question": "Which battery does Kestrel use?"},
        {"question": "How fast does the Osprey robot walk?"},
        {"question": "Write a Python function that makes the Kestrel robot walk."},
    ],
    "selection": [
        {"question": "What is its range?", "selected_text": _CAMERA},
        {"question": "Who built it?", "selected_text": _CAMERA},
    ],
    "personal": [
        {"question": "I am ada@example.org. How much does the Kestrel robot weigh?"},
        {"question": "How often does the lidar of Kestrel scan? Write to bob@example.com."},
    ],
    "bad": [{"question": " "}, {"question": "x" * 5000}, {"query": "What is Kestrel?"}],
    _FEEDBACK: [{"verdict": "correct"}, {"verdict": "incorrect", "comment": "Not what I asked."}],
}
WEIGHTS = {"answer": 40, "refusal": 25, "selection": 10, "personal": 10, "bad": 5, _FEEDBACK: 10}

QUESTIONS = [body for kind in ("answer", "refusal", "selection", "personal") for body in KINDS[kind]]

_RECORDED = {200, 503, 504}


@dataclass(frozen=True, slots=True)
class Seen:
    """A response that a client got to its end.

    Attributes:
        answer_id: None for a response that is no answer and no refusal.
        partial: whether a question got anything except a whole answer, a refusal, a 503 or a 504.
    """

    kind: str
    status: int
    seconds: float
    session_id: str
    answer_id: str | None
    outcome: str
    partial: bool

    @property
    def owed(self) -> bool:
        """True if it must have an audit record: answers, refusals, 503 and 504 (A1)."""
        return self.kind != _FEEDBACK and self.status in _RECORDED

    @property
    def log_id(self) -> str | None:
        """Its record's, which is derived from the answer's id; unknown for a 503 or 504."""
        return self.answer_id and str(uuid5(UUID(self.answer_id), "audit record"))


class Clients:
    """Concurrent clients, each with a separate session for every question."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url
        self._answered: list[str] = []

    async def ask(self, kind: str, body: dict[str, Any]) -> Seen:
        """One request. Raises httpx.TransportError when no whole response comes."""
        session_id, path = str(uuid4()), "chat"
        if kind == _FEEDBACK:
            path, body = "feedback", {**body, "answer_id": (self._answered or [session_id])[-1]}
        elif kind != "bad":
            body = {**body, "session_id": session_id}
        begun = time.perf_counter()
        response = await self._client.post(f"{self._url}/v1/{path}", json=body)
        seconds = time.perf_counter() - begun
        found = response.json()
        answer_id = found.get("answer_id") if path == "chat" and response.status_code == 200 else None
        if answer_id:
            self._answered.append(answer_id)
        outcome = (found["refusal_reason"] or "answered") if answer_id else str(response.status_code)
        partial = path == "chat" and kind != "bad" and not is_whole(response)
        return Seen(kind, response.status_code, seconds, session_id, answer_id, outcome, partial)


def mixed(number: int, seed: int) -> list[tuple[str, dict[str, Any]]]:
    """Requests of all kinds, drawn."""
    draw = random.Random(seed)
    kinds = draw.choices(list(WEIGHTS), list(WEIGHTS.values()), k=number)
    return [(kind, draw.choice(KINDS[kind])) for kind in kinds]


async def ask_all(
    url: str,
    requests: Sequence[tuple[str, dict[str, Any]]],
    in_flight: int,
    done: Callable[[int], None] = lambda _: None,
) -> list[Seen]:
    """Return the response to each request, with `in_flight` of them under way at a time."""
    waiting = iter(requests)
    seen: list[Seen] = []

    async def take(clients: Clients) -> None:
        for kind, body in waiting:
            seen.append(await clients.ask(kind, body))
            done(len(seen))

    async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
        clients = Clients(client, url)
        await asyncio.gather(*(take(clients) for _ in range(in_flight)))
    return seen


@dataclass(frozen=True, slots=True)
class Cut:
    """Clients' view of a killed service: whole responses, and how many seconds each of the other
    requests had been under way at that moment."""

    seen: list[Seen]
    under_way: list[float]


async def ask_until_killed(
    url: str,
    requests: Sequence[tuple[str, dict[str, Any]]],
    in_flight: int,
    kill: Callable[[], None],
    moment: float,
) -> Cut:
    """Ask over and over, and kill the service `moment` seconds after its first response."""
    waiting = cycle(requests)
    seen: list[Seen] = []
    begun: dict[int, float] = {}
    answering = asyncio.Event()

    async def take(number: int, clients: Clients) -> None:
        for kind, body in waiting:
            begun[number] = time.perf_counter()
            try:
                seen.append(await clients.ask(kind, body))
            except httpx.TransportError:
                return
            answering.set()

    async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
        clients = Clients(client, url)
        takers = asyncio.gather(*(take(number, clients) for number in range(in_flight)))
        await answering.wait()
        await asyncio.sleep(moment)
        killed = time.perf_counter()
        kill()
        await takers
    return Cut(seen, [killed - one for one in begun.values() if one < killed])
