"""Faults of a step of a run, at a place that was drawn before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

import httpx
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

from testing.job.machine import Killed
from trials.ingest_faults.books import POISON
from trials.ingest_faults.wire import Call


class Kind(Enum):
    """A name, and what happens."""

    KILLED_BEFORE = "a step is killed before its first write"
    KILLED_BETWEEN = "a step is killed between two of its writes"
    KILLED_AFTER = "a step is killed after its writes, before it returns"
    TWICE = "a step runs twice, one after the other"
    AT_ONCE = "a step runs twice at the same time"
    LATE_IN_RUN = "a step stops, and goes on late in its own run"
    LATE_AFTER_PUBLISH = "a step stops, and goes on when a later run has published"
    LATE_AFTER_PRUNE = "a step stops, and goes on when a later run has pruned"
    THROTTLED = "429 for the next calls, without retry-after"
    THROTTLED_FOR = "429 for the next calls, with retry-after"
    STORE_LOST = "the connection to Qdrant is lost at the n-th call"
    BUCKET_TIMED_OUT = "S3 times out at the n-th call"
    TABLE_TIMED_OUT = "DynamoDB times out at the n-th call"
    POISON_REFUSED = "the embedding service refuses a page for good"
    POISON_KILLS = "a step dies whenever it embeds a page"
    LEASE_TAKEN_OVER = "the lease expires, and another run takes it"
    RACED_BY_RUN = "another run publishes, and the lease stops nobody"
    RACED_BY_ROLLBACK = "somebody rolls back meanwhile"


class Spot(NamedTuple):
    """A call of a step's function: the run's number in its schedule, the step, its batch, and how often
    it was called for that before, and now."""

    run: int
    step: str
    batch: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a fault: at a spot, and where it is `lasting` at each later attempt too."""

    spot: Spot
    lasting: bool = False

    def fits(self, here: Spot) -> bool:
        """Tell whether the fault is at `here`."""
        if self.lasting and here.attempt > self.spot.attempt:
            return here._replace(attempt=self.spot.attempt) == self.spot
        return here == self.spot


class Others(Protocol):
    """Other actors on the book during a run; each is given the spot, and returns whether it acted."""

    def take_over(self, spot: Spot) -> bool: ...

    def race(self, spot: Spot) -> bool: ...

    def roll_back(self, spot: Spot) -> bool: ...


@dataclass
class Heard:
    """A step's function as it runs; `counts` tells its calls so far, the present one included.

    By service, of all services ("any"), and of those that change something ("writes"). `pause` returns
    when the function shall go on.
    """

    spot: Spot
    others: Others
    pause: Callable[[], None] = lambda: None
    counts: Counter[str] = field(default_factory=Counter)


@dataclass
class Fault:
    """A fault at a place, and how often it has happened; this base class does nothing."""

    kind: Kind
    place: Place
    fired: int = 0

    def strikes(self, here: Spot) -> bool:
        """Tell whether it has to hear what is called here."""
        return self.place.fits(here)

    def before(self, heard: Heard, call: Call) -> httpx.Response | None:
        """Act before a call has an effect: raise an error, or return a reply without any."""
        return None

    def after(self, heard: Heard, call: Call) -> None:
        """Act when a call had its effect, and no caller knows yet."""

    def returning(self) -> None:
        """Act when the step is done, and no caller knows yet."""


@dataclass
class Kill(Fault):
    """Ends the function before its n-th write; without a number, when it is done."""

    write: int | None = None

    def before(self, heard: Heard, call: Call) -> None:
        if call.writes and heard.counts["writes"] == self.write:
            self._kill()

    def returning(self) -> None:
        if self.write is None:
            self._kill()

    def _kill(self) -> None:
        self.fired += 1
        raise Killed


@dataclass
class Cut(Fault):
    """A service cannot be reached at its n-th call and some more; or it can, and its answer is lost."""

    service: str = ""
    number: int = 1
    times: int = 1
    after_effect: bool = False

    def before(self, heard: Heard, call: Call) -> None:
        if not self.after_effect and self._hit(heard, call):
            raise self._unreached()

    def after(self, heard: Heard, call: Call) -> None:
        if self.after_effect and self._hit(heard, call):
            raise self._unanswered()

    def _hit(self, heard: Heard, call: Call) -> bool:
        hit = call.service == self.service and 0 <= heard.counts[self.service] - self.number < self.times
        self.fired += hit
        return hit

    def _unreached(self) -> Exception:
        if self.service == "qdrant":
            return httpx.ConnectError("no route to host")
        return ConnectTimeoutError(endpoint_url=self.service)

    def _unanswered(self) -> Exception:
        if self.service == "qdrant":
            return httpx.ReadError("connection reset by peer")
        return ReadTimeoutError(endpoint_url=self.service)


@dataclass
class Storm(Fault):
    """Refuses embedding calls from its place on, asking to retry later, `times` times."""

    times: int = 1
    retry_after: str | None = None
    begun: bool = False

    def strikes(self, here: Spot) -> bool:
        self.begun = self.begun or self.place.fits(here)
        return self.begun

    def before(self, heard: Heard, call: Call) -> httpx.Response | None:
        if call.service != "cohere" or not self.times:
            return None
        self.times -= 1
        self.fired += 1
        return _refusal(429, {"retry-after": self.retry_after} if self.retry_after else {})


@dataclass
class Poison(Fault):
    """Wherever they are indexed, pages with the word are refused, or kill who embeds them."""

    kills: bool = False

    def strikes(self, here: Spot) -> bool:
        return here.step == "index"

    def before(self, heard: Heard, call: Call) -> httpx.Response | None:
        if call.service != "cohere" or POISON.encode() not in call.body:
            return None
        self.fired += 1
        if self.kills:
            raise Killed
        return _refusal(422, {})


@dataclass
class Meeting(Fault):
    """Lets another actor work on the book at the n-th call, from beginning to end."""

    number: int = 1
    after_effect: bool = False

    def before(self, heard: Heard, call: Call) -> None:
        if not self.after_effect:
            self._meet(heard)

    def after(self, heard: Heard, call: Call) -> None:
        if self.after_effect:
            self._meet(heard)

    def _meet(self, heard: Heard) -> None:
        if heard.counts["any"] == self.number:
            self.fired += self._other(heard.others)(heard.spot)

    def _other(self, others: Others) -> Callable[[Spot], bool]:
        match self.kind:
            case Kind.LEASE_TAKEN_OVER:
                return others.take_over
            case Kind.RACED_BY_RUN:
                return others.race
        return others.roll_back


@dataclass
class Again(Fault):
    """The function is called twice for the same event; its caller takes care of that."""


class Wake(NamedTuple):
    """Event that resumes a stopped step: another one has succeeded, in the same run or a later one."""

    step: str
    later: bool


_AT_THE_END = Wake("report", later=False)


@dataclass
class Stop(Fault):
    """At its n-th call the function stops, and is taken for dead; it goes on when it is woken."""

    number: int = 1
    wake: Wake = _AT_THE_END

    def before(self, heard: Heard, call: Call) -> None:
        if heard.counts["any"] == self.number:
            self.fired += 1
            heard.pause()


def _refusal(status: int, headers: Mapping[str, str]) -> httpx.Response:
    return httpx.Response(status, headers=dict(headers), json={"id": "0", "message": "no"})
