"""Archive of the audit trail's digests, and the key that signs them.

The lock is in compliance mode: the one thing that no user of the account can undo, administrators included.
Governance mode would let those pass who may most easily change a record. A digest names keys and hashes, and
no person's words, so nothing in it ever has to be erased.
"""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.constructs.private_bucket import AccessLog, ClosedBucket
from infra.stage import Stage

LOCK_MARGIN_DAYS = 30
"""A digest stays locked for so much longer than the records with personal data that it lists."""


class DigestArchive(ClosedBucket):
    """Takes each paper once; none can be deleted or written over unnoticed while the lock holds.

    A disposable stage's has no lock, or the stage could not be destroyed.
    """

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, access_log: AccessLog) -> None:
        super().__init__(
            scope,
            construct_id,
            stage=stage,
            access_log=access_log,
            versioned=True,
            object_lock_enabled=True,
            object_lock_default_retention=None if stage.disposable else _lock(stage),
        )


def _lock(stage: Stage) -> s3.ObjectLockRetention:
    return s3.ObjectLockRetention.compliance(Duration.days(stage.retention_days + LOCK_MARGIN_DAYS))


class DigestKey(kms.Key):
    """Key that signs, and never leaves KMS; a verifier needs only its public half."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(
            scope,
            construct_id,
            description=f"Signs the digests of the audit trail of bookbound, stage {stage.name}",
            key_spec=kms.KeySpec.ECC_NIST_P256,
            key_usage=kms.KeyUsage.SIGN_VERIFY,
            removal_policy=stage.removal_policy,
        )


def sign_by(key: kms.IKey, role: iam.IRole) -> None:
    """Sign with the key."""
    iam.Grant.add_to_principal(grantee=role, actions=["kms:Sign"], resource_arns=[key.key_arn])
