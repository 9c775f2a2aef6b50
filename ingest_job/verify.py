"""Asks a fresh version before readers do: is every point there, and are the canary questions as wished?"""

from __future__ import annotations

from bookbound import ingesting
from bookbound.errors import IngestError, NotSettled
from bookbound.index.canaries import Canary
from ingest_job.step import Context, Event, Result, Round, step


async def verify(at: Round, event: Event, context: Context) -> Result:
    """Raises NotSettled while the store still orders the points, IngestError, Unavailable."""
    fresh = at.fresh()
    draft = fresh.draft()
    if (stored := fresh.count()) != draft.windows:
        raise IngestError(f"{stored} of {draft.windows} windows arrived; the live version stays as it was")
    if not fresh.settled():
        raise NotSettled("the store still orders the points")
    manifest = await ingesting.verified(
        draft, fresh, at.job.embedder, at.job.reader, at.job.recipe.sufficiency
    )
    fresh.write_manifest(manifest)
    if wrong := [canary for canary in manifest.canaries if canary.remedy]:
        raise IngestError("; ".join(map(_told, wrong)))
    return {"canaries": len(manifest.canaries)}


def _told(canary: Canary) -> str:
    return f"canary question {canary.question!r}, to {canary.wish}: {canary.remedy}"


handler = step(verify)
