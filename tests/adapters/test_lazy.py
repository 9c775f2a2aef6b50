"""Adapters that are made when they are first used: what is never used is never made."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from bookbound.adapters.lazy import GeneratorAtFirstUse, ReaderAtFirstUse
from bookbound.deadline import Deadline
from bookbound.errors import Unavailable
from bookbound.evidence.reading import excerpts
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft
from bookbound.ports import Reader
from testing.builders import evidence, inquiry, passage
from testing.fakes import FakeGenerator, FakeReader

QUESTION = "How long does the battery last?"
PACK = passage("The battery lasts for 90 minutes.")
EXCERPTS = excerpts(PACK, 0, len(PACK.text))
DRAFT = Draft((), 0.9, "prompt", "raw")


@dataclass
class Making:
    """Makes a reader, at first as often without success as it is told."""

    failures: int = 0
    made: list[FakeReader] = field(default_factory=list)

    def __call__(self) -> Reader:
        if self.failures:
            self.failures -= 1
            raise Unavailable("not yet")
        self.made.append(FakeReader())
        return self.made[-1]


async def test_a_reader_is_made_once_when_it_is_first_asked() -> None:
    """Several at once wait for the same one, and its readings are theirs."""
    making = Making()
    reader = ReaderAtFirstUse(making)
    assert making.made == []
    found = await asyncio.gather(*(reader.read(QUESTION, EXCERPTS) for _ in range(3)))
    [made] = making.made
    assert found == [await made.read(QUESTION, EXCERPTS)] * 3


async def test_a_reader_that_was_warmed_is_ready() -> None:
    """The first question does not wait for it."""
    making = Making()
    reader = ReaderAtFirstUse(making)
    await reader.warm()
    assert [reader.made] == making.made


async def test_what_could_not_be_made_is_made_for_the_next_who_asks() -> None:
    """A failure is whoever asked's alone."""
    reader = ReaderAtFirstUse(Making(failures=1))
    with pytest.raises(Unavailable, match="not yet"):
        await reader.read(QUESTION, EXCERPTS)
    assert await reader.read(QUESTION, EXCERPTS)


@pytest.mark.rule("G12")
@pytest.mark.parametrize("refuses", [True, False])
async def test_whether_a_generator_refuses_is_known_before_it_is_made(refuses: bool) -> None:
    """The gates ask before anything is written."""
    inner = FakeGenerator([DRAFT])
    generator = GeneratorAtFirstUse("claude", lambda: inner, refuses=refuses)
    assert (generator.name, generator.refuses, generator.made) == ("claude", refuses, None)
    brief = GeneratorInput(QUESTION, (inquiry(QUESTION),), evidence(PACK), "Power")
    assert await generator.write(brief, Deadline()) == DRAFT
    assert inner.briefs == [brief]
