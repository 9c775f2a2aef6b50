"""Statements of the documents for owners and readers about how long data is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from infra.constructs.audit_reading import RESULT_DAYS
from infra.constructs.digest_archive import LOCK_MARGIN_DAYS
from infra.costs import RECORD_BYTES
from infra.stage import Stage
from infra.stages import STAGES
from infra.state_stack import AUDIT_UNDO_DAYS, BOOKS_UNDO_DAYS
from tests.infra.conftest import Synthesised

DOCS = Path(__file__).parents[2] / "docs"
OWNERS, READERS = DOCS / "privacy.md", DOCS / "privacy-notice.md"

SILENT = Stage(name="silent", disposable=False)
"""A stage that says nothing."""

QUEUE_DAYS = 14
TRACE_DAYS = 30
"""X-Ray's own."""


def days(document: Path) -> set[int]:
    """Every number of days that a document states."""
    return {int(number) for number in re.findall(r"\b(\d+) days?\b", document.read_text("utf-8"))}


@pytest.mark.rule("A4")
def test_an_owner_reads_the_days_of_a_stage_that_sets_none() -> None:
    """Each option stands next to its value, and periods without an option have no other numbers."""
    text = OWNERS.read_text("utf-8")
    options = re.findall(r"`(\w+_days)` \((\d+)\)", text)
    assert {name for name, _ in options} == {"hot_days", "retention_days", "log_days"}
    assert {(name, getattr(SILENT, name)) for name, _ in options} == {
        (name, int(value)) for name, value in options
    }
    assert days(OWNERS) == {
        AUDIT_UNDO_DAYS,
        BOOKS_UNDO_DAYS,
        QUEUE_DAYS,
        TRACE_DAYS,
        RESULT_DAYS,
        SILENT.retention_days + LOCK_MARGIN_DAYS,
    }


@pytest.mark.rule("A4")
def test_a_reader_is_told_the_days_of_a_stage_that_sets_none() -> None:
    """Until deletion, in the log, and until the last copy is gone."""
    assert days(READERS) == {SILENT.retention_days, SILENT.log_days, AUDIT_UNDO_DAYS}


@pytest.mark.rule("A4")
def test_the_stages_of_the_project_keep_no_reader_s_words_longer_than_the_notice_says() -> None:
    """A stage that sets other days needs another notice."""
    kept = {(stage.retention_days, stage.log_days) for stage in STAGES}
    assert kept == {(SILENT.retention_days, SILENT.log_days)}


@pytest.mark.rule("A3")
def test_an_owner_reads_what_a_stream_buffers(stack: Synthesised) -> None:
    """Buffer and record size decide whether objects are large enough for another tier."""
    text = OWNERS.read_text("utf-8")
    assert f"{RECORD_BYTES / 1000:.1f} KB" in text
    for stream in ("AuditStreamPersonal", "AuditStreamOther"):
        hints = stack.behind("state", stream)["ExtendedS3DestinationConfiguration"]["BufferingHints"]
        assert f"{hints['IntervalInSeconds']} seconds or {hints['SizeInMBs']} MiB" in text


def test_every_folder_of_the_audit_bucket_has_a_row(stack: Synthesised) -> None:
    """No prefix of the lifecycle is left out."""
    rules = stack.behind("state", "AuditBucket")["LifecycleConfiguration"]["Rules"]
    prefixes = {rule["Prefix"] for rule in rules if "Prefix" in rule}
    assert prefixes == set(re.findall(r"audit bucket, `([^`]+)`", OWNERS.read_text("utf-8")))
