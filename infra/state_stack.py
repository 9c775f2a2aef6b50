"""State that must outlive every deploy: the books, the audit trail, shared counters, and secrets."""

from __future__ import annotations

from aws_cdk import Duration, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_secretsmanager as secretsmanager
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.alarm_topic import AlarmTopic
from infra.constructs.audit_lifecycle import audit_lifecycle
from infra.constructs.audit_reading import AuditReading
from infra.constructs.audit_rights import AuditEraser, AuditTrail, read_trail
from infra.constructs.audit_trail import OTHER, PERSONAL, AuditStream
from infra.constructs.author_reports import AuthorMail, AuthorReports
from infra.constructs.digest_archive import DigestArchive, DigestKey
from infra.constructs.private_bucket import AccessLog, PrivateBucket
from infra.constructs.secrets import SigningSecret, VendorsSecret
from infra.constructs.shared_table import SharedTable
from infra.constructs.undelivered import Undelivered
from infra.outputs import put_out
from infra.stage import Stage

BOOKS_UNDO_DAYS = 30
RUNS_DAYS = 90
UPLOADS_DAYS = 30
"""Days to keep a run's work and reports, and uploads of a run started by hand. The snapshots stay."""

AUDIT_UNDO_DAYS = 7
"""Days to undo a mistake: for records, deleted means soon gone (A4)."""


class StateStack(Stack):
    """The stage's data; other stacks are granted what they use of it.

    Attributes:
        books: uploads and snapshots of the books, versioned; EventBridge hears of each object.
        audit: audit records and feedback (A3, A4).
        audit_stream_personal, audit_stream_other, audit_fallback: the ways into it (A2, A4).
        audit_reading: how it is read by SQL, and by whom (A3).
        eraser: the role that erases from it (A4).
        digests, digest_key: what tells whether they were changed.
        table: leases, rate limits and the like, by `pk` and `sk`.
        vendors, signing: the secrets (S5).
        alarms: where alarms go.
        author_reports, author_mail: the weekly reports, and what tells of them.
    """

    def __init__(self, scope: Construct, stage: Stage) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-state", termination_protection=not stage.disposable)
        log = AccessLog(self, "AccessLog", stage=stage)
        self.books: s3.IBucket = self._books(stage, log)
        rules = audit_lifecycle(stage)
        self.audit: s3.IBucket = PrivateBucket(
            self, "Audit", stage=stage, access_log=log, undo_days=AUDIT_UNDO_DAYS, rules=rules
        )
        self.audit_stream_personal = AuditStream(
            self, "AuditStreamPersonal", bucket=self.audit, prefix=PERSONAL, stage=stage
        )
        self.audit_stream_other = AuditStream(
            self, "AuditStreamOther", bucket=self.audit, prefix=OTHER, stage=stage
        )
        self.audit_fallback: sqs.IQueue = Undelivered(self, "AuditFallback", stage=stage)
        self.digests: s3.IBucket = DigestArchive(self, "Digests", stage=stage, access_log=log)
        self.digest_key: kms.IKey = DigestKey(self, "DigestKey", stage=stage)
        self.audit_reading = AuditReading(
            self, "AuditReading", stage=stage, bucket=self.audit, access_log=log
        )
        trail = AuditTrail(stage, self.audit, self.digests, self.digest_key, self.audit_fallback)
        read_trail(trail, self.audit_reading.auditor)
        self.eraser = AuditEraser(self, "AuditEraser", trail=trail)
        self.table: dynamodb.ITable = SharedTable(self, "Table", stage=stage)
        self.vendors: secretsmanager.ISecret = self._vendors(stage)
        self.signing: secretsmanager.ISecret = SigningSecret(self, "Signing", stage=stage)
        self.alarms: sns.ITopic = AlarmTopic(self, "Alarms", stage=stage)
        self.author_reports: s3.IBucket = AuthorReports(self, "AuthorReports", stage=stage, access_log=log)
        self.author_mail: sns.ITopic = AuthorMail(self, "AuthorMail", stage=stage)
        self._put_out()

    def _books(self, stage: Stage, log: AccessLog) -> PrivateBucket:
        rules = [
            s3.LifecycleRule(id=folder, prefix=f"{folder}/", expiration=Duration.days(days))
            for folder, days in {"runs": RUNS_DAYS, "uploads": UPLOADS_DAYS}.items()
        ]
        books = PrivateBucket(
            self, "Books", stage=stage, access_log=log, undo_days=BOOKS_UNDO_DAYS, rules=rules
        )
        books.tell_event_bridge()
        return books

    def _vendors(self, stage: Stage) -> secretsmanager.ISecret:
        """The owner's own secret, else the stage's, which is there either way.

        Its export is pinned: CloudFormation refuses to drop one that a stack still imports, as it would on
        the day when a deployed stage gets a secret of its owner's.
        """
        made = VendorsSecret(self, "Vendors", stage=stage)
        self.export_value(made.secret_arn)
        if stage.vendors_secret is None:
            return made
        return secretsmanager.Secret.from_secret_complete_arn(self, "OwnVendors", stage.vendors_secret)

    def _put_out(self) -> None:
        put_out(
            self,
            BooksBucket=self.books.bucket_name,
            AuditBucket=self.audit.bucket_name,
            DigestBucket=self.digests.bucket_name,
            DigestKey=self.digest_key.key_arn,
            Table=self.table.table_name,
            VendorsSecret=self.vendors.secret_arn,
            SigningSecret=self.signing.secret_arn,
            AuditStreamPersonal=self.audit_stream_personal.name,
            AuditStreamOther=self.audit_stream_other.name,
            AuditQueueUrl=self.audit_fallback.queue_url,
            AuditWorkgroup=self.audit_reading.workgroup,
            AuditorRole=self.audit_reading.auditor.role_arn,
            AuditEraserRole=self.eraser.role_arn,
            AlarmTopic=self.alarms.topic_arn,
            AuthorReportsBucket=self.author_reports.bucket_name,
            AuthorTopic=self.author_mail.topic_arn,
        )
