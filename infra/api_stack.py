"""The answering side: the gateway, its firewall, the API's function and the authorizer's."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import CfnParameter, Duration, Stack
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from bookbound.local.snapshots import PARAMETER
from infra.assets import Assets
from infra.constructs.firewall import Firewall
from infra.constructs.function import StageFunction, embedding_by, layer
from infra.constructs.gateway import Gateway
from infra.constructs.heartbeat import Heartbeat
from infra.constructs.release import ApiHealth, NewVersion, Release, ReleaseCheck
from infra.grants import invoke_model, on_items, read_objects, write_objects
from infra.outputs import put_out
from infra.stage import Stage
from infra.state_stack import StateStack

API_TIMEOUT = Duration.seconds(10)
"""Twice what a question has (D1), so that the API answers 504 itself. Starting is apart from it."""


class ApiStack(Stack):
    """The stage's API.

    Attributes:
        api, authorizer: the two functions.
        gateway: the REST API before them.
    """

    def __init__(
        self, scope: Construct, stage: Stage, *, assets: Assets, state: StateStack, forced: bool = False
    ) -> None:
        super().__init__(scope, f"bookbound-{stage.name}-api", termination_protection=not stage.disposable)
        self.gateway = Gateway(self, "Gateway", stage=stage)
        layers = [layer(self, "Core", assets.core), layer(self, "Deps", assets.deps)]
        self.api = self._api(stage, assets, state, layers)
        self.authorizer = self._authorizer(stage, assets, state, layers)
        self._grant(stage, state)
        self.gateway.route(self.api.live, self.authorizer.live)
        Firewall(self, "Firewall", stage=stage, protects=self.gateway.deployment_stage.stage_arn)
        ApiHealth(self, "Health", gateway=self.gateway, tells=state.alarms)
        check = ReleaseCheck(
            self, "ReleaseCheck", stage=stage, assets=assets, layers=layers, state=state, api=self.api
        )
        heartbeat = Heartbeat(self, "Heartbeat", api=self.api.live)
        alarm = NewVersion(self, "NewVersion", stage=stage, api=self.api)
        # CodeDeploy knows a function by its name alone.
        Release(self, "Release", alias=self.api.live, check=check, alarm=alarm, forced=forced)
        if self.gateway.domain_name is not None:
            put_out(self, DomainTarget=self.gateway.domain_name.domain_name_alias_domain_name)
        put_out(
            self,
            Url=self.gateway.address,
            ApiFunction=self.api.function_name,
            Book=stage.book,
            Heartbeat=heartbeat.rule_name,
        )

    def _api(
        self, stage: Stage, assets: Assets, state: StateStack, layers: Sequence[lambda_.LayerVersion]
    ) -> StageFunction:
        return StageFunction(
            self,
            "Api",
            stage=stage,
            asset=assets.api,
            handler="functions.api.handler.handler",
            layers=layers,
            environment=self._api_environment(stage, state),
            # Two processors: a question may have some thirty windows read inside retrieval's two seconds.
            memory_mib=3538,
            timeout=API_TIMEOUT,
            loaded=self._loaded() if stage.snap_start else None,
            reserved_concurrency=stage.reserved_concurrency,
        )

    def _loaded(self) -> str:
        """What the snapshot has: a parameter, so that another one is made without another template."""
        parameter = CfnParameter(
            self,
            PARAMETER,
            default="neither book nor keys",
            max_length=200,
            description="What the API's snapshot was made with; `make ingest` and `make doctor` set it.",
        )
        return parameter.value_as_string

    def _authorizer(
        self, stage: Stage, assets: Assets, state: StateStack, layers: Sequence[lambda_.LayerVersion]
    ) -> StageFunction:
        return StageFunction(
            self,
            "Authorizer",
            stage=stage,
            asset=assets.authorizer,
            handler="functions.authorizer.handler.handler",
            layers=layers,
            environment={
                "BOOKBOUND_STAGE": stage.name,
                "BOOKBOUND_TABLE": state.table.table_name,
                "BOOKBOUND_SIGNING_SECRET": state.signing.secret_arn,
            },
            memory_mib=512,
            timeout=Duration.seconds(5),
        )

    def _api_environment(self, stage: Stage, state: StateStack) -> dict[str, str]:
        own = [self.gateway.origin] if stage.demo_page else []
        return {
            "BOOKBOUND_STAGE": stage.name,
            "BOOKBOUND_BOOK": stage.book,
            **self._generator(stage),
            **embedding_by(stage.embedding),
            "BOOKBOUND_ORIGINS": self.to_json_string([*stage.origins, *own]),
            "BOOKBOUND_BOOKS_BUCKET": state.books.bucket_name,
            "BOOKBOUND_VENDORS_SECRET": state.vendors.secret_arn,
            "BOOKBOUND_SIGNING_SECRET": state.signing.secret_arn,
            "BOOKBOUND_TABLE": state.table.table_name,
            "BOOKBOUND_QUESTIONS_PER_SESSION": str(stage.questions_per_session),
            "BOOKBOUND_QUESTIONS_PER_ADDRESS": str(stage.questions_per_address),
            "BOOKBOUND_TOKENS_PER_ADDRESS": str(stage.tokens_per_address),
            "BOOKBOUND_DAILY_TOKENS": str(stage.daily_tokens),
            "BOOKBOUND_WHEN_SPENT": stage.when_spent,
            "BOOKBOUND_AUDIT_STREAM_PERSONAL": state.audit_stream_personal.name,
            "BOOKBOUND_AUDIT_STREAM_OTHER": state.audit_stream_other.name,
            "BOOKBOUND_AUDIT_QUEUE_URL": state.audit_fallback.queue_url,
            "BOOKBOUND_AUDIT_BUCKET": state.audit.bucket_name,
        }

    def _generator(self, stage: Stage) -> dict[str, str]:
        if stage.bedrock is None:
            return {"BOOKBOUND_GENERATOR": "claude"}
        return {
            "BOOKBOUND_GENERATOR": "bedrock",
            "BOOKBOUND_BEDROCK_MODEL": stage.bedrock.model,
            "BOOKBOUND_BEDROCK_REGION": stage.bedrock.region or self.region,
        }

    def _grant(self, stage: Stage, state: StateStack) -> None:
        api = self.api.execution
        if stage.bedrock is not None:
            invoke_model(stage.bedrock, api)
        read_objects(state.books, api, "books/*")
        # Readers' verdicts, and records that are too large for a stream.
        for keys in ("feedback/*", "records/*"):
            write_objects(state.audit, api, keys)
        state.audit_stream_personal.grant_put(api)
        state.audit_stream_other.grant_put(api)
        state.audit_fallback.grant(api, "sqs:SendMessage")
        state.vendors.grant_read(api)
        state.signing.grant_read(api)
        on_items(state.table, api, ["dynamodb:UpdateItem"], "limit#*", "budget#*")
        state.signing.grant_read(self.authorizer)
        state.table.grant(self.authorizer, "dynamodb:GetItem")
