"""Parts of a stage that the audit path needs, in an account on loopback; and its readers' view."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bookbound.adapters.aws.audit_stream import day_prefix
from bookbound.local.auditing import stage_copy
from bookbound.local.auditing.trail import opened
from bookbound.local.fallback_queue import drain
from bookbound.local.stage import StageOutputs
from bookbound.settings import Settings
from testing.runtime import account
from testing.runtime.account import AUDIT, BOOKS, OTHER_STREAM, PERSONAL_STREAM, PREFIXES, QUEUE, Account
from testing.runtime.events import REGION

BOOK = "kestrel"


@dataclass(frozen=True, slots=True)
class Trace:
    """The trail as it is read back.

    Attributes:
        view: what the reader's view has for each log_id: one row, or the view is wrong.
        copies: how many lines there are.
        verdicts: how many there are.
        queued: how many records came by the queue.
    """

    view: list[dict[str, Any]]
    copies: int
    verdicts: int
    queued: int

    @property
    def log_ids(self) -> set[str]:
        """Ids of all records."""
        return {row["log_id"] for row in self.view}

    @property
    def duplicates(self) -> int:
        """Rows of the view that it should not have."""
        return len(self.view) - len(self.log_ids)


@dataclass(frozen=True, slots=True)
class AuditPath:
    """Streams, queue and bucket, by the account's own address."""

    account: Account

    def settings(self, data: Path) -> Settings:
        """A stage's; its audit path is there, and nothing else is."""
        return Settings(
            data=data,
            book=BOOK,
            books_bucket=BOOKS,
            vendors_secret="none",
            audit_stream_personal=PERSONAL_STREAM,
            audit_stream_other=OTHER_STREAM,
            audit_queue_url=self.account.queue_url,
            audit_bucket=AUDIT,
            stage="audited",
            table="none",
            signing_secret="none",
        )

    def environment(self, before: str | None = None) -> dict[str, str]:
        """Return what points an SDK to the account, and to Firehose and SQS by the proxy `before` them."""
        through = {} if before is None else {f"AWS_ENDPOINT_URL_{one}": before for one in ("FIREHOSE", "SQS")}
        return {**self.account.environment, **through}

    def read(self, root: Path) -> Trace:
        """Drain the queue, copy the bucket to `root`, and look at it as a reader does."""
        with _environment(self.account.environment):
            drained = drain(self._outputs())
            assert not drained.strange, "the queue holds what is no record"
            stage_copy.refresh(AUDIT, root, None, None, lambda *_: None)
        return read(root, queued=drained.records)

    def _outputs(self) -> StageOutputs:
        nothing = {field.name: "" for field in fields(StageOutputs)}
        known = {"audit_bucket": AUDIT, "audit_queue_url": self.account.queue_url}
        return StageOutputs(**{**nothing, **known})


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """This process' own, as a command's is that looks at a stage."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def read(root: Path, queued: int = 0) -> Trace:
    """The trail in a folder. A line that a killed writer left torn is no record."""
    with opened(root) as trail:
        view = trail.rows("SELECT log_id, session_id, personal_data FROM records WHERE log_id IS NOT NULL")
        [copies] = trail.rows("SELECT count(log_id) AS n FROM record_copies")
        [verdicts] = trail.rows("SELECT count(*) AS n FROM feedback")
    return Trace(view, copies["n"], verdicts["n"], queued)


@contextmanager
def audit_path(folder: Path) -> Iterator[AuditPath]:
    """An account with the streams as a stage has them, for as long as the block lasts.

    A stream's prefix is this day's: the account does not fill in a template's expressions.
    """
    with account.opened(folder / "account.log") as made:
        where = {"LocationConstraint": REGION}
        made.client("s3").create_bucket(Bucket=AUDIT, CreateBucketConfiguration=where)
        made.client("sqs").create_queue(QueueName=QUEUE)
        for name, prefix in PREFIXES.items():
            made.client("firehose").create_delivery_stream(
                DeliveryStreamName=name,
                ExtendedS3DestinationConfiguration={
                    "RoleARN": "arn:aws:iam::123456789012:role/firehose",
                    "BucketARN": f"arn:aws:s3:::{AUDIT}",
                    "Prefix": f"{prefix}{day_prefix(datetime.now(UTC))}/",
                },
            )
        yield AuditPath(made)
