"""The steps of an ingest: what each runs on, and what it may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from constructs import Construct

from infra.assets import Assets
from infra.constructs.function import StageFunction, embedding_by
from infra.grants import (
    delete_objects,
    on_items,
    publish_to,
    read_objects,
    revisit_objects,
    write_objects,
)
from infra.stage import Stage
from infra.state_stack import StateStack

UPLOADS = "uploads/*"
"""Pattern of an author's uploads for a run that is started by hand."""
ARCHIVES = "books/*/*.zip"
"""Pattern of an author's uploads for a run that starts automatically."""
BOOKS, RUNS = "books/*", "runs/*"
POINTERS, VERSIONS, VECTORS = "books/*/current", "books/*/versions/*", "books/*/vectors/*"
SNAPSHOTS = "books/*/snapshots/*"

_LEASES, _RATES = "ingest#*", "rate#*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step.

    Attributes:
        heavy: whether it works on a whole book or batch: it gets a whole processor, and the longest time that
            a function may have. The others look at what was done.
        reads, writes, deletes: patterns of keys in the books' bucket.
        revisits: the same, of objects that were overwritten since.
        stores: whether it uses the points at Qdrant, by the vendors' keys.
        embeds: whether it embeds pages, below the rate that all runs share.
        ends: whether it ends a run: tells the topic, and gives the lease back, which the others renew.
    """

    heavy: bool = False
    reads: Sequence[str] = (BOOKS, RUNS)
    revisits: Sequence[str] = ()
    writes: Sequence[str] = ()
    deletes: Sequence[str] = ()
    stores: bool = True
    embeds: bool = False
    ends: bool = False


STEPS: Mapping[str, Step] = {
    "begin": Step(reads=(), writes=(RUNS,), stores=False),
    "discover": Step(
        heavy=True, reads=(BOOKS, UPLOADS, RUNS), revisits=(ARCHIVES,), writes=(RUNS, VERSIONS, SNAPSHOTS)
    ),
    "index": Step(heavy=True, writes=(RUNS, SNAPSHOTS, VECTORS), embeds=True),
    "tally": Step(reads=(RUNS,), writes=(RUNS,), stores=False),
    "finish": Step(heavy=True, reads=(RUNS,), writes=(VERSIONS,), stores=False),
    "verify": Step(heavy=True, writes=(VERSIONS,)),
    "publish": Step(writes=(RUNS, f"{VERSIONS}/switching", POINTERS)),
    "prune": Step(deletes=(VERSIONS, VECTORS)),
    "report": Step(writes=(RUNS, f"{VERSIONS}/discarded"), deletes=(VERSIONS,), ends=True),
}
"""By the name of the module of `ingest_job` that handles it."""


class IngestSteps(Construct):
    """A function for each step, of one asset over two layers.

    Attributes:
        functions: by the step's name.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        stage: Stage,
        assets: Assets,
        layers: Sequence[lambda_.ILayerVersion],
        state: StateStack,
        reports: sns.ITopic,
    ) -> None:
        super().__init__(scope, construct_id)
        environment = _environment(stage, state, reports)
        self.functions = {
            name: StageFunction(
                self,
                name.capitalize(),
                stage=stage,
                asset=assets.ingest,
                handler=f"ingest_job.{name}.handler",
                layers=layers,
                environment=environment,
                memory_mib=1769 if step.heavy else 512,
                timeout=Duration.minutes(15 if step.heavy else 5),
            )
            for name, step in STEPS.items()
        }
        for name, step in STEPS.items():
            _grant(step, self.functions[name], state, reports)


def _environment(stage: Stage, state: StateStack, reports: sns.ITopic) -> dict[str, str]:
    return {
        "BOOKBOUND_STAGE": stage.name,
        "BOOKBOUND_BOOK": stage.book,
        **embedding_by(stage.next_embedding or stage.embedding),
        "BOOKBOUND_BOOKS_BUCKET": state.books.bucket_name,
        "BOOKBOUND_VENDORS_SECRET": state.vendors.secret_arn,
        "BOOKBOUND_TABLE": state.table.table_name,
        "BOOKBOUND_REPORT_TOPIC": reports.topic_arn,
        "BOOKBOUND_EMBED_RATE": str(stage.embed_rate),
    }


def _grant(step: Step, function: StageFunction, state: StateStack, reports: sns.ITopic) -> None:
    role = function.execution
    _grant_objects(step, role, state.books)
    on_items(state.table, role, [f"dynamodb:{'DeleteItem' if step.ends else 'UpdateItem'}"], _LEASES)
    if step.stores:
        state.vendors.grant_read(role)
    if step.embeds:
        on_items(state.table, role, ["dynamodb:UpdateItem"], _RATES)
    if step.ends:
        publish_to(reports, role)


def _grant_objects(step: Step, role: iam.IRole, bucket: s3.IBucket) -> None:
    if step.reads:
        read_objects(bucket, role, *step.reads)
    for keys in step.revisits:
        revisit_objects(bucket, role, keys)
    for keys in step.writes:
        write_objects(bucket, role, keys)
    for keys in step.deletes:
        delete_objects(bucket, role, keys)
