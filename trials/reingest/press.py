"""A book that changes: each edition's sentences carry its number."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import boto3

from bookbound.index.run_report import RUN_REPORT_JSON
from testing.job.machine import Event, Step
from testing.job.stage import JobStage, zipped
from testing.vendors.cohere import hashed

PARTS = ("gauge", "valve", "rotor", "pump", "lever", "motor")
"""Each has a page that every edition changes."""

SPACING = 3.0
"""Seconds from one edition to the next, at least: a run of a dozen functions takes AWS longer. Twice that is
more than FRESH_SECONDS and a question; the third version after the open one deletes that."""


@dataclass(frozen=True, slots=True)
class Published:
    """An edition that went live, and when: seconds of the answers' clock."""

    edition: int
    version: str
    at: float


class Press:
    """Publishes editions of a book."""

    def __init__(self, stage: JobStage) -> None:
        self.published: list[Published] = []
        self._stage = stage
        self._live_at = time.monotonic()
        stage.machine.around("publish", followed_by(self._noted))

    def publish(self, edition: int) -> None:
        """Make an edition live. Raises RuntimeError when its run fails."""
        time.sleep(max(0.0, self._live_at + SPACING - time.monotonic()))
        execution = self._stage.machine.run(**self._stage.upload(zipped(_pages(edition)), f"v{edition}"))
        if execution.status != "SUCCEEDED":
            raise RuntimeError(f"edition {edition}: {execution.error}: {execution.cause}")
        found = boto3.client("s3").get_object(Bucket="books", Key=execution.output["report"])
        report = RUN_REPORT_JSON.validate_json(found["Body"].read()).report
        assert report is not None, "it was published"
        self.published.append(Published(edition, report.version, self._live_at))

    def _noted(self) -> None:
        self._live_at = time.monotonic()


def _pages(edition: int) -> dict[str, str]:
    """A book of which every edition changes all pages but one."""
    pages = {f"{part}.md": _page(part, edition) for part in PARTS}
    return {**pages, "preface.md": "# Preface\n\nThis manual is for those who turn parts.\n"}


def _page(part: str, edition: int) -> str:
    turns, weight = 100 + edition, 1_000 + edition
    return (
        f"# The {part}\n\nIn edition {edition} the {part} turns {turns} times a minute. "
        f"In edition {edition} the {part} weighs {weight} grams.\n"
    )


def without_numbers(texts: Sequence[str]) -> list[list[float]]:
    """Vectors by the words alone: each edition answers what the others do."""
    return hashed([re.sub(r"\d+", "", text) for text in texts])


def followed_by(after: Callable[[], None]) -> Callable[[Step, Event], Any]:
    """A step's wrapper: something happens when the step is done."""

    def wrapper(step: Step, event: Event) -> Any:
        result = step(event)
        after()
        return result

    return wrapper
