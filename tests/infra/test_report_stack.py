"""The author's weekly report in a stage: what its function may read, when it runs, and who is told."""

from __future__ import annotations

import pytest

from functions.weekly import wiring
from tests.infra.conftest import ACCOUNT, LAMBDA, Synthesised


@pytest.mark.rule("A4")
def test_the_function_reads_no_record_with_personal_data(stack: Synthesised) -> None:
    """And writes nothing but reports."""
    keys = {
        (action, str(resource).rpartition("/")[0].rpartition("'/")[2] or str(resource))
        for policy in stack.resources("report", "AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        for action in statement["Action"]
        if isinstance(statement["Action"], list) and action.startswith("s3:")
        for resource in [statement["Resource"]]
    }
    said = str(stack.resources("report", "AWS::IAM::Policy"))
    assert "/records/personal=false/*" in said
    assert "personal=true" not in said
    assert {action for action, _ in keys} <= {"s3:PutObject", "s3:AbortMultipartUpload", "s3:GetObject"}


def test_the_function_runs_on_mondays(stack: Synthesised) -> None:
    """By its alias."""
    (rule,) = stack.resources("report", "AWS::Events::Rule")
    assert rule["ScheduleExpression"] == "cron(0 5 ? * MON *)"
    (target,) = rule["Targets"]
    assert target["Arn"]["Ref"] in stack.whole("report", "AWS::Lambda::Alias")


def test_the_function_can_be_built_from_its_environment(
    stack: Synthesised, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every variable that it reads is there."""
    for name in ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    (function,) = stack.resources("report", LAMBDA)
    variables = function["Environment"]["Variables"]
    values = {name: one if isinstance(one, str) else ACCOUNT for name, one in variables.items()}
    assert wiring.build(values).stage == stack.stage.name


@pytest.mark.rule("A4")
def test_a_report_goes_after_a_month(stack: Synthesised) -> None:
    """No erasure reaches a session in it."""
    rules = stack.behind("state", "AuthorReportsBucket")["LifecycleConfiguration"]["Rules"]
    assert [rule["ExpirationInDays"] for rule in rules if "ExpirationInDays" in rule] == [30]


def test_the_author_is_told_where_the_stage_names_one(rich: Synthesised, stack: Synthesised) -> None:
    """Over TLS alone, as anyone else who subscribes."""
    mails = [one["Endpoint"] for one in rich.resources("state", "AWS::SNS::Subscription")]
    assert rich.stage.author_email in mails
    assert stack.stage.author_email is None
