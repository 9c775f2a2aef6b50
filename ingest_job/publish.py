"""Makes the fresh version the one that readers get."""

from __future__ import annotations

from ingest_job.documents import DISCOVERED, NAMES
from ingest_job.step import Context, Event, Result, Round, step


async def publish(at: Round, event: Event, context: Context) -> Result:
    """Publish the version. Raises Unavailable; Raced if another run published or rolled back since.

    What is superfluous afterwards is written down before: anything later may be another run's.
    """
    before = at.read("discovered.json", DISCOVERED).before
    fresh = at.fresh()
    at.write_once("superfluous.json", NAMES, fresh.superfluous(before))
    fresh.switch(before)
    return {"version": fresh.name}


handler = step(publish)
