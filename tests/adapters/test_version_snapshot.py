"""A book that is read from the copy which lies with a version of it."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid5

import boto3
import pytest

from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.aws.version_snapshot import VersionSnapshot
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.errors import IngestError
from bookbound.ingesting import read
from bookbound.policy import book_policy
from bookbound.source.pages import SourceFile
from testing.fakes import FilesInMemory
from tests.adapters.versions import windows

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
    book, files, pictures = read(source, book_policy.DEFAULT, "kestrel")
    index.fresh("kestrel", "v1-run").keep(files, pictures)
    index.fresh("kestrel", "v2-run").keep([SourceFile("other.md", b"# Other")], [])
    again = read(
        VersionSnapshot(boto3.client("s3"), bucket, "kestrel", "v1-run"), book_policy.DEFAULT, "kestrel"
    )
    assert again == (book, sorted(files, key=lambda file: file.path), pictures)
    assert [picture.path for picture in pictures] == ["img/knee.svg"]


@pytest.mark.rule("A1", "I4")
def test_what_a_record_cites_is_found_when_the_version_is_gone(index: BucketIndex, bucket: str) -> None:
    """By its id; another version's is not."""
    (knee,), (hip,) = (tuple(one.passage for one in windows(text)) for text in ("It bends.", "It turns."))
    hip = replace(hip, chunk_id=uuid5(hip.chunk_id, "hip"))
    fresh = index.fresh("kestrel", "v1-run")
    fresh.keep_passages(1, [knee])
    fresh.keep_passages(2, [hip])
    assert index.remove("kestrel", (fresh.name,)) == ()
    snapshot = VersionSnapshot(boto3.client("s3"), bucket, "kestrel", "v1")
    assert [snapshot.passage(one.chunk_id) for one in (knee, hip)] == [knee, hip]
    assert snapshot.passage(uuid5(hip.chunk_id, "none")) is None
    assert VersionSnapshot(boto3.client("s3"), bucket, "kestrel", "v2").passage(knee.chunk_id) is None


def test_a_version_without_a_copy_says_what_to_do(index: BucketIndex, bucket: str) -> None:
    """The author has it still."""
    with pytest.raises(
        IngestError, match=r"^books/kestrel/snapshots/v1/files/ holds no file of the book; publ"
    ):
        VersionSnapshot(boto3.client("s3"), bucket, "kestrel", "v1-run").read()
