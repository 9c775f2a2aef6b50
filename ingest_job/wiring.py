"""Dependencies of the steps, built once per process: a function that is warm has its clients already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bookbound import cloud_wiring, wiring
from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.aws.bucket_vectors import BucketVectors
from bookbound.adapters.aws.lease import Leases
from bookbound.adapters.aws.run_folder import RunFolder
from bookbound.adapters.aws.uploads import Uploads
from bookbound.adapters.aws.version_snapshot import VersionSnapshot
from bookbound.adapters.lazy import AtFirstUse, ReaderAtFirstUse
from bookbound.evidence.sufficiency import shipped
from bookbound.index.version_plan import Recipe
from bookbound.ingesting import recipe_of
from bookbound.ports import Embedder, Reader
from bookbound.settings import JobSettings

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_s3 import S3Client
    from types_boto3_sns import SNSClient

    from bookbound.adapters.vendors.pacing import Pace

ANSWER_SECONDS = 20
"""Longest time that AWS may take for a part of an answer; no caller waits for a step."""

TRIES = 4


@dataclass(frozen=True, slots=True)
class Job:
    """Dependencies of the steps; `bucket` holds the books; `topic`, if there is one, gets reports.

    `count_tokens` gives what counts them, which takes a while to make.
    """

    bucket: str
    topic: str | None
    s3: S3Client
    sns: SNSClient
    leases: Leases
    uploads: Uploads
    index: BucketIndex
    embedder: Embedder
    reader: Reader
    recipe: Recipe
    count_tokens: Callable[[], Callable[[str], int]]

    def folder(self, book_id: str, run: str) -> RunFolder:
        """Return the folder of what the steps of a run hand on."""
        return RunFolder(self.s3, self.bucket, book_id, run)

    def vectors(self, book_id: str) -> BucketVectors:
        """The vectors of a book's texts by the embedder."""
        return BucketVectors(self.s3, self.bucket, book_id, self.embedder.model_id)

    def snapshot(self, book_id: str, name: str) -> VersionSnapshot:
        """The book as a version was made from it."""
        return VersionSnapshot(self.s3, self.bucket, book_id, name)


@cache
def job() -> Job:
    """Return the job of the environment's settings."""
    return build(JobSettings())


def build(settings: JobSettings) -> Job:
    """The job of a stage."""
    import boto3
    from botocore.config import Config

    config = Config(read_timeout=ANSWER_SECONDS, retries={"total_max_attempts": TRIES, "mode": "standard"})
    session = boto3.session.Session()
    s3, dynamodb = session.client("s3", config=config), session.client("dynamodb", config=config)
    bucket, table = str(settings.books_bucket), str(settings.table)
    keys = AtFirstUse(
        lambda: cloud_wiring.vendors_secret(session.client("secretsmanager", config=config), settings)
    )
    embedder = wiring.embedder_at_first_use(settings, keys, lambda: _pace(dynamodb, table, settings))
    return Job(
        bucket=bucket,
        topic=settings.report_topic,
        s3=s3,
        sns=session.client("sns", config=config),
        leases=Leases(dynamodb, table),
        uploads=Uploads(s3, bucket),
        index=BucketIndex(s3, bucket, AtFirstUse(lambda: cloud_wiring.remote_points(settings, keys))),
        embedder=embedder,
        reader=ReaderAtFirstUse(wiring.build_reader),
        recipe=recipe_of(
            embedder,
            wiring.chunk_sizes(settings),
            wiring.shipped_score_map(embedder.model_id),
            shipped(),
        ),
        count_tokens=AtFirstUse(_counter),
    )


def _pace(dynamodb: DynamoDBClient, table: str, settings: JobSettings) -> Pace:
    """The rate that all steps of all runs share."""
    from bookbound.adapters.aws.shared_rate import SharedRate
    from bookbound.adapters.vendors.cohere import BURST

    return SharedRate(dynamodb, table, "embed", settings.embed_rate / 60, BURST)


def _counter() -> Callable[[str], int]:
    from bookbound.adapters.bundled.tokenizer import TokenCounter

    # Chunking counts a unit twice, once for its passage and once for its window.
    return cache(TokenCounter())
