"""Prod's templates through CloudFormation, as moto plays it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import boto3
import pytest
from aws_cdk import cx_api
from moto import mock_aws

from infra.stages import PROD
from tests.infra.conftest import ACCOUNT, synthesised

pytestmark = pytest.mark.long

REGION = "us-east-1"
ASSETS = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"
ORDER = ("state", "api", "ingest", "digest", "report", "observability")

VERSION = "AWS::Lambda::Version"
"""A reference to one is its ARN, and an object of moto's there."""

UNKNOWN = "AWS::Lambda::Permission"
"""moto knows no aliases, and stumbles over what is permitted on one, and over a schedule that calls one."""


@pytest.fixture
def bootstrapped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An account that CDK can deploy to."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        boto3.client("ssm").put_parameter(Name="/cdk-bootstrap/hnb659fds/version", Value="30", Type="String")
        boto3.client("s3").create_bucket(Bucket=ASSETS)
        yield


def deploy(name: str, template: Mapping[str, Any]) -> None:
    """Create a stack; what it imports of a resource that moto does not make becomes a stand-in."""
    cloudformation = boto3.client("cloudformation")
    found = template["Resources"]
    resources = {
        name: one
        for name, one in found.items()
        if one["Type"] != UNKNOWN and "ScheduleExpression" not in one.get("Properties", {})
    }
    for resource in resources.values():
        upload(resource.get("Properties", {}))
    pages = cloudformation.get_paginator("list_exports").paginate()
    exported = {one["Name"] for page in pages for one in page["Exports"] if one.get("Value")}
    versions = {name for name, one in found.items() if one["Type"] == VERSION}
    outputs = {
        name: one
        for name, one in template.get("Outputs", {}).items()
        if not isinstance(one["Value"], dict) or one["Value"].get("Ref", name) not in found.keys() - resources
    }
    kept = {**template, "Resources": resources, "Outputs": outputs}
    body = json.dumps(standing_in(kept, exported, versions))
    cloudformation.create_stack(StackName=name, TemplateBody=body, Capabilities=["CAPABILITY_IAM"])


def upload(properties: dict[str, Any]) -> None:
    """Put a layer's or a function's code into the account's bucket, as the CDK command line would."""
    code = properties.get("Code") or properties.get("Content")
    if code is None:
        return
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("module.py", "")
    boto3.client("s3").put_object(Bucket=ASSETS, Key=code["S3Key"], Body=content.getvalue())


def standing_in(value: Any, exported: set[str], versions: set[str]) -> Any:
    """The same value without imports of what nothing exports, and without references to versions."""
    if isinstance(value, list):
        return [standing_in(inner, exported, versions) for inner in value]
    if not isinstance(value, dict):
        return value
    if "Fn::ImportValue" in value and value["Fn::ImportValue"] not in exported:
        return f"arn:aws:unknown:{REGION}:{ACCOUNT}:stand-in"
    if value.get("Ref") in versions:
        return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:stand-in:1"
    return {key: standing_in(inner, exported, versions) for key, inner in value.items()}


@pytest.mark.filterwarnings("ignore:Tried to parse")
@pytest.mark.usefixtures("bootstrapped")
def test_cloudformation_takes_the_templates(assembly: cx_api.CloudAssembly) -> None:
    """Every stack is created, in the order of what they import; then the stage's parts find each other."""
    stack = synthesised(PROD, assembly)
    for part in ORDER:
        deploy(f"bookbound-prod-{part}", stack.templates[part])
    described = boto3.client("cloudformation").describe_stacks()["Stacks"]
    assert {one["StackName"]: one["StackStatus"] for one in described} == {
        f"bookbound-prod-{part}": "CREATE_COMPLETE" for part in ORDER
    }
    variables = boto3.client("lambda").list_functions()["Functions"][0]["Environment"]["Variables"]
    assert variables["BOOKBOUND_BOOKS_BUCKET"] in {
        one["Name"] for one in boto3.client("s3").list_buckets()["Buckets"]
    }
    (machine,) = boto3.client("stepfunctions").list_state_machines()["stateMachines"]
    (rule,) = boto3.client("events").list_rules()["Rules"]
    (target,) = boto3.client("events").list_targets_by_rule(Rule=rule["Name"])["Targets"]
    assert target["Arn"] == machine["stateMachineArn"]
