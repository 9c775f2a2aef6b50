"""Most that a stage's limits let a day cost, however many ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bookbound.answer.prompt import ANSWER_TOKENS, MARKS, MOST_TOKENS
from infra.billing import Line, table
from infra.stage import Stage

COLUMNS = ("a day at most", "30 days at most")
DAYS = 30
DAY_SECONDS = 86_400
DRAFTS = 2


@dataclass(frozen=True, slots=True)
class Questions:
    """Known figures of a stage's bill.

    Attributes:
        model: of 1,000 questions, what the budget bounds.
        tokens, bytes: that one of them takes on average, and that its prompt has.
        hourly: what a stage costs in an hour in which it is asked.
        others: the rest, of 1,000 questions and of an idle month.
    """

    model: Line
    tokens: float
    bytes: int
    hourly: Line
    others: Sequence[Line]


def told(stage: Stage, price: Mapping[str, float], asked: Questions) -> str:
    """The table, and what the budget is for a question."""
    questions = stage.daily_tokens / asked.tokens
    reserved = asked.bytes + MARKS + ANSWER_TOKENS
    most = DRAFTS * (MOST_TOKENS + ANSWER_TOKENS)
    dearest = DRAFTS * (MOST_TOKENS * stage.input_price + ANSWER_TOKENS * stage.output_price) / 1e6
    return (
        f"{table(COLUMNS, list(_bounds(stage, price, asked)))}\n\n"
        f"A day's {stage.daily_tokens:,} tokens are {questions:,.0f} questions as in the first table, for "
        f"{questions * asked.model.amounts[0] / 1000:.2f} dollars.\n"
        f"A draft takes {asked.tokens:,.0f} of them on average, and reserves {reserved:,}. "
        f"A question takes {most:,} at most, in {DRAFTS} drafts, for {dearest:.4f} dollars."
    )


def _bounds(stage: Stage, price: Mapping[str, float], asked: Questions) -> Iterator[Line]:
    written = stage.daily_tokens * max(stage.input_price, stage.output_price) / 1e6
    grows = sum(line.amounts[0] for line in asked.others) / 1000
    stays = sum(line.amounts[1] for line in asked.others) / DAYS + 24 * asked.hourly.amounts[0]
    yield _line(f"Claude, {stage.daily_tokens:,} tokens, as if all were written", written)
    yield _line(
        f"{stage.throttle_rate} questions a second, but Claude", stage.throttle_rate * DAY_SECONDS * grows
    )
    yield _line("What watches and guards the stage", stays)


def _line(what: str, day: float) -> Line:
    return Line(what, (day, DAYS * day))
