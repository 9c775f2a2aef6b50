"""A function that is never restarted: what it holds does not grow with its answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from testing.runtime.emulator import Emulator
from testing.runtime.processes import Holding, holding
from testing.runtime.world import World, publish
from testing.vendors.cohere import Cohere, Embed, hashed
from tests.end_to_end.site import PAGES
from tests.runtime_test.asking import chat_event, content

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]  # the first test waits for the build

QUESTION = "How often does the lidar of Kestrel scan?"

WARM, MORE = 100, 500
"""Questions after which a process holds what it needs, and those that must not make it hold more."""

GROWTH = 0.03
"""Share of resident memory that an allocator does not give back at once."""


@contextmanager
def embedding(cohere: Cohere, embed: Embed) -> Iterator[None]:
    """The vendor with other vectors: these cost next to nothing."""
    usual, cohere.embed = cohere.embed, embed
    try:
        yield
    finally:
        cohere.embed = usual


def held_after(emulator: Emulator, numbers: range) -> Holding:
    """Return what the process holds once it has answered these questions, no two alike."""
    for number in numbers:
        asked = chat_event(QUESTION + "?" * number, book_id="kestrel")
        assert "12 Hz" in content(emulator.invoke(asked))["answer"]
    assert emulator.runtime_pid is not None
    return holding(emulator.runtime_pid)


@pytest.mark.rule("S3")
def test_500_questions_leave_nothing_behind(stage: World, tmp_path: Path) -> None:
    """Neither memory nor descriptors; and a book that is not the default one is asked by its id."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in PAGES.items():
        (docs / name).write_text(text)
    emulator = stage.api.emulators[1]
    with embedding(stage.vendors.cohere, hashed):
        publish(docs, "kestrel", tmp_path / "data", stage.api.function.environment)
        before = held_after(emulator, range(WARM))
        after = held_after(emulator, range(WARM, WARM + MORE))
    assert after.descriptors == before.descriptors
    assert after.memory <= before.memory * (1 + GROWTH)
