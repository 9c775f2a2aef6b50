"""A stage with its ingest job for every test here."""

from __future__ import annotations

from tests.job.stage import job

__all__ = ["job"]
