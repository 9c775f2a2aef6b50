"""The flow of an ingest as Step Functions runs it: the file next to the steps, with names filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.constructs.ingest_steps import RUNS
from infra.grants import executions, read_keys
from infra.reasons import excuse
from infra.stage import Stage

DEFINITION = Path(__file__).parents[2] / "ingest_job" / "state_machine.asl.json"


class IngestMachine(sfn.StateMachine):
    """Takes an upload's event, or a request by hand; it logs what failed, without the data."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stage: Stage,
        steps: Mapping[str, lambda_.IFunction],
        bucket: s3.IBucket,
    ) -> None:
        log = logs.LogGroup(
            scope,
            f"{construct_id}Logs",
            # Under this prefix the right to write costs no line of the one policy that all logs share.
            log_group_name=f"/aws/vendedlogs/states/bookbound-{stage.name}-ingest",
            retention=stage.log_retention,
            removal_policy=RemovalPolicy.DESTROY,
        )
        role = iam.Role(scope, f"{construct_id}Role", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        functions = {f"{name.capitalize()}Function": one.function_arn for name, one in steps.items()}
        super().__init__(
            scope,
            construct_id,
            definition_body=sfn.DefinitionBody.from_string(DEFINITION.read_text("utf-8")),
            definition_substitutions={**functions, "BooksBucket": bucket.bucket_name},
            role=role,
            logs=sfn.LogOptions(destination=log, level=sfn.LogLevel.ERROR, include_execution_data=False),
            tracing_enabled=True,
        )
        excuse(self, "SF1", "Every step logs for itself; here the errors do. All events would be noise.")
        reason = "Log delivery and X-Ray know no resources: their actions take only `*`."
        excuse(role, "IAM5[Resource::*]", reason)
        arns = list(functions.values())
        iam.Grant.add_to_principal(grantee=role, actions=["lambda:InvokeFunction"], resource_arns=arns)
        read_keys(bucket, role, RUNS)
        self._let_map_run(role)

    def _let_map_run(self, role: iam.IRole) -> None:
        """Let a distributed map run each batch as an execution of this same state machine.

        A separate policy: it names the state machine, which is made after its role's other policy. The
        rights are those of docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html.
        """
        own = ["states:DescribeExecution", "states:StopExecution"]
        statements = [
            iam.PolicyStatement(actions=["states:StartExecution"], resources=[self.state_machine_arn]),
            iam.PolicyStatement(actions=own, resources=[executions(self, self)]),
            iam.PolicyStatement(
                actions=["states:RedriveExecution"], resources=[executions(self, self, "/*")]
            ),
        ]
        iam.Policy(self, "MapPolicy", roles=[role], statements=statements)
