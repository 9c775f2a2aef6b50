"""A book that is read from the copy which lies with a version of it."""

from __future__ import annotations

import boto3
import pytest

from bookbound import policy
from bookbound.adapters.bucket_index import BucketIndex
from bookbound.adapters.qdrant_remote import RemotePoints
from bookbound.adapters.version_snapshot import VersionSnapshot
from bookbound.errors import IngestError
from bookbound.ingesting import read
from bookbound.pages import SourceFile
from tests.fakes import FilesInMemory

TEXTS = {
    "intro.md": "# Intro\n\nThe knee bends. ![A knee](/img/knee.svg)\n",
    "parts/hip.md": "# Hip\n\nThe hip turns. ![A hip](/img/hip.svg)\n",
    "parts.csv": "part,weight\nknee,3\n",
}


@pytest.fixture
def index(bucket: str, remote: RemotePoints) -> BucketIndex:
    return BucketIndex(boto3.client("s3"), bucket, lambda: remote)


@pytest.mark.rule("I4")
def test_a_book_is_the_same_from_its_snapshot(index: BucketIndex, bucket: str) -> None:
    """Pages, files and pictures: so an index that was lost, or of another model, needs no author."""
    source = FilesInMemory(TEXTS, images={"img/knee.svg": b"<svg/>"})
    book, files, pictures = read(source, policy.DEFAULT, "kestrel")
    index.fresh("kestrel", "v1-run").keep(files, pictures)
    index.fresh("kestrel", "v1-run2").keep([SourceFile("other.md", b"# Other")], [])
    again = read(VersionSnapshot(boto3.client("s3"), bucket, "kestrel", "v1-run"), policy.DEFAULT, "kestrel")
    assert again == (book, sorted(files, key=lambda file: file.path), pictures)
    assert [picture.path for picture in pictures] == ["img/knee.svg"]


def test_a_version_without_a_copy_says_what_to_do(index: BucketIndex, bucket: str) -> None:
    """The author has it still."""
    with pytest.raises(
        IngestError, match=r"^books/kestrel/versions/v1-run/files/ holds no file of the book; publ"
    ):
        VersionSnapshot(boto3.client("s3"), bucket, "kestrel", "v1-run").read()
