"""Count of what could not be indexed, and the decision: version finished, rebuilt, or given up."""

from __future__ import annotations

from ingest_job.documents import DISCOVERED, INDEXED, SKIPPED
from ingest_job.step import Context, Event, Result, Round, batch_file, step
from ingest_job.tolerance import too_many


async def tally(at: Round, event: Event, context: Context) -> Result:
    """Raises Unavailable.

    A batch that was lost fails the run, since its pages are good; a page that cannot be indexed is left out
    of the next round, in which the version is another one: that of the pages which it has.
    """
    files = [
        batch_file("indexed", 1 + number) for number in range(at.read("discovered.json", DISCOVERED).batches)
    ]
    there = set(at.names("indexed/"))
    if lost := [file for file in files if file not in there]:
        return _fail(f"{len(lost)} of {len(files)} batches of pages were lost{_errors(event)}")
    poison = tuple(page for file in files for page in at.read(file, INDEXED).poison)
    if not poison:
        return {"decision": "finish"}
    plan = at.planned().plan
    if reason := too_many(len(plan.pages) - len(poison), (*plan.skipped, *poison)):
        return _fail(reason)
    at.write("poison.json", SKIPPED, poison)
    return {"decision": "again", "round": at.number + 1}


def _fail(reason: str) -> Result:
    return {"decision": "fail", "reason": f"{reason}; the live version stays as it was"}


def _errors(event: Event) -> str:
    """Return the state machine's errors for them."""
    names = sorted({one["error"] for one in event.get("lost", ())})
    return f" ({', '.join(names)})" if names else ""


handler = step(tally)
