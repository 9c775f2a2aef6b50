"""What the state stack of every stage promises."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bookbound.adapters.audit_folder import AuditFolder
from infra.stages import PROD
from tests.infra.conftest import State

PERSONAL = "records/personal=true/"
OTHER = "records/personal=false/"
FEEDBACK = "feedback/"

WARM = {"StorageClass": "STANDARD_IA", "TransitionInDays": 90}
COLD = {"StorageClass": "GLACIER_IR", "TransitionInDays": 365}


@pytest.mark.rule("A3")
def test_records_are_hot_then_warm_then_cold(state: State) -> None:
    """Hot to 90 days, warm to 365, cold afterwards."""
    assert state.fate(OTHER)["Transitions"] == [WARM, COLD]


@pytest.mark.rule("A3")
def test_no_tier_needs_a_restore(state: State) -> None:
    """What lies in any tier can be queried at once."""
    tiers = {
        transition["StorageClass"]
        for rule in state.lifecycle(state.stack.audit)
        for transition in rule.get("Transitions", [])
    }
    assert tiers == {"STANDARD_IA", "GLACIER_IR"}


@pytest.mark.rule("A3", "A4")
def test_records_without_personal_data_are_kept(state: State) -> None:
    """Nothing deletes the trail where it names nobody."""
    deleted = {
        rule.get("Prefix") for rule in state.lifecycle(state.stack.audit) if "ExpirationInDays" in rule
    }
    assert deleted == {PERSONAL, FEEDBACK}


@pytest.mark.rule("A4")
@pytest.mark.parametrize("prefix", [PERSONAL, FEEDBACK])
def test_personal_data_is_deleted_after_retention(state: State, prefix: str) -> None:
    """Records and feedback of persons are warm until the day of their deletion."""
    fate = state.fate(prefix)
    assert fate["ExpirationInDays"] == 365
    assert fate["Transitions"] == [WARM]


@pytest.mark.rule("A4")
def test_what_is_deleted_is_gone_a_week_later(state: State) -> None:
    """Deletion reaches the versions that a versioned bucket keeps, under every prefix."""
    (rule,) = [rule for rule in state.lifecycle(state.stack.audit) if "NoncurrentVersionExpiration" in rule]
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


def test_a_books_old_snapshots_are_kept_for_a_month(state: State) -> None:
    """A bad ingest can be undone; storage doesn't grow for ever."""
    assert state.bucket(state.stack.books)["VersioningConfiguration"] == {"Status": "Enabled"}
    (rule,) = state.lifecycle(state.stack.books)
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}
    assert "ExpirationInDays" not in rule


def test_every_bucket_is_private_and_encrypted(state: State) -> None:
    """No public access by whatever road, and no plain text at rest."""
    for bucket in state.resources("AWS::S3::Bucket").values():
        properties = bucket["Properties"]
        assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
        (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        assert rule["ServerSideEncryptionByDefault"] == {"SSEAlgorithm": "AES256"}


def test_every_bucket_refuses_plain_http(state: State) -> None:
    """A policy denies all that comes without TLS."""
    refusing = {
        policy["Properties"]["Bucket"]["Ref"]
        for policy in state.resources("AWS::S3::BucketPolicy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny"
        and statement["Action"] == "s3:*"
        and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    }
    assert refusing == set(state.resources("AWS::S3::Bucket"))


def test_who_reads_books_and_records_is_logged(state: State) -> None:
    """Both buckets log into a third, which deletes the log with the hot tier."""
    logs = [state.bucket(bucket)["LoggingConfiguration"] for bucket in (state.stack.books, state.stack.audit)]
    assert [log["LogFilePrefix"] for log in logs] == ["books/", "audit/"]
    (log_id,) = {log["DestinationBucketName"]["Ref"] for log in logs}
    log_bucket = state.resources("AWS::S3::Bucket")[log_id]["Properties"]
    assert log_bucket["LifecycleConfiguration"]["Rules"] == [{"ExpirationInDays": 90, "Status": "Enabled"}]


def test_s3_may_write_the_access_log(state: State) -> None:
    """Each bucket's log is let in under its own prefix; nothing else is."""
    allowed = [
        (statement["Principal"]["Service"], statement["Action"], statement["Resource"]["Fn::Join"][1][-1])
        for policy in state.resources("AWS::S3::BucketPolicy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Allow" and "Service" in statement["Principal"]
    ]
    assert allowed == [
        ("logging.s3.amazonaws.com", "s3:PutObject", f"/{log}/*") for log in ("books", "audit")
    ]


def test_the_table_is_paid_by_request_and_forgets_by_itself(state: State) -> None:
    """Items lie by pk and sk and end by their expires_at."""
    state.template.has_resource_properties(
        "AWS::DynamoDB::Table",
        {
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "TimeToLiveSpecification": {"AttributeName": "expires_at", "Enabled": True},
        },
    )


def test_only_prod_can_go_back_in_time(state: State) -> None:
    """The table's point-in-time recovery costs money where it is of use."""
    (table,) = state.resources("AWS::DynamoDB::Table").values()
    recovery = table["Properties"]["PointInTimeRecoverySpecification"]
    assert recovery == {"PointInTimeRecoveryEnabled": state.stage == PROD}


def test_data_outlives_the_stack_in_prod_alone(state: State) -> None:
    """Prod keeps its data whatever happens to the stack; elsewhere destroying takes all."""
    kept = {
        resource[policy]
        for kind in ("AWS::S3::Bucket", "AWS::DynamoDB::Table")
        for resource in state.resources(kind).values()
        for policy in ("DeletionPolicy", "UpdateReplacePolicy")
    }
    assert kept == ({"Retain"} if state.stage == PROD else {"Delete"})
    assert state.stack.termination_protection == (state.stage == PROD)


def test_a_disposable_stage_empties_its_buckets(state: State) -> None:
    """S3 deletes no bucket that holds anything; in prod nothing may empty one."""
    emptied = {
        resource["Properties"]["BucketName"]["Ref"]
        for resource in state.resources("Custom::S3AutoDeleteObjects").values()
    }
    assert emptied == (set() if state.stage == PROD else set(state.resources("AWS::S3::Bucket")))


def test_names_are_left_to_cdk(state: State) -> None:
    """A stage fits into any account beside any other."""
    for kind, name in (("AWS::S3::Bucket", "BucketName"), ("AWS::DynamoDB::Table", "TableName")):
        assert not [found for found in state.resources(kind).values() if name in found["Properties"]]
