"""Inputs that fuzzing found, and a few of each kind, against the laws, without the fuzzer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """Lambda's one event loop: the API's adapter takes the thread's."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    loop.close()
    asyncio.set_event_loop(None)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_keeps_the_law(path: Path) -> None:
    """Each of them broke it, or is one of its kind."""
    TARGETS[path.parent.name].law(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_keep_the_law(name: str) -> None:
    """Good inputs and the plainest bad ones."""
    seeds = list(TARGETS[name].seeds())
    assert seeds
    for seed in seeds:
        TARGETS[name].law(seed)


def test_the_corpus_is_of_known_targets_and_small() -> None:
    """A folder of no target would never be read."""
    assert {path.parent.name for path in KEPT} == set(TARGETS)
    assert sum(path.stat().st_size for path in KEPT) < 300_000
