"""Recorded drafts: what they are, how they are kept, and a loopback model that replays them.

A draft cites passages by a hash of their text, so that it can be replayed whatever ids a prompt gives them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from bookbound.answer.prompt import template
from testing.vendors.models import REFUSAL
from testing.vendors.passages import shown

HOME = Path("training/drafts")

_MARK = re.compile(r"\[(S\d+)\]")


class Replayed(StrEnum):
    """Which drafts are replayed: true ones, or first ones with one fact altered."""

    TRUE = "true"
    ALTERED = "altered"


@dataclass(frozen=True, slots=True)
class Recording:
    """The drafts for one question.

    Attributes:
        id: the question's. passages: id in the drafts' marks → hash of the passage's text.
        first, strict: true answers to the first prompt and to the stricter one; `first` may decline.
        altered: the first one with one fact changed, in the sentence `altered_sentence`.
        kind: what was altered.
    """

    id: str
    question: str
    passages: Mapping[str, str]
    first: str
    strict: str
    altered: str
    altered_sentence: str
    kind: str


def digest(text: str) -> str:
    """The hash by which a passage is known."""
    return sha256(text.encode()).hexdigest()[:16]


def load(book: str) -> list[Recording]:
    """A book's recordings."""
    lines = (HOME / f"{book}.jsonl").read_text("utf-8").splitlines()
    return [Recording(**json.loads(line)) for line in lines]


def write(book: str, recordings: Sequence[Recording]) -> None:
    """Keep a book's recordings in the order of their ids."""
    HOME.mkdir(parents=True, exist_ok=True)
    ordered = sorted(recordings, key=lambda one: one.id)
    lines = [json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in ordered]
    (HOME / f"{book}.jsonl").write_text("".join(lines), "utf-8")


@dataclass
class Replaying:
    """Fits testing.vendors.models.Model: replays what was written for a question.

    It declines where the prompt lacks a passage that the draft cites, or asks a part of the question alone
    (the gates refused the rest), and counts that in `lacking`.
    """

    recordings: Mapping[str, Recording]
    which: Replayed
    lacking: set[str] = field(default_factory=set)

    def __call__(self, system: str, question: str) -> str:
        recording = self.recordings.get(question)
        if recording is None:
            self.lacking.add(question)
            return REFUSAL
        strict = template().second.strip() in system
        written = recording.altered if self.which is Replayed.ALTERED else recording.first
        known = {digest(passage.text): passage.id for passage in shown(system)}
        text = recording.strict if strict else written
        cited = {mark: known.get(recording.passages[mark]) for mark in _MARK.findall(text)}
        if not all(cited.values()):
            self.lacking.add(recording.id)
            return REFUSAL
        return _MARK.sub(lambda mark: f"[{cited[mark[1]]}]", text)
