"""Rights that CDK has no grant for, or gives more widely than they are used here."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3

from infra.reasons import excuse


def read_objects(bucket: s3.IBucket, role: iam.IRole) -> None:
    """Read every object; listing turns a missing one's 403 into a 404."""
    _on_objects(bucket, role, ["s3:GetObject"], "*")
    iam.Grant.add_to_principal(grantee=role, actions=["s3:ListBucket"], resource_arns=[bucket.bucket_arn])


def write_objects(bucket: s3.IBucket, role: iam.IRole, prefix: str = "") -> None:
    """Write objects under a prefix, in one piece or in several; delete none."""
    _on_objects(bucket, role, ["s3:PutObject", "s3:AbortMultipartUpload"], f"{prefix}*")


def delete_objects(bucket: s3.IBucket, role: iam.IRole, keys: str) -> None:
    """Delete objects whose keys match; what is deleted can be brought back while the bucket undoes it."""
    _on_objects(bucket, role, ["s3:DeleteObject"], keys)


def describe_stack(name: str, role: iam.IRole) -> None:
    """Read what a stack put out."""
    resource = f"{name}/*"
    arn = role.stack.format_arn(service="cloudformation", resource="stack", resource_name=resource)
    iam.Grant.add_to_principal(grantee=role, actions=["cloudformation:DescribeStacks"], resource_arns=[arn])
    found = f"arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/{resource}"
    excuse(role, f"IAM5[Resource::{found}]", "A stack's ARN ends with an id that it gets when it is made.")


def _on_objects(bucket: s3.IBucket, role: iam.IRole, actions: list[str], keys: str) -> None:
    arn = bucket.arn_for_objects(keys)
    iam.Grant.add_to_principal(grantee=role, actions=actions, resource_arns=[arn])
    reason = "A bucket's objects are named by key; a prefix is the finest that can be said beforehand."
    excuse(role, f"IAM5[Resource::{_arn_as_reported(bucket, role.stack)}/{keys}]", reason)


def _arn_as_reported(bucket: s3.IBucket, stack: Stack) -> str:
    """How a finding in the stack names the bucket: by its logical id, or by its export from another stack."""
    if bucket.stack is stack:
        return f"<{stack.resolve(bucket.bucket_arn)['Fn::GetAtt'][0]}.Arn>"
    exported = stack.resolve(bucket.stack.export_value(bucket.bucket_arn))
    return str(exported["Fn::ImportValue"])
