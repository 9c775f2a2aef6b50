"""A question every six hours: Qdrant Cloud suspends a free cluster that nobody asks, and deletes it later."""

from __future__ import annotations

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from bookbound.api.own_event import question_event
from bookbound.index.known_questions import OUT_OF_BOOK

CALLER = "heartbeat"
"""Client id of these questions in the audit trail (S1)."""

HOURS = 6


class Heartbeat(events.Rule):
    """Asks the live version what no book answers: it is searched for, and refused before any model call."""

    def __init__(self, scope: Construct, construct_id: str, *, api: lambda_.IFunction) -> None:
        event = events.RuleTargetInput.from_object(question_event(OUT_OF_BOOK, CALLER))
        super().__init__(
            scope,
            construct_id,
            description="A question that keeps the index awake.",
            schedule=events.Schedule.rate(Duration.hours(HOURS)),
            targets=[targets.LambdaFunction(api, event=event)],
        )
