"""Promises of the state stack of every stage."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bookbound.adapters.files.audit_folder import AuditFolder
from infra.stages import PROD
from tests.infra.conftest import RICH, Synthesised

BOOKS, AUDIT = "BooksBucket", "AuditBucket"

PERSONAL = "records/personal=true/"
OTHER = "records/personal=false/"
FEEDBACK = "feedback/"
UNDELIVERED = "undelivered/"

WARM = {"StorageClass": "STANDARD_IA", "TransitionInDays": 90}
COLD = {"StorageClass": "GLACIER_IR", "TransitionInDays": 365}


def lifecycle(stack: Synthesised, bucket: str) -> list[dict[str, Any]]:
    """A bucket's lifecycle rules."""
    return list(stack.behind("state", bucket)["LifecycleConfiguration"]["Rules"])


def fate(stack: Synthesised, prefix: str) -> dict[str, Any]:
    """The audit bucket's lifecycle rule for what lies under a prefix."""
    (rule,) = [rule for rule in lifecycle(stack, AUDIT) if rule.get("Prefix") == prefix]
    return rule


STREAMS = {"AuditStreamPersonal": PERSONAL, "AuditStreamOther": OTHER}


def delivery(stack: Synthesised, stream: str) -> dict[str, Any]:
    """Return where and how an audit stream writes."""
    found = stack.behind("state", stream)["ExtendedS3DestinationConfiguration"]
    assert isinstance(found, dict)
    return found


@pytest.mark.rule("A3")
def test_records_are_hot_then_warm_then_cold(stack: Synthesised) -> None:
    """Hot to 90 days, warm to 365, cold afterwards."""
    assert fate(stack, OTHER)["Transitions"] == [WARM, COLD]


@pytest.mark.rule("A3")
def test_no_tier_needs_a_restore(stack: Synthesised) -> None:
    """Data in any tier can be queried at once."""
    tiers = {
        transition["StorageClass"]
        for rule in lifecycle(stack, AUDIT)
        for transition in rule.get("Transitions", [])
    }
    assert tiers == {"STANDARD_IA", "GLACIER_IR"}


@pytest.mark.rule("A3", "A4")
def test_records_without_personal_data_are_kept(stack: Synthesised) -> None:
    """No rule deletes the trail where it names no person."""
    deleted = {rule.get("Prefix") for rule in lifecycle(stack, AUDIT) if "ExpirationInDays" in rule}
    assert deleted == {PERSONAL, FEEDBACK, UNDELIVERED}


@pytest.mark.rule("A4")
@pytest.mark.parametrize("prefix", [PERSONAL, FEEDBACK, UNDELIVERED])
def test_personal_data_is_deleted_after_retention(stack: Synthesised, prefix: str) -> None:
    """Records and feedback of persons are warm until the day of their deletion."""
    rule = fate(stack, prefix)
    assert rule["ExpirationInDays"] == 365
    assert rule["Transitions"] == [WARM]


@pytest.mark.rule("A4")
def test_what_is_deleted_is_gone_a_week_later(stack: Synthesised) -> None:
    """Deletion reaches the versions that a versioned bucket keeps, under every prefix."""
    (rule,) = [rule for rule in lifecycle(stack, AUDIT) if "NoncurrentVersionExpiration" in rule]
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 7}
    assert rule["ExpiredObjectDeleteMarker"]
    assert "Prefix" not in rule


@pytest.mark.rule("A4")
@pytest.mark.parametrize(("personal", "prefix"), [(True, PERSONAL), (False, OTHER)])
def test_the_bucket_is_laid_out_as_the_local_folder(tmp_path: Path, personal: bool, prefix: str) -> None:
    """The prefixes that the lifecycle knows are those that a record is written under."""
    record = {"timestamp": "2026-03-01T00:00:00+00:00", "personal_data": personal}
    asyncio.run(AuditFolder(tmp_path).put(record))
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert file.relative_to(tmp_path).as_posix().startswith(prefix)


@pytest.mark.rule("A2", "A4")
@pytest.mark.parametrize(("stream", "prefix"), STREAMS.items())
def test_each_stream_writes_where_its_records_lie(stack: Synthesised, stream: str, prefix: str) -> None:
    """It writes gzip to a folder per day within five minutes; failures go where they get deleted."""
    found = delivery(stack, stream)
    day = "year=!{timestamp:yyyy}/month=!{timestamp:MM}/day=!{timestamp:dd}/"
    assert found["Prefix"] == f"{prefix}{day}"
    assert found["ErrorOutputPrefix"].startswith(UNDELIVERED)
    assert found["CompressionFormat"] == "GZIP"
    assert found["BufferingHints"] == {"IntervalInSeconds": 300, "SizeInMBs": 5}


@pytest.mark.rule("A2")
def test_a_record_brings_its_own_newline(stack: Synthesised) -> None:
    """A stream adds none, or each second line of a file would be empty."""
    assert not [stream for stream in STREAMS if "ProcessingConfiguration" in delivery(stack, stream)]


@pytest.mark.rule("A2")
def test_the_queue_keeps_what_a_stream_did_not_take_for_two_weeks(stack: Synthesised) -> None:
    """This is as long as SQS can keep it, and the queue is encrypted."""
    queue = stack.behind("state", "AuditQueueUrl")
    assert queue["MessageRetentionPeriod"] == 14 * 24 * 3600
    assert queue["SqsManagedSseEnabled"]


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_is_encrypted(stack: Synthesised, stream: str) -> None:
    """It is encrypted at rest as well as in transit."""
    encryption = stack.behind("state", stream)["DeliveryStreamEncryptionConfigurationInput"]
    assert encryption == {"KeyType": "AWS_OWNED_CMK"}


def test_a_books_old_snapshots_are_kept_for_a_month(stack: Synthesised) -> None:
    """A bad ingest can be undone; storage doesn't grow for ever."""
    assert stack.behind("state", BOOKS)["VersioningConfiguration"] == {"Status": "Enabled"}
    (rule,) = [rule for rule in lifecycle(stack, BOOKS) if "Prefix" not in rule]
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}
    assert "ExpirationInDays" not in rule


def test_of_the_books_bucket_what_runs_work_on_ends_by_itself(stack: Synthesised) -> None:
    """Unwatched uploads end too; a book never does, nor does anything made from it."""
    ends = {rule["Prefix"]: rule["ExpirationInDays"] for rule in lifecycle(stack, BOOKS) if "Prefix" in rule}
    assert ends == {"runs/": 90, "uploads/": 30}


def test_the_books_bucket_tells_of_what_comes_in(stack: Synthesised) -> None:
    """CloudFormation does it alone: no function of CDK's writes the bucket's configuration."""
    notifies = stack.behind("state", BOOKS)["NotificationConfiguration"]
    assert notifies == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}
    assert not stack.whole("state", "Custom::S3BucketNotifications")


def test_every_bucket_is_private_and_encrypted(stack: Synthesised) -> None:
    """There is no public access by any route, and no plain text at rest."""
    for bucket in stack.resources("state", "AWS::S3::Bucket"):
        assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
        (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        assert rule["ServerSideEncryptionByDefault"] == {"SSEAlgorithm": "AES256"}


@pytest.mark.parametrize(
    ("kind", "policy", "names", "actions"),
    [
        ("AWS::S3::Bucket", "AWS::S3::BucketPolicy", "Bucket", "s3:*"),
        ("AWS::SQS::Queue", "AWS::SQS::QueuePolicy", "Queues", "sqs:*"),
        ("AWS::SNS::Topic", "AWS::SNS::TopicPolicy", "Topics", "sns:Publish"),
    ],
    ids=["buckets", "queue", "topic"],
)
def test_everything_refuses_plain_http(
    stack: Synthesised, kind: str, policy: str, names: str, actions: str
) -> None:
    """A policy denies all that comes without TLS."""
    refusing = [
        resource["Ref"]
        for found in stack.resources("state", policy)
        for resource in (found[names] if isinstance(found[names], list) else [found[names]])
        for statement in found["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny"
        and statement["Action"] == actions
        and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    ]
    assert sorted(refusing) == sorted(stack.whole("state", kind))


def test_who_reads_books_and_records_is_logged(stack: Synthesised) -> None:
    """Both buckets log into a third, which deletes the log with the hot tier."""
    logs = [stack.behind("state", bucket)["LoggingConfiguration"] for bucket in (BOOKS, AUDIT)]
    assert [log["LogFilePrefix"] for log in logs] == ["books/", "audit/"]
    (log_id,) = {log["DestinationBucketName"]["Ref"] for log in logs}
    log_bucket = stack.whole("state", "AWS::S3::Bucket")[log_id]["Properties"]
    assert log_bucket["LifecycleConfiguration"]["Rules"] == [{"ExpirationInDays": 90, "Status": "Enabled"}]


def test_s3_may_write_the_access_log(stack: Synthesised) -> None:
    """Each bucket's log is let in under its own prefix; nothing else is."""
    allowed = [
        (statement["Principal"]["Service"], statement["Action"], statement["Resource"]["Fn::Join"][1][-1])
        for policy in stack.resources("state", "AWS::S3::BucketPolicy")
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Allow" and "Service" in statement["Principal"]
    ]
    assert sorted(allowed) == [
        ("logging.s3.amazonaws.com", "s3:PutObject", f"/{log}/*")
        for log in ("audit", "authorreports", "books", "digests", "results")
    ]


def test_the_table_is_paid_by_request_and_forgets_by_itself(stack: Synthesised) -> None:
    """Items lie by pk and sk and end by their expires_at."""
    table = stack.behind("state", "Table")
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_only_prod_can_go_back_in_time(stack: Synthesised) -> None:
    """The table's point-in-time recovery costs money where it is of use."""
    recovery = stack.behind("state", "Table")["PointInTimeRecoverySpecification"]
    assert recovery == {"PointInTimeRecoveryEnabled": stack.stage == PROD}


@pytest.mark.rule("S5")
def test_no_template_holds_a_secret(stack: Synthesised) -> None:
    """The vendors' secret is made empty, to be filled by its owner; the signing key is made by AWS."""
    made = stack.behind("state", "VendorsSecret")["SecretString"]
    keys = ("claude_api_key", "cohere_api_key", "qdrant_url", "qdrant_api_key")
    assert json.loads(made) == dict.fromkeys(keys, "")
    signing = stack.behind("state", "SigningSecret")
    assert "SecretString" not in signing
    assert signing["GenerateSecretString"]["GenerateStringKey"] == "key"
    assert json.loads(signing["GenerateSecretString"]["SecretStringTemplate"]) == {"kid": "first"}


def test_a_stage_can_use_a_secret_that_exists(rich: Synthesised) -> None:
    """Then the one that is made stays next to it, since other stacks may still import it."""
    assert rich.templates["state"]["Outputs"]["VendorsSecret"]["Value"] == RICH.vendors_secret
    assert len(rich.resources("state", "AWS::SecretsManager::Secret")) == 2
    assert RICH.vendors_secret in {resource for _, resource in rich.allowed() if isinstance(resource, str)}


def test_alarms_reach_their_owner(rich: Synthesised) -> None:
    """By mail, from this account's alarms alone."""
    subscribed = {
        (one["Protocol"], one["Endpoint"]) for one in rich.resources("state", "AWS::SNS::Subscription")
    }
    assert ("email", RICH.alarm_email) in subscribed
    policies = rich.resources("state", "AWS::SNS::TopicPolicy")
    statements = [one for policy in policies for one in policy["PolicyDocument"]["Statement"]]
    (allowed,) = [one for one in statements if one["Effect"] == "Allow"]
    assert allowed["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    assert allowed["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_data_outlives_the_stack_in_prod_alone(stack: Synthesised) -> None:
    """Prod keeps its data, a failed first create aside; elsewhere, destroying the stack deletes all."""
    kinds = ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::SecretsManager::Secret")
    kept = {
        resource[policy]
        for kind in kinds
        for resource in stack.whole("state", kind).values()
        for policy in ("DeletionPolicy", "UpdateReplacePolicy")
    }
    assert kept == ({"RetainExceptOnCreate", "Retain"} if stack.stage == PROD else {"Delete"})
    assert stack.protected == {stack.stage == PROD}


def test_a_disposable_stage_empties_its_buckets(stack: Synthesised) -> None:
    """S3 deletes no bucket that holds anything; in prod nothing may empty one."""
    emptied = {one["BucketName"]["Ref"] for one in stack.resources("state", "Custom::S3AutoDeleteObjects")}
    assert emptied == (set() if stack.stage == PROD else set(stack.whole("state", "AWS::S3::Bucket")))


def test_names_are_left_to_cdk(stack: Synthesised) -> None:
    """A stage fits into any account next to any other."""
    named = {
        "AWS::S3::Bucket": "BucketName",
        "AWS::DynamoDB::Table": "TableName",
        "AWS::SQS::Queue": "QueueName",
        "AWS::SecretsManager::Secret": "Name",
        "AWS::KinesisFirehose::DeliveryStream": "DeliveryStreamName",
    }
    for kind, name in named.items():
        assert not [found for found in stack.resources("state", kind) if name in found]
