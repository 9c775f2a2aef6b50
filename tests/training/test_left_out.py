"""Readings of a book that a reader never saw: what was read once is not read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bookbound.model import Excerpt
from testing.builders import passage, reading
from testing.fakes import FakeReader
from training.reader.left_out import Remembering

ASKED = "How long does the arm lift?"


@dataclass
class TwiceRead(FakeReader):
    """Confirms with a logit that counts up, and remembers what it looked at."""

    looked_at: list[Excerpt] = field(default_factory=list)

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        self.looked_at += excerpts
        return [float(len(self.looked_at)) for _ in excerpts]


async def test_both_looks_are_remembered_by_a_second_run(tmp_path: Path) -> None:
    """The same question and excerpt go to the reader once, also after the file was read again."""
    found = reading(ASKED, passage("The arm lifts for three seconds.")).excerpt
    inner = TwiceRead()
    first = Remembering(inner, tmp_path / "readings.pkl")
    told = await first.read(ASKED, [found]), await first.confirm(ASKED, [found])
    first.keep()
    second = Remembering(inner, tmp_path / "readings.pkl")
    assert (await second.read(ASKED, [found]), await second.confirm(ASKED, [found])) == told
    assert len(inner.read_so_far) == len(inner.looked_at) == 1
