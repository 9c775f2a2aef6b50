"""Digests of the audit trail: a function on a schedule, and the alarm for its silence."""

from __future__ import annotations

import json

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from constructs import Construct

from bookbound.audit.digest_format import DIGESTS, TRAIL
from infra.assets import Assets
from infra.constructs.audit_lifecycle import audit_lifecycle
from infra.constructs.digest_archive import sign_by
from infra.constructs.function import StageFunction, layer
from infra.constructs.runbook_alarm import RunbookAlarm
from infra.grants import read_objects, write_objects
from infra.stage import Stage
from infra.state_stack import StateStack

MINUTE = 20
"""Minute of every hour: what was being written at the hour's end is there by then."""

SILENT_HOURS = 3


class DigestStack(Stack):
    """The stage's digests. Every hour the function makes those that are due: as a rule the day's, once."""

    def __init__(self, scope: Construct, stage: Stage, *, assets: Assets, state: StateStack) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-digest", termination_protection=not stage.disposable)
        function = StageFunction(
            self,
            "Digest",
            stage=stage,
            asset=assets.digest,
            handler="functions.digest.handler.handler",
            layers=[layer(self, "Core", assets.core), layer(self, "Deps", assets.deps)],
            environment=_environment(stage, state),
            memory_mib=512,
            timeout=Duration.minutes(15),
        )
        read_objects(state.audit, function.execution, *(f"{prefix}*" for prefix in TRAIL))
        read_objects(state.digests, function.execution, f"{DIGESTS}*")
        write_objects(state.digests, function.execution, f"{DIGESTS}*")
        sign_by(state.digest_key, function.execution)
        _schedule(self, function)
        RunbookAlarm(
            self,
            "DigestOverdue",
            _silence(function),
            above=0,
            periods=SILENT_HOURS,
            says="The audit trail is not digested: what is changed in what came lately cannot be told.",
            tells=state.alarms,
            silent=cloudwatch.TreatMissingData.BREACHING,
        )


def _environment(stage: Stage, state: StateStack) -> dict[str, str]:
    expires = {
        rule.prefix: rule.expiration.to_days()
        for rule in audit_lifecycle(stage)
        if rule.prefix is not None and rule.expiration is not None
    }
    return {
        "BOOKBOUND_STAGE": stage.name,
        "BOOKBOUND_AUDIT_BUCKET": state.audit.bucket_name,
        "BOOKBOUND_DIGEST_BUCKET": state.digests.bucket_name,
        "BOOKBOUND_DIGEST_KEY": state.digest_key.key_id,
        "BOOKBOUND_DIGEST_HOURS": str(stage.digest_hours),
        "BOOKBOUND_DIGEST_EXPIRES": json.dumps(expires),
    }


def _schedule(scope: Construct, function: StageFunction) -> None:
    events.Rule(
        scope,
        "Schedule",
        description="A period of the audit trail may be over.",
        schedule=events.Schedule.cron(minute=str(MINUTE)),
        targets=[targets.LambdaFunction(function.live)],
    )


def _silence(function: StageFunction) -> cloudwatch.MathExpression:
    """Return 1 for an hour whose calls all failed, 0 where one did its work; no value without calls."""
    hour = Duration.hours(1)
    return cloudwatch.MathExpression(
        expression="IF(calls > failures, 0, 1)",
        using_metrics={
            "calls": function.metric_invocations(period=hour),
            "failures": function.metric_errors(period=hour),
        },
        period=hour,
        label="No digest",
    )
