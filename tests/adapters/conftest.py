"""Both places where points can be: a folder of this machine, and a server behind its REST API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from bookbound import wiring
from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.qdrant.point_locations import Points
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.settings import Settings
from testing.hosting import hosted
from testing.staged import ACCOUNT, Staged, stage
from testing.vendors.qdrant import Qdrant
from tests.adapters.published_versions import BUCKET, Wayward


@pytest.fixture
def qdrant() -> Iterator[Qdrant]:
    """A server, empty at first."""
    with hosted(Qdrant()) as server:
        yield server


@pytest.fixture
def remote(qdrant: Qdrant, tmp_path: Path) -> Points:
    """The points at that server."""
    settings = Settings(data=tmp_path, qdrant_url=qdrant.url, qdrant_api_key=qdrant.api_key)
    return wiring.index_folder(settings).points


@pytest.fixture(params=["embedded", "remote"])
def points(request: pytest.FixtureRequest, tmp_path: Path) -> Points:
    """Either."""
    if request.param == "remote":
        found: Points = request.getfixturevalue("remote")
        return found
    return wiring.index_folder(Settings(data=tmp_path)).points


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Provide a separate AWS account."""
    for name, value in ACCOUNT.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        yield


@pytest.fixture
def bucket(aws: None) -> str:
    """The name of an empty bucket of books in that account."""
    where: Any = {"LocationConstraint": ACCOUNT["AWS_DEFAULT_REGION"]}
    boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration=where)
    return BUCKET


@pytest.fixture
def staged(aws: None, tmp_path: Path) -> Iterator[Staged]:
    """A stage in that account, without a book."""
    with stage(tmp_path) as built:
        yield built


@pytest.fixture
def s3(bucket: str) -> Wayward:
    """Return a scriptable S3 client over that bucket."""
    return Wayward()


@pytest.fixture
def index(s3: Any, remote: RemotePoints) -> BucketIndex:
    """A machine that publishes to a stage."""
    return BucketIndex(s3, BUCKET, lambda: remote)


@pytest.fixture
def elsewhere(s3: Wayward, remote: RemotePoints) -> BucketIndex:
    """Another machine that publishes to the same stage."""
    return BucketIndex(boto3.client("s3"), BUCKET, lambda: remote)
