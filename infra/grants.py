"""Rights that CDK has no grant for, or gives more widely than they are used here."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from constructs import IConstruct

from infra.reasons import excuse
from infra.stage import Bedrock


def read_objects(bucket: s3.IBucket, role: iam.IRole, *patterns: str) -> None:
    """Read objects whose keys match one of these; listing turns a missing one's 403 into a 404."""
    for keys in patterns:
        read_keys(bucket, role, keys)
    iam.Grant.add_to_principal(grantee=role, actions=["s3:ListBucket"], resource_arns=[bucket.bucket_arn])


def read_keys(bucket: s3.IBucket, role: iam.IRole, keys: str) -> None:
    """Read objects whose keys match, and list none."""
    _on_objects(bucket, role, ["s3:GetObject"], keys)


def revisit_objects(bucket: s3.IBucket, role: iam.IRole, keys: str) -> None:
    """Read what objects were before they were written over."""
    _on_objects(bucket, role, ["s3:GetObjectVersion"], keys)


def write_objects(bucket: s3.IBucket, role: iam.IRole, keys: str) -> None:
    """Write objects whose keys match, in one piece or in several; delete none."""
    _on_objects(bucket, role, ["s3:PutObject", "s3:AbortMultipartUpload"], keys)


def delete_objects(bucket: s3.IBucket, role: iam.IRole, keys: str) -> None:
    """Delete objects whose keys match; what is deleted can be brought back while the bucket undoes it."""
    _on_objects(bucket, role, ["s3:DeleteObject"], keys)


def delete_versions(bucket: s3.IBucket, role: iam.IRole, keys: str) -> None:
    """Delete objects whose keys match, for good: every version."""
    _on_objects(bucket, role, ["s3:DeleteObject", "s3:DeleteObjectVersion"], keys)


def on_items(table: dynamodb.ITable, role: iam.IRole, actions: Sequence[str], *patterns: str) -> None:
    """Allow these actions only on the items whose `pk` matches one of these patterns."""
    whose = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(patterns)}}
    iam.Grant.add_to_principal(
        grantee=role, actions=actions, resource_arns=[table.table_arn], conditions=whose
    )


def publish_to(topic: sns.ITopic, role: iam.IRole) -> None:
    """Send messages. CDK's grant adds rights on the key, which AWS' own key gives to all of the account."""
    iam.Grant.add_to_principal(grantee=role, actions=["sns:Publish"], resource_arns=[topic.topic_arn])


def invoke_model(bedrock: Bedrock, role: iam.IRole) -> None:
    """Have the stage's one model at Amazon Bedrock write, in one piece."""
    stack = role.stack
    region = bedrock.region or stack.region
    arns = bedrock.arns(partition=stack.partition, region=region, account=stack.account)
    iam.Grant.add_to_principal(grantee=role, actions=["bedrock:InvokeModel"], resource_arns=arns)
    found = bedrock.arns(partition="<AWS::Partition>", region="", account="")
    for arn in found:
        if ":*:" in arn:
            excuse(role, f"IAM5[Resource::{arn}]", "A profile computes in any region of its geography.")


def run_and_follow(machine: sfn.StateMachine, role: iam.IRole) -> None:
    """Start executions, and look at them."""
    start, look = ["states:StartExecution"], ["states:DescribeExecution"]
    iam.Grant.add_to_principal(grantee=role, actions=start, resource_arns=[machine.state_machine_arn])
    iam.Grant.add_to_principal(grantee=role, actions=look, resource_arns=[executions(machine, role)])


def executions(machine: sfn.StateMachine, holder: IConstruct, maps: str = "") -> str:
    """The ARN of a state machine's executions, or with `/*` of those that its maps start.

    `holder` is what gets a right on them.
    """
    stack = Stack.of(machine)
    name = f"{machine.state_machine_name}{maps}:*"
    colon = ArnFormat.COLON_RESOURCE_NAME
    known_as = stack.resolve(machine.state_machine_name)["Fn::GetAtt"][0]
    found = f"arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<{known_as}.Name>{maps}:*"
    excuse(holder, f"IAM5[Resource::{found}]", "An execution gets its name when it begins.")
    return stack.format_arn(service="states", resource="execution", resource_name=name, arn_format=colon)


def describe_stack(name: str, role: iam.IRole) -> None:
    """Read what a stack put out."""
    resource = f"{name}/*"
    arn = role.stack.format_arn(service="cloudformation", resource="stack", resource_name=resource)
    iam.Grant.add_to_principal(grantee=role, actions=["cloudformation:DescribeStacks"], resource_arns=[arn])
    found = f"arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/{resource}"
    excuse(role, f"IAM5[Resource::{found}]", "A stack's ARN ends with an id that it gets when it is made.")


def read_settings(function: lambda_.IFunction, role: iam.IRole) -> None:
    """Read a function's configuration, its variables among it."""
    actions = ["lambda:GetFunctionConfiguration"]
    iam.Grant.add_to_principal(grantee=role, actions=actions, resource_arns=[function.function_arn])


def describe_outputs(stage: str, role: iam.IRole) -> None:
    """Read what those stacks of a stage put out that the command line asks for."""
    for part in ("state", "api", "ingest", "observability"):
        describe_stack(f"bookbound-{stage}-{part}", role)


def _on_objects(bucket: s3.IBucket, role: iam.IRole, actions: list[str], keys: str) -> None:
    arn = bucket.arn_for_objects(keys)
    iam.Grant.add_to_principal(grantee=role, actions=actions, resource_arns=[arn])
    reason = "A bucket's objects are named by key; a prefix is the finest that can be said beforehand."
    excuse(role, f"IAM5[Resource::{_arn_as_reported(bucket, role.stack)}/{keys}]", reason)


def _arn_as_reported(bucket: s3.IBucket, stack: Stack) -> str:
    """Return a finding's name for the bucket: its logical id, or its export from another stack."""
    if bucket.stack is stack:
        return f"<{stack.resolve(bucket.bucket_arn)['Fn::GetAtt'][0]}.Arn>"
    exported = stack.resolve(bucket.stack.export_value(bucket.bucket_arn))
    return str(exported["Fn::ImportValue"])
