"""A book that is ingested again and again, while readers ask."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from testing.job.stage import job_stage
from trials.ingest_faults.stage import hurried
from trials.reingest.press import Press, Published, followed_by, without_numbers
from trials.reingest.readers import Answer, Reader, Readers


@dataclass
class Outcome:
    """Results of all questions asked while editions went live."""

    published: list[Published]
    readers: list[Reader]

    def mixed(self, reader: Reader) -> list[Answer]:
        """Answers that tell of another edition than their version is of."""
        editions = {one.version: one.edition for one in self.published}
        return [one for one in reader.answers if one.version and one.editions - {editions.get(one.version)}]

    def late(self, reader: Reader) -> float:
        """The longest time from a publication to the first answer by that edition or a later one."""
        order = {one.version: place for place, one in enumerate(self.published)}
        answered = [(order.get(one.version or "", -1), one.answered) for one in reader.answers]
        first = (
            min((at for place, at in answered if place >= order[one.version]), default=None)
            for one in self.published[1:]
        )
        waits = [at - one.at for one, at in zip(self.published[1:], first, strict=True) if at is not None]
        return max(waits, default=0.0)

    @property
    def good(self) -> bool:
        """True if every question was answered, and no answer mixes editions."""
        answers = [one for reader in self.readers for one in reader.answers]
        return all(one.editions for one in answers) and not any(map(self.mixed, self.readers))


def reingest(folder: Path, times: int, shown: Callable[[Iterable[int]], Iterable[int]] = iter) -> Outcome:
    """Ingest that many further editions of a book while readers ask; `shown` shows how far that is."""
    with ExitStack() as stack:
        stack.enter_context(hurried(folder))
        stage = stack.enter_context(job_stage(folder, os.environ.__setitem__))
        stage.cohere.embed = without_numbers
        press = Press(stage)
        press.publish(0)
        readers = stack.enter_context(Readers(stage))
        stage.machine.around("prune", followed_by(readers.pruned))
        for edition in shown(range(1, 1 + times)):
            press.publish(edition)
        readers.wait_for(press.published[-1].version)
    return Outcome(press.published, readers.all)
