"""How a trial runs the project's commands, and puts questions while one of them runs."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx

ROOT = Path(__file__).parents[2]
BOOKBOUND = ".venv/bin/bookbound"


class Commands(Protocol):
    """Runs a command in the project's folder; its exit status. `said` is what it reads from its input."""

    def run(self, *command: str, env: Mapping[str, str] = {}, said: str | None = None) -> int: ...

    def output(self, *command: str) -> str: ...


class Shell:
    """Commands that a person would type, with their output where theirs would be."""

    def run(self, *command: str, env: Mapping[str, str] = {}, said: str | None = None) -> int:
        """Run it, and return its exit status."""
        return subprocess.run(
            command, cwd=ROOT, env=os.environ | env, input=said, text=True, check=False
        ).returncode

    def output(self, *command: str) -> str:
        """What it prints; empty where it fails."""
        ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        return ran.stdout if ran.returncode == 0 else ""


@dataclass
class Traffic:
    """Questions at a steady pace; `asked` counts them."""

    url: str
    key: str
    question: str
    pause: float
    asked: int = 0

    @contextmanager
    def flowing(self) -> Iterator[None]:
        """Ask for as long as the block lasts; what comes back is the stage's business."""
        ended = threading.Event()
        thread = threading.Thread(target=self._ask, args=(ended,))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _ask(self, ended: threading.Event) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        with httpx.Client(timeout=30, headers=headers) as client:
            while not ended.wait(self.pause):
                self.asked += 1
                try:
                    client.post(f"{self.url}/v1/chat", json={"question": self.question})
                except httpx.HTTPError:
                    continue
