"""A stage with its ingest job for every test here."""

from __future__ import annotations

from testing.job.stage import job

__all__ = ["job"]
