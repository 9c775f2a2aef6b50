"""Least privilege: what each role of a stage may do, and nothing may do more."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import boto3
import pytest
from aws_cdk import cx_api
from moto import mock_aws

from bookbound.access.credentials import Grant
from bookbound.access.quotas import Rates, asking, minting
from bookbound.access.rate_limiter import RateLimiter
from bookbound.adapters.aws.table_counters import TableCounters
from bookbound.deadline import Deadline
from testing.fakes import FakeGenerator
from testing.staged import ACCOUNT
from testing.tables import shared_table
from tests.adapters.test_token_budget import BRIEF, MOST, draft, within
from tests.infra.conftest import Synthesised
from tests.infra.watched_job import asked

TABLE = "table"
RATES = Rates(per_session=20, per_address=120, tokens=60)
KEY, PAGE = Grant("campus", limit=100), Grant("browser-1", address="address")

XRAY = ["xray:PutTelemetryRecords", "xray:PutTraceSegments"]
"""X-Ray knows no resources."""

LOGS = {"logs:CreateLogStream", "logs:PutLogEvents"}
KEYS = {"secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"}
READ = {"s3:GetObject", "s3:ListBucket"}
WRITE = {"s3:PutObject", "s3:AbortMultipartUpload"}
STEP = {*LOGS, *XRAY}
"""Rights of every function."""
AUDITING = {*READ, "s3:ListBucketVersions", "kms:GetPublicKey", "cloudformation:DescribeStacks"}
"""Rights of a user of the commands of `bookbound audit`."""
DELIVERER = {*LOGS, *WRITE, "s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"}
"""Rights of every stream."""

DELIVERY = {
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
}
"""Rights with which Step Functions gets its log to CloudWatch; no resources either."""

RIGHTS = {
    "Api": {
        *STEP,
        *KEYS,
        *READ,
        *WRITE,
        "firehose:PutRecord",
        "sqs:SendMessage",
        "dynamodb:UpdateItem",
    },
    "Digest": {*STEP, *READ, *WRITE, "kms:Sign"},
    "Weekly": {*STEP, *READ, *WRITE, "sns:Publish"},
    "Authorizer": {*STEP, *KEYS, "dynamodb:GetItem"},
    "ReleaseCheck": {
        *STEP,
        *READ,
        "lambda:InvokeFunction",
        "codedeploy:PutLifecycleEventHookExecutionStatus",
    },
    "ReleaseService": {"lambda:InvokeFunction"},
    "Publisher": {
        *KEYS,
        *READ,
        *WRITE,
        "cloudformation:DescribeStacks",
        "lambda:GetFunctionConfiguration",
        "states:StartExecution",
        "states:DescribeExecution",
    },
    "Begin": {*STEP, *WRITE, "dynamodb:UpdateItem"},
    "Discover": {*STEP, *KEYS, *READ, *WRITE, "s3:GetObjectVersion", "dynamodb:UpdateItem"},
    "Index": {*STEP, *KEYS, *READ, *WRITE, "dynamodb:UpdateItem"},
    "Tally": {*STEP, *READ, *WRITE, "dynamodb:UpdateItem"},
    "Finish": {*STEP, *READ, *WRITE, "dynamodb:UpdateItem"},
    "Verify": {*STEP, *KEYS, *READ, *WRITE, "dynamodb:UpdateItem"},
    "Publish": {*STEP, *KEYS, *READ, *WRITE, "dynamodb:UpdateItem"},
    "Prune": {*STEP, *KEYS, *READ, "s3:DeleteObject", "dynamodb:UpdateItem"},
    "Report": {*STEP, *KEYS, *READ, *WRITE, "s3:DeleteObject", "dynamodb:DeleteItem", "sns:Publish"},
    "Machine": {
        *XRAY,
        "xray:GetSamplingRules",
        "xray:GetSamplingTargets",
        *DELIVERY,
        "lambda:InvokeFunction",
        "s3:GetObject",
        "states:StartExecution",
        "states:DescribeExecution",
        "states:StopExecution",
        "states:RedriveExecution",
    },
    "MachineEvents": {"states:StartExecution"},
    "AuditReadingAuditor": {
        *AUDITING,
        *WRITE,
        "s3:GetBucketLocation",
        "athena:GetNamedQuery",
        "athena:GetQueryExecution",
        "athena:GetQueryResults",
        "athena:GetWorkGroup",
        "athena:ListNamedQueries",
        "athena:ListQueryExecutions",
        "athena:StartQueryExecution",
        "athena:StopQueryExecution",
        "glue:GetDatabase",
        "glue:GetTable",
        "glue:GetTables",
    },
    "AuditEraser": {
        *AUDITING,
        *WRITE,
        "s3:GetObjectVersion",
        "s3:DeleteObject",
        "s3:DeleteObjectVersion",
        "kms:Sign",
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
    },
    "AuditStreamPersonal": DELIVERER,
    "AuditStreamOther": DELIVERER,
}


def actions_by_role(stack: Synthesised) -> dict[str, set[str]]:
    """All that the roles of a stage's stacks are allowed, by the name that their policy begins with."""
    found: dict[str, set[str]] = {}
    for part in stack.templates:
        for policy in stack.resources(part, "AWS::IAM::Policy"):
            name = policy["PolicyName"].removeprefix("Steps")
            role = re.split("Role|DefaultPolicy|MapPolicy", name)[0]
            for actions, _ in statements(policy):
                found.setdefault(role, set()).update(actions)
    return found


def statements(policy: dict[str, Any]) -> list[tuple[list[str], Any]]:
    """Actions and resource of each statement."""
    return [
        ([one["Action"]] if isinstance(one["Action"], str) else one["Action"], one["Resource"])
        for one in policy["PolicyDocument"]["Statement"]
    ]


def test_each_role_may_do_what_it_does(stack: Synthesised) -> None:
    """Every right is listed here; a new one is a decision."""
    assert actions_by_role(stack) == RIGHTS


def test_no_action_is_a_pattern(stack: Synthesised) -> None:
    """A role names what it does."""
    assert not [action for actions, _ in stack.allowed() for action in actions if "*" in action]


def test_only_traces_and_the_machines_log_reach_every_resource(stack: Synthesised) -> None:
    """Everything else is allowed on what it is for."""
    anywhere = [set(actions) for actions, resource in stack.allowed() if resource == "*"]
    machine = {*DELIVERY, *XRAY, "xray:GetSamplingRules", "xray:GetSamplingTargets"}
    assert [actions for actions in anywhere if actions != set(XRAY)] == [machine]
    assert len(anywhere) == 1 + len(stack.functions())


@pytest.mark.rule("S5")
def test_each_function_reads_its_own_secrets(stack: Synthesised) -> None:
    """The authorizer never sees the vendors' keys."""
    read = {
        policy["PolicyName"][:3]: str(resource)
        for policy in stack.resources("api", "AWS::IAM::Policy")
        for actions, resource in statements(policy)
        if KEYS & set(actions)
    }
    assert "Vendors" in read["Api"]
    assert "Signing" in read["Api"]
    assert "Vendors" not in read["Aut"]
    assert "Signing" in read["Aut"]


@pytest.mark.rule("A4")
def test_the_api_writes_feedback_and_records_and_reads_neither(stack: Synthesised) -> None:
    """A reader's words can be written from the outside, never read back."""
    (policy,) = [
        one for one in stack.resources("api", "AWS::IAM::Policy") if one["PolicyName"].startswith("Api")
    ]
    on_audit = [
        (set(actions), str(resource))
        for actions, resource in statements(policy)
        if "GetAttAudit" in str(resource)
    ]
    rights = set().union(*(actions for actions, resource in on_audit if "Bucket" not in resource))
    assert rights - {"sqs:SendMessage"} == {"s3:PutObject", "s3:AbortMultipartUpload"}
    (written,) = [resource for actions, resource in on_audit if "s3:PutObject" in actions]
    assert "/feedback/*" in written
    assert "/records/*" in written


@pytest.mark.rule("I4")
def test_nobody_deletes_a_pointer_or_an_upload(stack: Synthesised) -> None:
    """A pointer is overwritten, never deleted; two steps alone delete versions and vectors."""
    deletes = [
        resource
        for actions, resource in stack.allowed()
        if "s3:DeleteObject" in actions and "GetAttBooks" in str(resource)
    ]
    keys = re.findall(r"'/([^']+)'", str(deletes))
    assert sorted(keys) == ["books/*/vectors/*", *["books/*/versions/*"] * 2]


@pytest.mark.rule("I4")
def test_a_books_author_writes_uploads_and_pointers(stack: Synthesised) -> None:
    """Only the job makes a version, no matter what an author's machine does."""
    (policy,) = [
        one
        for one in stack.resources("ingest", "AWS::IAM::Policy")
        if one["PolicyName"].startswith("Publisher")
    ]
    (written,) = [resource for actions, resource in statements(policy) if "s3:PutObject" in actions]
    keys = re.findall(r"'/([^']+)'", str(written))
    assert sorted(keys) == ["books/*/*.zip", "books/*/current", "uploads/*"]


@pytest.mark.rule("S1")
def test_the_job_reaches_leases_and_rates_and_no_clients_key(stack: Synthesised) -> None:
    """They lie in the table that has the clients' keys."""
    assert sorted(key for (key,) in items(stack, "ingest")) == ["ingest#*"] * 9 + ["rate#*"]


@pytest.mark.rule("S1", "S2")
def test_the_api_counts_and_neither_reads_nor_changes_a_clients_key(stack: Synthesised) -> None:
    """An attacker who controls it cannot get in anywhere."""
    (role,) = [
        one["PolicyDocument"]["Statement"]
        for one in stack.resources("api", "AWS::IAM::Policy")
        if one["PolicyName"].startswith("Api")
    ]
    on_table = [one for one in role if "dynamodb" in str(one["Action"])]
    assert [one["Action"] for one in on_table] == ["dynamodb:UpdateItem"]
    (keys,) = items(stack, "api")
    assert keys == ["limit#*", "budget#*"]


@pytest.mark.rule("S2")
async def test_the_api_may_count_what_it_counts(stack: Synthesised, dynamodb: Any) -> None:
    """Every call of limits and budget is allowed, on the exact item; and each right is used."""
    calls: list[tuple[str, str]] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        calls.extend((action, str(key)) for action, key in asked("dynamodb", model.name, params))

    dynamodb.meta.events.register("provide-client-params.dynamodb.*", note)
    counters = TableCounters(dynamodb, TABLE)
    quotas = [*asking(PAGE, "question", RATES), *asking(KEY, "feedback", RATES), *minting("address", RATES)]
    await RateLimiter(counters, time.time).take(quotas)
    await within(MOST, FakeGenerator([draft(1)]), counters).write(BRIEF, Deadline(pace=10))
    (patterns,) = items(stack, "api")
    assert {action for action, _ in calls} == {"dynamodb:UpdateItem"}
    taken = [[pattern for pattern in patterns if fnmatchcase(key, pattern)] for _, key in calls]
    assert all(taken)
    assert {pattern for one in taken for pattern in one} == set(patterns)


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of an account with a table."""
    for name, value in ACCOUNT.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        shared_table(TABLE)
        yield boto3.client("dynamodb")


def items(stack: Synthesised, part: str) -> list[list[str]]:
    """Return the item keys of each statement that is about some items of the table only."""
    conditions = [
        statement["Condition"]["ForAllValues:StringLike"]
        for policy in stack.resources(part, "AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        if "dynamodb" in str(statement["Action"]) and "Condition" in statement
    ]
    return [one["dynamodb:LeadingKeys"] for one in conditions]


def test_nothing_but_aws_and_the_account_takes_a_role(stack: Synthesised) -> None:
    """No role of a plain stage trusts any other party."""
    trusted = {
        str(next(iter(statement["Principal"].items())))
        for part in stack.templates
        for role in stack.resources(part, "AWS::IAM::Role")
        for statement in role["AssumeRolePolicyDocument"]["Statement"]
    }
    services = {one for one in trusted if one.startswith("('Service'")}
    (account,) = trusted - services
    assert "AWS::AccountId" in account
    assert ":root" in account


def trusting_github(stack: Synthesised) -> dict[str, Any]:
    """What GitHub's token must claim, by the start of the name of the role that trusts it."""
    return {
        name: statement["Condition"]
        for name, role in stack.whole("ingest", "AWS::IAM::Role").items()
        for statement in role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        if statement["Action"] == "sts:AssumeRoleWithWebIdentity"
    }


def rights_of(stack: Synthesised, name: str) -> set[str]:
    """All that a role of the ingest stack may do."""
    (policy,) = [
        one["PolicyDocument"]["Statement"]
        for one in stack.resources("ingest", "AWS::IAM::Policy")
        if one["PolicyName"].startswith(f"{name}DefaultPolicy")
    ]
    actions = [statement["Action"] for statement in policy]
    return {action for each in actions for action in ([each] if isinstance(each, str) else each)}


@pytest.mark.parametrize(
    ("role", "subjects"),
    [
        ("Author", ["repo:owner/book:environment:rich"]),
        (
            "Deployer",
            [
                "repo:owner/bookbound:environment:rich",
                "repo:owner@42/bookbound@4711:environment:rich",
            ],
        ),
        (
            "Differ",
            [
                "repo:owner/bookbound:environment:rich-diff",
                "repo:owner@42/bookbound@4711:environment:rich-diff",
            ],
        ),
    ],
)
def test_a_workflow_works_from_its_repository_alone(
    role: str, subjects: list[str], rich: Synthesised
) -> None:
    """GitHub's token must name repository and environment letter by letter, with ids or without."""
    (claims,) = [found for name, found in trusting_github(rich).items() if name.startswith(role)]
    issuer = "token.actions.githubusercontent.com"
    assert claims == {"StringEquals": {f"{issuer}:aud": "sts.amazonaws.com", f"{issuer}:sub": subjects}}


@pytest.mark.rule("S5")
def test_a_workflow_reads_no_vendors_key(rich: Synthesised) -> None:
    """A book's repository sends pages and starts the ingest; nothing else, and no secret."""
    assert rights_of(rich, "Author") == {
        "cloudformation:DescribeStacks",
        "s3:PutObject",
        "s3:AbortMultipartUpload",
        "s3:GetObject",
        "s3:ListBucket",
        "states:StartExecution",
        "states:DescribeExecution",
    }
    assert not any("secretsmanager" in action for action in rights_of(rich, "Deployer"))
    assert rights_of(rich, "Differ") == {"sts:AssumeRole"}


def test_the_account_knows_github_once(assembly: cx_api.CloudAssembly) -> None:
    """Its provider stands in a stack apart from the stages', which an account can have only one of."""
    (github,) = [stack for stack in assembly.stacks if stack.stack_name == "bookbound-github"]
    (provider,) = github.template["Resources"].values()
    assert provider["Type"] == "AWS::IAM::OIDCProvider"
    assert provider["Properties"]["ClientIdList"] == ["sts.amazonaws.com"]
