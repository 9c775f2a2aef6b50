"""A Lambda function as all of them are here, and what they share: layers, and the models that embed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from bookbound.api.metrics import NAMESPACE
from infra.assets import code
from infra.reasons import excuse
from infra.stage import Embedding, Stage

LIVE = "live"
"""Name of the alias by which a function is called."""

LOADED = "SNAPSHOT_HAS"
"""Variable of a function that starts from a snapshot; the function does not read it."""


def layer(scope: Construct, construct_id: str, folder: Path) -> lambda_.LayerVersion:
    """A folder that holds `python/…` as a layer."""
    return lambda_.LayerVersion(
        scope,
        construct_id,
        code=code(folder),
        compatible_runtimes=[lambda_.Runtime.PYTHON_3_13],
        compatible_architectures=[lambda_.Architecture.ARM_64],
    )


def embedding_by(embedding: Embedding) -> dict[str, str]:
    """The variables that choose Cohere's models."""
    return {
        "BOOKBOUND_EMBEDDER": "cohere",
        "BOOKBOUND_COHERE_PASSAGES_MODEL": embedding.passages_model,
        "BOOKBOUND_COHERE_QUESTIONS_MODEL": embedding.questions_model,
        "BOOKBOUND_COHERE_DIMENSIONS": str(embedding.dimensions),
    }


class StageFunction(lambda_.Function):
    """Function on arm64, with short-lived JSON logs, traced, called by its alias.

    None has a dead-letter queue: the caller of one waits for it, and so learns of a call that failed.

    With `loaded`, it starts from a snapshot, and what that names is what the snapshot has: another value
    publishes another version.

    Attributes:
        live: the alias that callers use.
        execution: the role that it runs as.
        logs: its log group.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stage: Stage,
        asset: Path,
        handler: str,
        layers: Sequence[lambda_.ILayerVersion],
        environment: Mapping[str, str],
        memory_mib: int,
        timeout: Duration,
        loaded: str | None = None,
        reserved_concurrency: int | None = None,
    ) -> None:
        self.logs = logs.LogGroup(
            scope,
            f"{construct_id}Logs",
            retention=stage.log_retention,
            removal_policy=RemovalPolicy.DESTROY,
        )
        self.execution = _role(scope, f"{construct_id}Role", self.logs)
        super().__init__(
            scope,
            construct_id,
            runtime=lambda_.Runtime.PYTHON_3_13,
            architecture=lambda_.Architecture.ARM_64,
            code=code(asset),
            handler=handler,
            layers=layers,
            role=self.execution,
            environment=_powertools(construct_id) | dict(environment) | ({LOADED: loaded} if loaded else {}),
            memory_size=memory_mib,
            timeout=timeout,
            log_group=self.logs,
            logging_format=lambda_.LoggingFormat.JSON,
            tracing=lambda_.Tracing.ACTIVE,
            snap_start=lambda_.SnapStartConf.ON_PUBLISHED_VERSIONS if loaded else None,
            # CloudFormation makes another version of another description; Lambda needs another configuration.
            current_version_options=lambda_.VersionOptions(description=loaded) if loaded else None,
            reserved_concurrent_executions=reserved_concurrency,
        )
        excuse(
            self,
            "L1",
            "Python 3.13 gets security fixes until October 2029, and all that is used has wheels for it.",
        )
        self.live = lambda_.Alias(self, "Live", alias_name=LIVE, version=self.current_version)


def _role(scope: Construct, construct_id: str, log: logs.LogGroup) -> iam.Role:
    """Not AWS' managed policy, which may write every log of the account."""
    role = iam.Role(scope, construct_id, assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
    log.grant_write(role)
    excuse(role, "IAM5[Resource::*]", "X-Ray takes segments for no resource: its two actions know only `*`.")
    return role


def _powertools(name: str) -> dict[str, str]:
    return {
        "POWERTOOLS_SERVICE_NAME": f"bookbound-{name.lower()}",
        "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE,
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }
