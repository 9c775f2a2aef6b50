"""What a trial costs: by list prices and what was counted, and what the account was charged by now."""

from __future__ import annotations

from collections.abc import Iterator

from bookbound.errors import Unavailable
from infra import costs, ingest_costs
from infra.billing import PRICES, Resources, table
from infra.billing import Line as Amount
from infra.stage import Stage
from trials.whole_stage import account
from trials.whole_stage.progress import Progress


def bill(stage: Stage, done: Progress, resources: Resources) -> Iterator[str]:
    """The lines of the bill."""
    asked = costs.bill(stage, resources, PRICES)
    ingested = "ingest" in done.seconds
    lines = [
        Amount(
            f"{done.questions} questions",
            (sum(line.amounts[0] for line in asked) * done.questions / costs.QUESTIONS,),
        ),
        Amount(
            f"{done.hours:.1f} hours of what stands",
            (sum(line.amounts[1] for line in asked) * done.hours / costs.HOURS,),
        ),
        Amount(
            "the sample book's ingest",
            (sum(line.amounts[0] for line in ingest_costs.bill(resources, PRICES)) * ingested,),
        ),
    ]
    yield table(("by list prices",), lines)
    yield "What is charged by the month, such as alarms and rules, is counted by the hour here."
    try:
        charged = account.charged(done.day)
    except Unavailable as error:
        yield f"Cost Explorer was not asked: {error}"
        return
    total = sum(charged.values())
    yield f"Cost Explorer has {total:.2f} dollars for the whole account since {done.day}, up to a day late:"
    yield from (f"  {name}: {amount:.4f}" for name, amount in sorted(charged.items()) if amount)
