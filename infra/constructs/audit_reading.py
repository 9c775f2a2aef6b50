"""Access to the audit trail by SQL: a workgroup, its queries, and a role that only reads (A3)."""

from __future__ import annotations

from aws_cdk import Duration, Stack
from aws_cdk import aws_athena as athena
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from bookbound.audit.sql_tables import FEEDBACK, FEEDBACK_COPIES, QUESTIONS, RECORD_COPIES, RECORDS, once
from infra.constructs.audit_catalog import AuditCatalog
from infra.constructs.private_bucket import AccessLog, PrivateBucket
from infra.grants import read_objects, write_objects
from infra.stage import Stage

RESULT_DAYS = 1
"""A result holds what readers wrote, and no erasure reaches a session in it: it soon expires."""

MOST_BYTES = 100 * 1024**3
"""Bytes that a query may read: at five dollars per terabyte, half a dollar."""

_THIS_MONTH = "year = year(current_date) AND month = month(current_date)"
_RECENT = once(RECORD_COPIES, "log_id", where=f"{_THIS_MONTH} AND {QUESTIONS}")
_VERDICTS = once(FEEDBACK_COPIES, "feedback_id")

_OF_THIS_MONTH = {
    "Outcomes a day, this month": """
SELECT substr("timestamp", 1, 10) AS on_day, refusal_reason, success, count(*) AS questions
FROM asked GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC""",
    "What the book could not answer, this month": """
SELECT lower(user_query_text) AS question, count(*) AS times, max(max_score) AS highest_similarity
FROM asked WHERE refusal_reason IN ('empty_retrieval', 'insufficient_context')
GROUP BY 1 ORDER BY 2 DESC, 1""",
    "Answers called incorrect, this month": """
SELECT asked."timestamp", user_query_text, answer_text, confidence_score, comment, asked.log_id
FROM asked JOIN said ON asked.answer_id = said.answer_id
WHERE verdict = 'incorrect' ORDER BY 1 DESC""",
    "Latency by stage, this month": """
SELECT approx_percentile(latency_ms, ARRAY[0.5, 0.95, 0.99]) AS total,
  approx_percentile(retrieval_latency_ms, ARRAY[0.5, 0.95, 0.99]) AS retrieval,
  approx_percentile(generation_latency_ms, ARRAY[0.5, 0.95, 0.99]) AS generation
FROM asked WHERE success""",
    "Tokens by model, this month": """
SELECT model, count(*) AS questions, sum(tokens.input_tokens) AS tokens_in,
  sum(tokens.output_tokens) AS tokens_out
FROM asked WHERE tokens IS NOT NULL GROUP BY 1 ORDER BY 2 DESC""",
}
_ONE_SESSION = """SELECT * FROM records
WHERE session_id = '00000000-0000-0000-0000-000000000000' ORDER BY "timestamp\""""

QUERIES = {
    name: f"WITH asked AS ({_RECENT}), said AS ({_VERDICTS}){sql}" for name, sql in _OF_THIS_MONTH.items()
} | {"One session, all of it": _ONE_SESSION}
"""Queries by name, in Athena's SQL. Those of a month look only into that month's folders."""


class AuditReading(Construct):
    """Athena over the audit bucket, and the auditor's role.

    Attributes:
        auditor: reads records and feedback by Athena; for those of the account who are let in.
        workgroup: its name.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, stage: Stage, bucket: s3.IBucket, access_log: AccessLog
    ) -> None:
        super().__init__(scope, construct_id)
        results = PrivateBucket(
            self,
            "Results",
            stage=stage,
            access_log=access_log,
            undo_days=RESULT_DAYS,
            rules=[s3.LifecycleRule(id="results", expiration=Duration.days(RESULT_DAYS))],
        )
        catalog = AuditCatalog(self, "Catalog", stage=stage, bucket=bucket)
        self.workgroup = f"bookbound-{stage.name}-audit"
        group = _workgroup(self, self.workgroup, results, stage)
        for number, (name, sql) in enumerate(QUERIES.items(), 1):
            query = athena.CfnNamedQuery(
                self,
                f"Query{number}",
                database=catalog.database,
                name=name,
                query_string=sql,
                work_group=self.workgroup,
            )
            query.add_resource_dependency(group)
        self.auditor = _auditor(self, bucket, results, catalog.database, self.workgroup)


def _workgroup(scope: Construct, name: str, results: s3.IBucket, stage: Stage) -> athena.CfnWorkGroup:
    """Its settings hold for every query, so that no result lies elsewhere or in the clear."""
    group = athena.CfnWorkGroup
    where = group.ResultConfigurationProperty(
        output_location=f"s3://{results.bucket_name}/results/",
        encryption_configuration=group.EncryptionConfigurationProperty(encryption_option="SSE_S3"),
    )
    settings = group.WorkGroupConfigurationProperty(
        bytes_scanned_cutoff_per_query=MOST_BYTES,
        enforce_work_group_configuration=True,
        publish_cloud_watch_metrics_enabled=False,
        result_configuration=where,
    )
    return group(
        scope,
        "Workgroup",
        name=name,
        work_group_configuration=settings,
        recursive_delete_option=stage.disposable,
    )


def _auditor(
    scope: Construct, bucket: s3.IBucket, results: s3.IBucket, database: str, workgroup: str
) -> iam.Role:
    role = iam.Role(
        scope,
        "Auditor",
        assumed_by=iam.AccountRootPrincipal(),
        description="Reads Bookbound's audit records and feedback, and changes nothing.",
    )
    read_objects(bucket, role, "records/*", "feedback/*")
    read_objects(results, role, "results/*")
    write_objects(results, role, "results/*")
    for one in (bucket, results):
        iam.Grant.add_to_principal(
            grantee=role, actions=["s3:GetBucketLocation"], resource_arns=[one.bucket_arn]
        )
    _query(role, database, workgroup)
    return role


def _query(role: iam.Role, database: str, workgroup: str) -> None:
    stack = Stack.of(role)
    group = stack.format_arn(service="athena", resource="workgroup", resource_name=workgroup)
    iam.Grant.add_to_principal(
        grantee=role,
        actions=[
            "athena:GetNamedQuery",
            "athena:GetQueryExecution",
            "athena:GetQueryResults",
            "athena:GetWorkGroup",
            "athena:ListNamedQueries",
            "athena:ListQueryExecutions",
            "athena:StartQueryExecution",
            "athena:StopQueryExecution",
        ],
        resource_arns=[group],
    )
    known = [("catalog", None), ("database", database)]
    known += [("table", f"{database}/{name}") for name in (RECORDS, RECORD_COPIES, FEEDBACK, FEEDBACK_COPIES)]
    iam.Grant.add_to_principal(
        grantee=role,
        actions=["glue:GetDatabase", "glue:GetTable", "glue:GetTables"],
        resource_arns=[
            stack.format_arn(service="glue", resource=resource, resource_name=name)
            for resource, name in known
        ],
    )
