"""Rights of `bookbound audit` in a stage: the commands that read its trail, and the one that erases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from bookbound.audit.digest_format import DIGESTS, TOMBSTONES, TRAIL
from infra.constructs.digest_archive import sign_by
from infra.grants import delete_versions, describe_stack, read_objects, revisit_objects, write_objects
from infra.stage import Stage


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """A stage's trail, and what tells whether it was changed."""

    stage: Stage
    records: s3.IBucket
    digests: s3.IBucket
    key: kms.IKey
    fallback: sqs.IQueue


def read_trail(trail: AuditTrail, role: iam.Role) -> None:
    """Allow what `audit query`, `report` and `verify` need: stack outputs, objects, the public key."""
    for part in ("state", "api", "ingest", "observability"):
        describe_stack(f"bookbound-{trail.stage.name}-{part}", role)
    read_objects(trail.records, role, *_below(TRAIL))
    read_objects(trail.digests, role, *_below([DIGESTS, TOMBSTONES]))
    _allow(role, ["s3:ListBucketVersions"], trail.digests.bucket_arn)
    _allow(role, ["kms:GetPublicKey"], trail.key.key_arn)


class AuditEraser(iam.Role):
    """Role that takes a session or a client out of the trail, and leaves a signed tombstone (A4).

    For those of the account who are let in. No function has these rights.
    """

    def __init__(self, scope: Construct, construct_id: str, *, trail: AuditTrail) -> None:
        super().__init__(
            scope,
            construct_id,
            assumed_by=iam.AccountRootPrincipal(),
            description="Erases sessions from Bookbound's audit records and feedback.",
        )
        read_trail(trail, self)
        for keys in _below(TRAIL):
            revisit_objects(trail.records, self, keys)
            write_objects(trail.records, self, keys)
            delete_versions(trail.records, self, keys)
        _allow(self, ["s3:ListBucketVersions"], trail.records.bucket_arn)
        write_objects(trail.digests, self, f"{TOMBSTONES}*")
        sign_by(trail.key, self)
        on_queue = ["ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "GetQueueAttributes"]
        _allow(self, [f"sqs:{action}" for action in on_queue], trail.fallback.queue_arn)


def _below(prefixes: Sequence[str]) -> list[str]:
    return [f"{prefix}*" for prefix in prefixes]


def _allow(role: iam.Role, actions: Sequence[str], resource: str) -> None:
    iam.Grant.add_to_principal(grantee=role, actions=actions, resource_arns=[resource])
