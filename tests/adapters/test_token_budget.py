"""A model within a day's budget: usage never exceeds it, for any callers and any failures."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookbound.adapters.bundled.extractive import ExtractiveGenerator
from bookbound.adapters.lazy import GeneratorAtFirstUse
from bookbound.adapters.vendors.quoting_instead import QuotingInstead
from bookbound.adapters.vendors.token_budget import DAY_SECONDS, NEARLY_SPENT, SPENT, BudgetedGenerator, Day
from bookbound.answer.prompt import prompt
from bookbound.deadline import Deadline
from bookbound.errors import BudgetSpent, DeadlineExceeded, TurnedAway, Unavailable
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, DraftSentence, Usage
from bookbound.policy import notices
from bookbound.ports import Counters, Generator
from testing.builders import evidence, inquiry, passage
from testing.fakes import FakeCounters, FakeGenerator
from testing.hosting import until
from testing.vendors.misbehaviours import Misbehaviour
from tests.contract.staging import staged

QUESTION = "How long does the battery last?"
LASTS = "The battery lasts for 90 minutes."
BRIEF = GeneratorInput(QUESTION, (inquiry(QUESTION),), evidence(passage(LASTS)), "Robots")
ANSWER_TOKENS = 700
MOST = prompt(BRIEF).tokens_at_most + ANSWER_TOKENS
"""Tokens that a call reserves."""

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()
TODAY = "budget#2026-03-01"

many = settings(max_examples=40, deadline=None)


@dataclass
class Model:
    """Model behind an API: each call is billed as given, and may end with an error."""

    calls: list[tuple[int, Exception | None]]
    turns: int = 0
    billed: int = 0
    asked: int = 0
    name: str = "claude"
    refuses: bool = True

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        used, error = self.calls[self.asked % len(self.calls)]
        self.asked += 1
        for _ in range(self.turns):
            await asyncio.sleep(0)
        if not isinstance(error, TurnedAway):
            self.billed += used
        if error is not None:
            raise error
        return draft(used)


@dataclass
class Unsteady:
    """Counters that now and then cannot be reached, or count and do not say so."""

    inner: FakeCounters
    moods: list[str]
    asked: int = 0

    def add(self, name: str, amount: int, expires_at: int) -> int:
        mood = self.moods[self.asked % len(self.moods)]
        self.asked += 1
        if mood == "down":
            raise Unavailable("the counters cannot be reached")
        reached = self.inner.add(name, amount, expires_at)
        if mood == "mute":
            raise Unavailable("the answer was lost")
        return reached


@dataclass
class Stuck:
    """Counters whose call of a number does not come back until it is let go."""

    inner: FakeCounters
    number: int
    let_go: threading.Event = field(default_factory=threading.Event)
    asked: int = 0

    def add(self, name: str, amount: int, expires_at: int) -> int:
        self.asked += 1
        if self.asked == self.number:
            self.let_go.wait()
        return self.inner.add(name, amount, expires_at)


def draft(used: int | None) -> Draft:
    usage = None if used is None else Usage(used, 0)
    return Draft((DraftSentence(LASTS, ("S1",)),), 0.9, "prompt", "raw", usage=usage)


def within(
    budget: int,
    inner: Generator,
    counters: Counters | None = None,
    stand_in: Generator | None = None,
    clock: Callable[[], float] = lambda: NOON,
) -> Generator:
    """The generator within this budget; with a stand-in, which writes once it is spent."""
    budgeted = BudgetedGenerator(
        inner, counters or FakeCounters(), budget, clock, answer_tokens=ANSWER_TOKENS
    )
    return QuotingInstead(budgeted, stand_in) if stand_in else budgeted


async def ended(generator: Generator) -> Draft | Exception:
    """Return the draft of a call, or its error."""
    try:
        return await generator.write(BRIEF, Deadline(pace=10))
    except (Unavailable, DeadlineExceeded) as error:
        return error


# --- what is counted ------------------------------------------------------------------------------


async def test_what_was_reserved_becomes_what_was_used() -> None:
    """Two counts a call: all that it can cost before, the difference after."""
    counters = FakeCounters()
    await within(10 * MOST, Model([(1200, None)]), counters).write(BRIEF, Deadline(pace=10))
    assert [amount for _, amount, _ in counters.added] == [MOST, 1200 - MOST]
    assert counters.counts == {TODAY: 1200}


@pytest.mark.parametrize(
    ("error", "counted"),
    [
        (TurnedAway("529"), 0),
        (Unavailable("cut in mid-sentence"), MOST),
        (DeadlineExceeded("late"), MOST),
    ],
    ids=["turned away", "unreadable", "too late"],
)
async def test_a_call_that_may_be_billed_counts_in_full(error: Exception, counted: int) -> None:
    """Only a vendor that answered with an error has surely written nothing."""
    counters = FakeCounters()
    generator = within(10 * MOST, Model([(500, error)]), counters)
    with pytest.raises(type(error)):
        await generator.write(BRIEF, Deadline(pace=10))
    assert counters.counts == {TODAY: counted}


async def test_a_call_that_is_cancelled_counts_in_full() -> None:
    """A model goes on writing after its caller has gone."""
    counters, model = FakeCounters(), FakeGenerator([draft(1)], seconds=60, name="claude")
    call = asyncio.create_task(within(10 * MOST, model, counters).write(BRIEF, Deadline(pace=10)))
    await until(lambda: bool(model.briefs))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert counters.counts == {TODAY: MOST}


async def test_a_draft_that_does_not_tell_its_tokens_counts_in_full() -> None:
    """Rather too much than too little."""
    counters = FakeCounters()
    await within(10 * MOST, FakeGenerator([draft(None)]), counters).write(BRIEF, Deadline(pace=10))
    assert counters.counts == {TODAY: MOST}


async def test_what_cannot_be_made_has_reserved_nothing() -> None:
    """A stage whose keys are missing has its whole budget when they are there."""

    def make() -> Generator:
        raise Unavailable("no key")

    counters = FakeCounters()
    with pytest.raises(Unavailable, match="no key"):
        inner = GeneratorAtFirstUse("claude", make, refuses=True)
        await within(10 * MOST, inner, counters).write(BRIEF, Deadline(pace=10))
    assert counters.added == []


# --- what can never be exceeded -------------------------------------------------------------------

uses = st.integers(0, MOST)
ends = st.sampled_from(
    [None, None, None, TurnedAway("529"), Unavailable("garbled"), DeadlineExceeded("late")]
)


@many
@given(
    calls=st.lists(st.tuples(uses, ends), min_size=1, max_size=12),
    budget=st.integers(MOST // 2, 6 * MOST),
    processes=st.integers(1, 4),
    turns=st.integers(0, 3),
)
def test_no_number_of_callers_at_once_uses_more_than_the_budget(
    calls: list[tuple[int, Exception | None]], budget: int, processes: int, turns: int
) -> None:
    """This holds for any usage and any end of a call; the count is never less than the usage."""
    counters, model = FakeCounters(), Model(calls, turns)
    generators = [within(budget, model, counters) for _ in range(processes)]

    async def at_once() -> None:
        await asyncio.gather(*(ended(generators[n % processes]) for n in range(2 * len(calls))))

    asyncio.run(at_once())
    assert model.billed <= budget
    assert model.billed <= counters.counts[TODAY] <= budget


@many
@given(
    calls=st.lists(st.tuples(uses, ends), min_size=1, max_size=8),
    moods=st.lists(st.sampled_from(["up", "up", "down", "mute"]), min_size=1, max_size=12),
)
def test_what_was_used_while_nobody_could_count_is_counted_later(
    calls: list[tuple[int, Exception | None]], moods: list[str]
) -> None:
    """Answers go on; with the first count that gets through nothing is missing."""
    counters, model = FakeCounters(), Model(calls)
    unsteady = Unsteady(counters, moods)
    generator = within(1000 * MOST, model, unsteady)

    async def one_after_the_other() -> None:
        for _ in calls:
            await ended(generator)
        unsteady.moods = ["up"]
        await ended(generator)

    asyncio.run(one_after_the_other())
    assert model.asked == len(calls) + 1
    assert counters.counts[TODAY] >= model.billed


async def test_what_is_owed_is_added_once() -> None:
    """Through an outage of several calls, and by one of those that come after it at the same time."""
    counters = FakeCounters(reachable=False)
    generator = within(10 * MOST, Model([(1000, None)]), counters)
    for _ in range(3):
        await generator.write(BRIEF, Deadline(pace=10))
    counters.reachable = True
    await asyncio.gather(*(generator.write(BRIEF, Deadline(pace=10)) for _ in range(2)))
    assert counters.counts == {TODAY: 5000}


async def test_what_may_have_been_given_back_is_not_given_back_again() -> None:
    """Its answer was lost: the next call counts its own, and nothing of the one before."""
    counters = FakeCounters()
    generator = within(10 * MOST, Model([(1000, None)]), Unsteady(counters, ["up", "mute", "up", "up"]))
    for _ in range(2):
        await generator.write(BRIEF, Deadline(pace=10))
    assert counters.counts == {TODAY: 2000}


@pytest.mark.rule("D1", "D2")
@pytest.mark.parametrize("number", [1, 2], ids=["reserving", "giving back"])
async def test_counters_that_hang_cost_no_draft(number: int) -> None:
    """Neither before nor after the model has written."""
    stuck = Stuck(FakeCounters(), number)
    try:
        written = await within(10 * MOST, Model([(1000, None)]), stuck).write(BRIEF, Deadline(1.0))
    finally:
        stuck.let_go.set()
    assert written == draft(1000)


# --- days -----------------------------------------------------------------------------------------


async def test_a_day_begins_at_midnight_utc_with_its_whole_budget() -> None:
    """Tokens reserved before midnight are settled there."""
    now = [NOON]
    counters, model = FakeCounters(), Model([(MOST, None)])
    generator = within(MOST, model, counters, clock=lambda: now[0])
    await generator.write(BRIEF, Deadline(pace=10))
    with pytest.raises(BudgetSpent):
        await generator.write(BRIEF, Deadline(pace=10))
    now[0] += DAY_SECONDS / 2
    await generator.write(BRIEF, Deadline(pace=10))
    assert (counters.counts[TODAY], counters.counts["budget#2026-03-02"]) == (MOST, MOST)


@given(now=st.floats(0, 4e9))
def test_a_days_counter_outlives_it_by_a_day(now: float) -> None:
    """All moments of one day share a counter, which other days do not have."""
    day, moment = Day.at(now), datetime.fromtimestamp(int(now), UTC)
    assert day.counter == f"budget#{moment.date()}"
    assert datetime.fromtimestamp(day.forgettable_at, UTC).date() == moment.date() + timedelta(days=2)
    assert 0 < day.seconds_left(now) <= DAY_SECONDS


# --- what happens then ----------------------------------------------------------------------------


async def test_a_spent_budget_lets_the_stand_in_write_and_says_so() -> None:
    """Its name goes with the draft, and a notice for the reader; the model is not asked."""
    model, stand_in = Model([(1, None)]), FakeGenerator([draft(None)])
    written = await within(MOST - 1, model, stand_in=stand_in).write(BRIEF, Deadline(pace=10))
    assert (written.generator, written.notice) == ("extractive", notices.BUDGET_SPENT)
    assert (model.asked, len(stand_in.briefs)) == (0, 1)


@pytest.mark.rule("G12")
async def test_a_stand_in_that_cannot_refuse_declines_what_the_model_would_have_judged() -> None:
    """Evidence was let through for the model, which can tell by itself that it does not answer."""
    doubtful = replace(BRIEF, assured=False)
    model = within(MOST - 1, Model([(1, None)]), stand_in=ExtractiveGenerator())
    written = await model.write(doubtful, Deadline(pace=10))
    assert (model.refuses, written.generator, written.declined) == (True, "extractive", True)
    assert written.sentences == ()


async def test_without_a_stand_in_a_spent_budget_is_an_error_until_midnight() -> None:
    """Noon is twelve hours before it."""
    with pytest.raises(BudgetSpent) as raised:
        await within(MOST - 1, Model([(1, None)])).write(BRIEF, Deadline(pace=10))
    assert raised.value.retry_after == DAY_SECONDS / 2


async def test_a_call_for_which_there_is_no_room_leaves_room_for_a_smaller_one() -> None:
    """The tokens that it reserved are given back."""
    counters = FakeCounters()
    await ended(within(MOST - 1, Model([(1, None)]), counters))
    assert counters.counts[TODAY] == 0


@pytest.mark.parametrize("processes", [1, 5])
async def test_each_alarm_is_given_once_a_day_by_whoever_comes_first(
    processes: int, caplog: pytest.LogCaptureFixture
) -> None:
    """However many callers see that the budget is nearly spent, and then that it is."""
    now, counters = [NOON], FakeCounters()
    model = Model([(MOST, None)])
    generators = [
        within(10 * MOST, model, counters, FakeGenerator([draft(None)]), clock=lambda: now[0])
        for _ in range(processes)
    ]
    for _ in range(2):
        caplog.clear()
        await asyncio.gather(*(generators[n % processes].write(BRIEF, Deadline(pace=10)) for n in range(60)))
        for generator in generators:
            await generator.write(BRIEF, Deadline(pace=10))
        assert sorted(line.getMessage() for line in caplog.records) == sorted([NEARLY_SPENT, SPENT])
        assert {line.levelno for line in caplog.records} == {logging.ERROR}
        now[0] += DAY_SECONDS


async def test_a_budget_with_room_is_no_alarm(caplog: pytest.LogCaptureFixture) -> None:
    """Four fifths are not reached."""
    generator = within(10 * MOST, Model([(MOST, None)]))
    for _ in range(7):
        await generator.write(BRIEF, Deadline(pace=10))
    assert not caplog.records


async def test_an_alarm_that_cannot_be_counted_is_given_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Twice is better than never."""
    counters = Unsteady(FakeCounters(), ["up", "down"])
    await within(MOST, Model([(MOST, None)]), counters).write(BRIEF, Deadline(pace=10))
    assert [line.getMessage() for line in caplog.records] == [NEARLY_SPENT]


async def test_calls_that_nobody_counts_are_on_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Each of them, without a word of what was asked."""
    await within(MOST, Model([(1, None)]), FakeCounters(reachable=False)).write(BRIEF, Deadline(pace=10))
    [line] = caplog.records
    assert line.getMessage() == "a model's tokens are not counted"
    assert QUESTION not in str(line.__dict__)


# --- what the inner one can do --------------------------------------------------------------------


@dataclass
class Busy(FakeGenerator):
    """Generator that remembers its calls in addition to writing."""

    done: list[str] = field(default_factory=list)

    async def warm(self) -> None:
        self.done.append("warm")

    async def renew(self) -> None:
        self.done.append("renew")

    async def aclose(self) -> None:
        self.done.append("aclose")


async def test_the_inner_generators_life_goes_on_inside() -> None:
    """It is warmed, renewed and closed; a stand-in that is not needed is not made for that."""
    inner, made = Busy([draft(1)]), list[str]()

    def make() -> Generator:
        made.append("stand-in")
        return FakeGenerator([draft(1)])

    generator = within(MOST, inner, stand_in=GeneratorAtFirstUse("extractive", make, refuses=False))
    await generator.warm()
    await generator.renew()
    await generator.aclose()
    assert generator.name == inner.name
    assert (inner.done, made) == (["warm", "renew", "aclose"], [])


async def test_a_generator_without_a_life_of_its_own_needs_none() -> None:
    """A generator without such methods is not warmed, renewed or closed."""
    generator = within(MOST, FakeGenerator([draft(1)]), stand_in=FakeGenerator([draft(1)]))
    await generator.warm()
    await generator.renew()
    await generator.aclose()
    assert await generator.write(BRIEF, Deadline(pace=10)) == draft(1)


# --- which faults of Claude's cost nothing --------------------------------------------------------


@pytest.mark.parametrize(
    ("misbehaviour", "costs"),
    [
        (Misbehaviour.CONNECTION_REFUSED, False),
        (Misbehaviour.STATUS_401, False),
        (Misbehaviour.STATUS_429, False),
        (Misbehaviour.STATUS_529, False),
        (Misbehaviour.RESET_BEFORE_HEADERS, True),
        (Misbehaviour.TRUNCATED_JSON, True),
        (Misbehaviour.MAX_TOKENS, True),
    ],
    ids=lambda value: value.name.lower() if isinstance(value, Misbehaviour) else "",
)
async def test_what_claude_did_not_take_costs_nothing(misbehaviour: Misbehaviour, costs: bool) -> None:
    """An answer that got lost or was cut was written, and is billed."""
    counters = FakeCounters()
    async with staged("claude", misbehaviour=misbehaviour) as stage:
        with pytest.raises(Unavailable):
            await within(10 * MOST, stage.generator, counters).write(BRIEF, Deadline(pace=10))
    assert counters.counts[TODAY] == (MOST if costs else 0)
