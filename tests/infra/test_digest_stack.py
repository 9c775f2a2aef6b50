"""Integrity of the audit trail in a stage: a lock, a key, a schedule, and an alarm."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bookbound.audit.digest_format import TRAIL
from functions.digest import wiring
from infra.stages import PROD
from tests.infra.conftest import ACCOUNT, LAMBDA, Synthesised

DIGEST = "functions.digest.handler.handler"


def archive(stack: Synthesised) -> dict[str, Any]:
    """The bucket of the digests."""
    return stack.behind("state", "DigestBucket")


def variables(stack: Synthesised) -> dict[str, Any]:
    """The function's environment."""
    (function,) = stack.resources("digest", LAMBDA)
    assert function["Handler"] == DIGEST
    found: dict[str, Any] = function["Environment"]["Variables"]
    return found


def test_digests_of_a_lasting_stage_are_locked_for_longer_than_what_they_list(stack: Synthesised) -> None:
    """No user can undo it; a disposable stage has no such rule, or it could not be deleted."""
    assert archive(stack)["ObjectLockEnabled"]
    assert archive(stack)["VersioningConfiguration"] == {"Status": "Enabled"}
    configuration = archive(stack).get("ObjectLockConfiguration", {})
    if stack.stage.disposable:
        assert "Rule" not in configuration
    else:
        retention = configuration["Rule"]["DefaultRetention"]
        assert retention == {"Mode": "COMPLIANCE", "Days": PROD.retention_days + 30}


def test_nothing_deletes_a_digest(stack: Synthesised) -> None:
    """The objects that it lists may be gone; their former existence stays known."""
    assert "LifecycleConfiguration" not in archive(stack)
    allowed = {action for actions, _ in stack.allowed() for action in actions}
    assert not allowed & {"s3:BypassGovernanceRetention", "s3:PutObjectRetention"}


def test_the_key_signs_and_goes_with_a_disposable_stage_alone(stack: Synthesised) -> None:
    """On the curve that verification knows."""
    (key,) = stack.whole("state", "AWS::KMS::Key").values()
    assert (key["Properties"]["KeySpec"], key["Properties"]["KeyUsage"]) == ("ECC_NIST_P256", "SIGN_VERIFY")
    assert key["DeletionPolicy"] == ("Delete" if stack.stage.disposable else "RetainExceptOnCreate")


def test_the_digests_function_and_the_eraser_alone_sign(stack: Synthesised) -> None:
    """The function may write only digests: no tombstone, no record."""
    signing = [
        policy["PolicyName"]
        for part in stack.templates
        for policy in stack.resources(part, "AWS::IAM::Policy")
        if "kms:Sign" in str(policy["PolicyDocument"])
    ]
    assert [name.partition("Role")[0].partition("Default")[0] for name in signing] == [
        "AuditEraser",
        "Digest",
    ]
    written = [
        str(resource)
        for policy in stack.resources("digest", "AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        for resource in [statement["Resource"]]
        if "s3:PutObject" in statement["Action"]
    ]
    assert len(written) == 1
    assert "Digests" in written[0]
    assert "/digests/*" in written[0]


def test_the_function_looks_every_hour(stack: Synthesised) -> None:
    """It does so at minute 20: a digest is due a quarter of an hour after the end of its period."""
    (rule,) = stack.resources("digest", "AWS::Events::Rule")
    assert rule["ScheduleExpression"] == "cron(20 * * * ? *)"
    (target,) = rule["Targets"]
    assert target["Arn"]["Ref"] in stack.whole("digest", "AWS::Lambda::Alias")


def test_the_function_can_be_built_from_its_environment(
    stack: Synthesised, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says of expiry what the trail's own bucket does."""
    for name in ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    values = {name: one if isinstance(one, str) else ACCOUNT for name, one in variables(stack).items()}
    deps = wiring.build(values)
    assert deps.hours == stack.stage.digest_hours
    rules = stack.behind("state", "AuditBucket")["LifecycleConfiguration"]["Rules"]
    ends = {one["Prefix"]: one["ExpirationInDays"] for one in rules if "ExpirationInDays" in one}
    assert deps.expires == ends == json.loads(values["BOOKBOUND_DIGEST_EXPIRES"])
    assert all(prefix.startswith(TRAIL) for prefix in ends)


def test_silence_is_an_alarm(stack: Synthesised) -> None:
    """Three hours in which no call did its work, or none was made."""
    (alarm,) = stack.resources("digest", "AWS::CloudWatch::Alarm")
    assert (alarm["TreatMissingData"], alarm["EvaluationPeriods"]) == ("breaching", 3)
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (0, "GreaterThanThreshold")
    metrics = {one["MetricStat"]["Metric"]["MetricName"] for one in alarm["Metrics"] if "MetricStat" in one}
    assert metrics == {"Invocations", "Errors"}
    assert {one["MetricStat"]["Period"] for one in alarm["Metrics"] if "MetricStat" in one} == {3600}
