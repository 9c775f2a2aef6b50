"""The author's weekly reports, and the topic that mails them; subscribers must confirm by hand, once."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.constructs.private_bucket import AccessLog, PrivateBucket
from infra.constructs.report_topic import ReportTopic
from infra.stage import Stage

REPORT_DAYS = 30
"""A report holds what readers wrote, and no erasure reaches a session in it: it goes after so many days."""

UNDO_DAYS = 1


class AuthorReports(PrivateBucket):
    """Reports by week, for as long as an author may come back to one."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, access_log: AccessLog) -> None:
        super().__init__(
            scope,
            construct_id,
            stage=stage,
            access_log=access_log,
            undo_days=UNDO_DAYS,
            rules=[s3.LifecycleRule(id="reports", expiration=Duration.days(REPORT_DAYS))],
        )


class AuthorMail(ReportTopic):
    """Mails the author where the stage names an address."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(scope, construct_id)
        if stage.author_email is not None:
            self.add_subscription(subscriptions.EmailSubscription(stage.author_email))
