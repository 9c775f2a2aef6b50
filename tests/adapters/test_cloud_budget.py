"""The day's budget as `wiring` builds it: in a stage's table, and in a file of one machine."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from bookbound import wiring
from bookbound.adapters.aws.table_counters import TableCounters
from bookbound.adapters.files.access_file import AccessFile
from bookbound.adapters.vendors.token_budget import BudgetedGenerator, Day
from bookbound.deadline import Deadline
from bookbound.errors import BudgetSpent, Throttled
from bookbound.model import Answered
from bookbound.policy import notices
from bookbound.ports import Counters
from bookbound.settings import Settings
from testing.fakes import FakeGenerator
from testing.serial_moto import serial
from testing.staged import Staged, ask, objects, told
from testing.tables import shared_table
from testing.vendors.claude import Claude
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.vendor import Vendor
from tests.adapters.test_token_budget import BRIEF, MOST, NOON, Model, draft, within

BUDGET = 1_000_000
TABLE = "budgets"


def budgeted(staged: Staged, **chosen: Any) -> Settings:
    """The stage's settings with a budget, and the table that it is counted in."""
    shared_table(TABLE)
    return staged.settings.model_copy(update={"daily_tokens": BUDGET, "table": TABLE, **chosen})


def counters() -> dict[str, int]:
    """Return what the table has counted, by counter."""
    items = boto3.client("dynamodb").scan(TableName=TABLE)["Items"]
    return {one["pk"]["S"]: int(one["reached"]["N"]) for one in items}


def spend() -> None:
    """Use up this day's budget, and that of the next one, should it begin meanwhile."""
    today = Day.at(time.time())
    for day in (today, Day(today.number + 1)):
        item = {"pk": {"S": day.counter}, "sk": {"S": "counter"}, "reached": {"N": str(BUDGET)}}
        boto3.client("dynamodb").put_item(TableName=TABLE, Item=item)


async def test_a_question_counts_the_tokens_that_the_model_reports(staged: Staged) -> None:
    """All that was reserved beyond them is given back."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(budgeted(staged)) as app:
        with serial():
            result = await ask(app)
    assert result.draft is not None
    assert result.draft.usage is not None
    assert list(counters().values()) == [result.draft.usage.total]


async def test_a_stage_whose_budget_is_spent_quotes_the_book(staged: Staged) -> None:
    """Over Cohere's embedder, Claude is not called; reader and record name the generator."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(budgeted(staged)) as app:
        spend()
        staged.claude.requests.clear()
        with serial():
            result = await ask(app)
    assert "12 Hz" in told(result)
    assert isinstance(result.outcome, Answered)
    assert notices.BUDGET_SPENT in (result.outcome.notice or "")
    [record] = map(json.loads, objects("audit", "records/").values())
    assert (record["generator"], record["model"]) == ("extractive", "extractive")
    assert staged.claude.requests == []


@pytest.mark.rule("D3")
@pytest.mark.parametrize("chosen", ["extractive", "refuse"])
async def test_while_claude_takes_no_more_a_stage_quotes_or_hands_on_the_wait(
    staged: Staged, chosen: str
) -> None:
    """As its owner chose; the tokens of a call that was not taken are not counted."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(budgeted(staged, when_spent=chosen)) as app:
        staged.claude.misbehaviour = Misbehaviour.STATUS_429_RETRY_AFTER_60
        with serial():
            if chosen == "refuse":
                with pytest.raises(Throttled) as raised:
                    await ask(app)
                assert raised.value.retry_after == 60
            else:
                outcome = (await ask(app)).outcome
                assert isinstance(outcome, Answered)
                assert (outcome.notice or "").startswith(notices.MODEL_BUSY)
    assert list(counters().values()) == [0]


@pytest.mark.rule("D3", "R7")
@pytest.mark.parametrize("name", ["cohere", "qdrant"])
async def test_the_limit_of_what_is_asked_before_claude_is_handed_on(staged: Staged, name: str) -> None:
    """With the vendor's own wait; nothing is found yet that could be quoted."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(budgeted(staged)) as app:
        vendor: Vendor = getattr(staged, name)
        vendor.misbehaviour = Misbehaviour.STATUS_429_RETRY_AFTER_60
        with serial(), pytest.raises(Throttled) as raised:
            await ask(app)
        assert raised.value.retry_after == 60
    assert staged.claude.requests == []


async def test_a_stage_may_rather_say_nothing(staged: Staged) -> None:
    """Its owner's choice: an error until the next day, on record as any other."""
    await asyncio.to_thread(staged.publish)
    async with wiring.local(budgeted(staged, when_spent="refuse")) as app:
        spend()
        with serial(), pytest.raises(BudgetSpent):
            await ask(app)
    [record] = map(json.loads, objects("audit", "records/").values())
    assert (record["success"], record["was_refusal"]) == (False, False)


async def test_on_one_machine_all_processes_share_a_budget(tmp_path: Path) -> None:
    """Tokens that one process used count for the other one too."""
    async with Claude() as claude:
        chosen = {"claude_url": claude.url, "claude_api_key": claude.api_key, "generator": "claude"}
        settings = Settings.model_validate({"data": tmp_path, "daily_tokens": 200_000, **chosen})
        drafts = []
        for _ in range(2):
            async with wiring.local(settings) as app:
                drafts.append(await app.deps.generator.write(BRIEF, Deadline(pace=10)))
    used = [draft.usage.total for draft in drafts if draft.usage]
    assert len(used) == 2
    assert counted(settings) == sum(used)


@pytest.fixture(params=["a stage's table", "this machine's file"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Counters]:
    """Yield the counters that the processes share."""
    if "file" in request.param:
        yield AccessFile(tmp_path / "access.db", lambda: NOON)
        return
    request.getfixturevalue("aws")
    shared_table(TABLE)
    with serial():
        yield TableCounters(boto3.client("dynamodb"), TABLE)


async def test_callers_at_once_share_a_budget_to_the_token(shared: Counters) -> None:
    """Sixty calls in three processes: as many are served as there is room for."""
    model = Model([(MOST, None)])
    generators = [within(10 * MOST, model, shared, FakeGenerator([draft(None)])) for _ in range(3)]
    calls = [generators[number % 3].write(BRIEF, Deadline(pace=100)) for number in range(60)]
    drafts = await asyncio.gather(*calls)
    assert (model.asked, model.billed) == (10, 10 * MOST)
    assert [written.generator for written in drafts].count("extractive") == 50


def counted(settings: Settings) -> int:
    """Return the file's count of today and, in case today has just begun, of the day before."""
    today = Day.at(time.time())
    days = (Day(today.number - 1), today)
    file = wiring.access_file(settings)
    return sum(file.add(day.counter, 0, today.forgettable_at) for day in days)


@pytest.mark.parametrize(
    "chosen", [{"generator": "ollama"}, {"daily_tokens": 200_000}], ids=["no budget", "no model"]
)
def test_what_costs_nothing_or_has_no_budget_is_not_counted(chosen: dict[str, Any], tmp_path: Path) -> None:
    """No file is made for it."""
    app = wiring.build(Settings.model_validate({"data": tmp_path, **chosen}))
    assert not isinstance(app.deps.generator, BudgetedGenerator)
    asyncio.run(app.aclose())
