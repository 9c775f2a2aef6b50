"""Lifecycle of audit records and feedback (A3, A4). No tier needs a restore.

records/personal=true/…    hot, warm, deleted
records/personal=false/…   hot, warm, cold
feedback/…                 hot, warm, deleted: a reader's comment and session
undelivered/…              hot, warm, deleted: records that the stream could not write where they belong
"""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_s3 as s3

from infra.constructs.audit_trail import OTHER, PERSONAL, UNDELIVERED
from infra.stage import Stage


def audit_lifecycle(stage: Stage) -> list[s3.LifecycleRule]:
    """The audit bucket's rules, one a leading prefix."""
    return [
        _deleted("personal-records", PERSONAL, stage),
        _deleted("feedback", "feedback/", stage),
        _deleted("undelivered", UNDELIVERED, stage),
        _kept("other-records", OTHER, stage),
    ]


def _deleted(rule_id: str, prefix: str, stage: Stage) -> s3.LifecycleRule:
    end = Duration.days(stage.retention_days)
    return s3.LifecycleRule(id=rule_id, prefix=prefix, transitions=[_warm(stage)], expiration=end)


def _kept(rule_id: str, prefix: str, stage: Stage) -> s3.LifecycleRule:
    cold = _transition(s3.StorageClass.GLACIER_INSTANT_RETRIEVAL, stage.retention_days)
    return s3.LifecycleRule(id=rule_id, prefix=prefix, transitions=[_warm(stage), cold])


def _warm(stage: Stage) -> s3.Transition:
    return _transition(s3.StorageClass.INFREQUENT_ACCESS, stage.hot_days)


def _transition(tier: s3.StorageClass, days: int) -> s3.Transition:
    return s3.Transition(storage_class=tier, transition_after=Duration.days(days))
