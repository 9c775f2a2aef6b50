"""Rights that a stage gives to those who run the commands of `bookbound audit`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from aws_cdk import cx_api

from bookbound.local.cli import run
from bookbound.local.stage import STACKS
from infra.stages import DEV
from tests.infra.conftest import Synthesised, synthesised
from tests.local.test_erasing import MINE, stage

pytestmark = pytest.mark.long

__all__ = ["stage"]
"""The account of a stage with records, verdicts and a queue."""

AUDITOR, ERASER = "AuditReadingAuditor", "AuditEraser"


def allowed(stack: Synthesised, role: str) -> Mapping[str, set[str]]:
    """Return the targets of each action: a bucket's logical id and keys, or any other name."""
    (policy,) = [
        one for one in stack.resources("state", "AWS::IAM::Policy") if one["PolicyName"].startswith(role)
    ]
    found: dict[str, set[str]] = {}
    for statement in policy["PolicyDocument"]["Statement"]:
        resources = statement["Resource"]
        for action in statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]:
            for one in resources if isinstance(resources, list) else [resources]:
                found.setdefault(action, set()).add(short(one))
    return found


def short(resource: object) -> str:
    """Return what an ARN names, without its account: `Audit/records/*`."""
    name = "".join(re.findall(r"'Fn::GetAtt': \['([A-Za-z]+?)[0-9A-F]{8}'", str(resource)))
    keys = "".join(re.findall(r"'(/[^']+|:stack/[^']+)'", str(resource)))
    return f"{name}{keys}"


def below(bucket: str, *prefixes: str) -> set[str]:
    return {f"{bucket}/{prefix}/*" for prefix in prefixes}


@pytest.mark.rule("A3")
@pytest.mark.parametrize("role", [AUDITOR, ERASER])
def test_whoever_audits_reads_the_trail_and_its_digests(stack: Synthesised, role: str) -> None:
    """And finds both by the stacks' outputs, and checks by the key's public half."""
    rights = allowed(stack, role)
    trail = below("Audit", "records", "feedback", "undelivered") | below("Digests", "digests", "tombstones")
    assert trail <= rights["s3:GetObject"]
    assert {"Audit", "Digests"} <= rights["s3:ListBucket"]
    assert "Digests" in rights["s3:ListBucketVersions"]
    assert rights["kms:GetPublicKey"] == {"DigestKey"}
    stacks = {f":stack/bookbound-{stack.stage.name}-{part}/*" for part in STACKS}
    assert rights["cloudformation:DescribeStacks"] == stacks


@pytest.mark.rule("A4")
def test_the_eraser_changes_the_trail_and_adds_tombstones(stack: Synthesised) -> None:
    """In the digests' bucket it can neither delete nor write a digest."""
    rights = allowed(stack, ERASER)
    trail = below("Audit", "records", "feedback", "undelivered")
    assert rights["s3:PutObject"] == trail | below("Digests", "tombstones")
    for action in ("s3:GetObjectVersion", "s3:DeleteObject", "s3:DeleteObjectVersion"):
        assert rights[action] == trail
    assert rights["s3:ListBucketVersions"] == {"Audit", "Digests"}
    assert rights["kms:Sign"] == {"DigestKey"}
    assert {one for action, on in rights.items() if action.startswith("sqs:") for one in on} == {
        "AuditFallback"
    }


@pytest.mark.rule("A4")
def test_nobody_but_the_eraser_takes_a_version_away(stack: Synthesised) -> None:
    """No function, and no auditor."""
    may = [
        policy["PolicyName"]
        for part in stack.templates
        for policy in stack.resources(part, "AWS::IAM::Policy")
        if "s3:DeleteObjectVersion" in str(policy["PolicyDocument"])
    ]
    assert len(may) == 1
    assert may[0].startswith(ERASER)


COMMANDS = [
    (AUDITOR, ["query"]),
    (AUDITOR, ["report"]),
    (AUDITOR, ["verify"]),
    (ERASER, ["erase", "--session", MINE]),
    (ERASER, ["erase", "--session", MINE, "--yes"]),
]
NEEDED = {
    "ListObjectsV2": "ListBucket",
    "ListObjectVersions": "ListBucketVersions",
    "DeleteObjects": "DeleteObject",
}
"""S3's rights, where they are not called as the operation is."""


@contextmanager
def calls() -> Iterator[list[tuple[str, str]]]:
    """The right that each call of AWS needs, and on what, as `allowed` names it."""
    made: list[tuple[str, str]] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        made.append(right(model.service_model.service_name, model.name, params))

    boto3.setup_default_session()
    assert boto3.DEFAULT_SESSION
    boto3.DEFAULT_SESSION.events.register("provide-client-params", note)
    try:
        yield made
    finally:
        boto3.setup_default_session()


def right(service: str, operation: str, params: dict[str, Any]) -> tuple[str, str]:
    if service == "s3":
        version = "Version" if "VersionId" in params else ""
        keys = [params.get("Key"), *(one["Key"] for one in params.get("Delete", {}).get("Objects", []))]
        (folder,) = {key.partition("/")[0] if key else "" for key in keys if key} or {""}
        bucket = {"audit": "Audit", "digests": "Digests"}[params["Bucket"]]
        needed = f"{NEEDED.get(operation, operation)}{version}"
        return f"s3:{needed}", f"{bucket}/{folder}/*" if folder else bucket
    on = {"kms": "DigestKey", "sqs": "AuditFallback", "cloudformation": f":stack/{params.get('StackName')}/*"}
    return f"{service}:{operation}", on[service]


@pytest.mark.rule("A3", "A4")
@pytest.mark.parametrize(("role", "command"), COMMANDS)
def test_a_command_is_let_do_all_that_it_does(
    assembly: cx_api.CloudAssembly, stage: Any, tmp_path: Path, role: str, command: list[str]
) -> None:
    """Each call that it makes of a stage, on what it makes it."""
    rights = allowed(synthesised(DEV, assembly), role)
    with calls() as made:
        assert run(["audit", *command, "--stage", "dev", "--data", str(tmp_path)]) in (0, 1)
    assert made
    assert [one for one in made if one[1] not in rights.get(one[0], ())] == []
