"""Questions put to a server, phase by phase, and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.evaluation.rates import percentile

OK = 200


@dataclass(frozen=True, slots=True)
class Phase:
    """A load: arrivals per second, independent of who is waiting, or a number of concurrent readers.

    Attributes:
        seconds: how long it lasts; 0 where readers ask each question once.
        rate: arrivals per second on average, drawn as a Poisson process; None where readers ask in turns.
        readers: readers who each ask again as soon as they are answered; 0 where arrivals have a rate.
        drained: whether everything is answered before the next phase begins.
    """

    name: str
    seconds: float = 0.0
    rate: float | None = None
    readers: int = 0
    drained: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what came back.

    Attributes:
        phase: the number of its phase, from 0.
        at: seconds from the phase's beginning to the moment at which it was due, whenever it was sent.
        took: seconds from that moment until its response was whole.
        status: of HTTP; 0 when no response came.
        own_ms: the server's own figure, of an answer or a refusal.
        proper: of an error, whether it is a problem document, which a 503 joins with a time to come back.
    """

    phase: int
    at: float
    took: float
    status: int
    own_ms: float | None = None
    proper: bool = True

    @property
    def ended(self) -> float:
        """Seconds from the phase's beginning until its response was whole."""
        return self.at + self.took


@dataclass(frozen=True, slots=True)
class Step:
    """Outcome of a phase; in seconds, and questions per second."""

    phase: Phase
    asked: Sequence[Asked]

    @property
    def answered(self) -> list[Asked]:
        """Questions answered, or refused by the book's measure: 200."""
        return [one for one in self.asked if one.status == OK]

    @property
    def offered(self) -> float:
        """Arrivals per second, as they were drawn."""
        return len(self.asked) / self.seconds

    @property
    def seconds(self) -> float:
        """Length of the phase."""
        return self.phase.seconds or max(one.ended for one in self.asked)

    @property
    def achieved(self) -> float:
        """Answers per second, until the last of them: a queue that grows ends late."""
        answered = self.answered
        return len(answered) / max([self.seconds, *(one.ended for one in answered)])

    @property
    def kept_up(self) -> bool:
        """True if at least 95 % of what was offered was answered as it came."""
        return self.achieved >= KEPT_UP * self.offered

    @property
    def statuses(self) -> Counter[int]:
        """Number of questions by status."""
        return Counter(one.status for one in self.asked)

    @property
    def errors(self) -> int:
        """Number of questions that got no answer and no refusal."""
        return len(self.asked) - len(self.answered)

    def latency(self, percent: float) -> float | None:
        """A percentile of the answers' seconds, None without answers."""
        return percentile([one.took for one in self.answered], percent)

    def own_latency(self, percent: float) -> float | None:
        """The same of what the server says itself, which knows nothing of waiting on sockets."""
        told = [one.own_ms / 1000 for one in self.answered if one.own_ms is not None]
        return percentile(told, percent)


KEPT_UP = 0.95


def steps_of(phases: Sequence[Phase], asked: Sequence[Asked]) -> list[Step]:
    """Each phase with its own questions."""
    return [Step(phase, [one for one in asked if one.phase == number]) for number, phase in enumerate(phases)]
