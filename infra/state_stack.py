"""What must outlive every deploy: the books, the audit trail and the shared counters."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.constructs.audit_lifecycle import audit_lifecycle
from infra.constructs.private_bucket import AccessLog, PrivateBucket
from infra.constructs.shared_table import SharedTable
from infra.stages import Stage

BOOKS_UNDO_DAYS = 30
AUDIT_UNDO_DAYS = 7
"""For records, deleted means gone soon (A4), yet a slip can be mended."""


class StateStack(Stack):
    """The stage's data; other stacks are granted what they use of it.

    Attributes:
        books: snapshots of the books, versioned.
        audit: audit records and feedback (A3, A4).
        table: leases, rate limits and the like, by `pk` and `sk`.
    """

    def __init__(self, scope: Construct, stage: Stage) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-state", termination_protection=not stage.disposable)
        log = AccessLog(self, "AccessLog", stage=stage)
        rules = audit_lifecycle(stage)
        self.books: s3.IBucket = PrivateBucket(
            self, "Books", stage=stage, access_log=log, undo_days=BOOKS_UNDO_DAYS
        )
        self.audit: s3.IBucket = PrivateBucket(
            self, "Audit", stage=stage, access_log=log, undo_days=AUDIT_UNDO_DAYS, rules=rules
        )
        self.table: dynamodb.ITable = SharedTable(self, "Table", stage=stage)
