"""Summary of a run, from what its steps left."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bookbound import ingesting
from bookbound.errors import IngestError
from bookbound.index.indexing import Counts
from bookbound.index.manifest import Manifest
from bookbound.index.run_report import IngestReport, Outcome, RunReport
from ingest_job.documents import INDEXED, REQUEST
from ingest_job.step import Round


def summary(at: Round, outcome: Outcome, error: str | None, now: datetime) -> RunReport:
    """Return the report of a run in its last round. Raises Unavailable.

    A run that failed after its version went live has published it, regardless of what it reports.
    """
    folder = at.job.folder(at.book_id, at.run)
    request = folder.read("request.json", REQUEST) if folder.names("request.json") else None
    seconds = (now - request.begun).total_seconds() if request else 0.0
    if outcome == "failed" and at.has("plan.json") and _went_live(at):
        outcome = "published"
    return RunReport(
        book_id=at.book_id,
        run=at.run,
        outcome=outcome,
        error=error,
        source=request.key if request else None,
        report=_ingested(at, outcome, seconds) if at.has("plan.json") else None,
        seconds=seconds,
    )


def _went_live(at: Round) -> bool:
    """Return whether the version is live, or was: another run, or a rollback, may have been quick."""
    return at.fresh().name in at.job.index.pointer(at.book_id).history.states()


def _ingested(at: Round, outcome: Outcome, seconds: float) -> IngestReport | None:
    """Return the ingest's report; None when it did not come as far as a version."""
    manifest = at.job.index.current(at.book_id) if outcome == "unchanged" else _manifest(at)
    if manifest is None:
        return None
    counts = None if outcome == "unchanged" else _counts(at)
    return ingesting.report(at.planned().plan, manifest, counts, seconds)


def _manifest(at: Round) -> Manifest | None:
    """The version's as far as it is known."""
    fresh = at.fresh()
    for written in (fresh.manifest, fresh.draft):
        try:
            return written()
        except IngestError:
            continue
    return None


def _counts(at: Round) -> Counts:
    """Return the indexing's counts; embeddings copied from earlier rounds count as embedded."""
    *earlier, last = (Counts.merged(_parts(one)) for one in at.rounds())
    before = min(last.reused, sum(one.embedded for one in earlier))
    return replace(last, embedded=last.embedded + before, reused=last.reused - before)


def _parts(at: Round) -> list[Counts]:
    return [at.read(name, INDEXED).counts for name in at.names("indexed/")]
