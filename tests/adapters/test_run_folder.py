"""Files that the steps of a run leave for each other in the bucket."""

from __future__ import annotations

from datetime import UTC, datetime

import boto3
import pytest
from pydantic import TypeAdapter

from bookbound.adapters.aws.run_folder import RunFolder
from bookbound.errors import IngestError
from testing.staged import objects

NOTE = TypeAdapter(dict[str, datetime])
BEGUN = {"begun": datetime(2026, 1, 2, tzinfo=UTC)}


@pytest.fixture
def folder(bucket: str) -> RunFolder:
    return RunFolder(boto3.client("s3"), bucket, "kestrel", "run-1")


def test_a_document_is_read_as_it_was_written(folder: RunFolder, bucket: str) -> None:
    """Below the run's own folder, as JSON; writing it again replaces it."""
    folder.write("1/note.json", NOTE, {})
    folder.write("1/note.json", NOTE, BEGUN)
    assert folder.read("1/note.json", NOTE) == BEGUN
    assert objects(bucket) == {"runs/kestrel/run-1/1/note.json": b'{"begun":"2026-01-02T00:00:00Z"}'}


@pytest.mark.rule("I4")
def test_what_is_written_once_stays(folder: RunFolder) -> None:
    """A step that runs again finds what it decided."""
    assert folder.write_once("note.json", NOTE, BEGUN)
    assert not folder.write_once("note.json", NOTE, {})
    assert folder.read("note.json", NOTE) == BEGUN


def test_names_are_those_of_this_run_that_begin_so(folder: RunFolder, bucket: str) -> None:
    """In order, however many there are."""
    for name in ("2/b.json", "1/b.json", "1/a.json"):
        folder.write(name, NOTE, {})
    RunFolder(boto3.client("s3"), bucket, "kestrel", "run-10").write("1/c.json", NOTE, {})
    assert folder.names() == ["1/a.json", "1/b.json", "2/b.json"]
    assert folder.names("1/") == ["1/a.json", "1/b.json"]
    assert folder.names("3/") == []


@pytest.mark.parametrize("content", [None, b"{", b'{"begun": "never"}'])
def test_what_is_missing_or_something_else_is_named(
    folder: RunFolder, bucket: str, content: bytes | None
) -> None:
    """Another try cannot make it better."""
    if content is not None:
        boto3.client("s3").put_object(Bucket=bucket, Key=f"{folder.prefix}note.json", Body=content)
    with pytest.raises(IngestError, match=r"^runs/kestrel/run-1/note.json is missing or unreadable; publish"):
        folder.read("note.json", NOTE)
