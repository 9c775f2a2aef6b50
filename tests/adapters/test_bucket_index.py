"""A stage's versions: published whole or not at all, gone back to, and pruned by what the bucket says."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import boto3
import pytest

from bookbound.adapters.books_bucket import BooksBucket
from bookbound.adapters.bucket_index import BucketIndex
from bookbound.adapters.qdrant_remote import RemotePoints
from bookbound.errors import BookNotFound, IngestError
from bookbound.history import History, version_of
from bookbound.manifest import MANIFEST_JSON
from tests.adapters.hosting import aliases, collections
from tests.adapters.staged import ACCOUNT, objects
from tests.adapters.versions import PICTURE, entries, manifest, publish, texts, windows
from tests.vendors.misbehaviours import Misbehaviour
from tests.vendors.qdrant import Qdrant

BUCKET = "books"
POINTER = "kestrel/current"


class Wayward:
    """A client of S3 that does as it is told at the next write of a file of that name, until it is full."""

    def __init__(self) -> None:
        self._s3 = boto3.client("s3")
        self.exceptions = self._s3.exceptions
        self.get_object = self._s3.get_object
        self.get_paginator = self._s3.get_paginator
        self.delete_objects: Callable[..., Any] = self._s3.delete_objects
        self.before: dict[str, Callable[[], object]] = {}
        self.after: dict[str, Callable[[], object]] = {}
        self.room = 1000

    def put_object(self, **given: Any) -> Any:
        end = given["Key"].rpartition("/")[2]
        self.before.pop(end, lambda: None)()
        if not self.room:
            raise self.failure("SlowDown")
        self.room -= 1
        reply = self._s3.put_object(**given)
        self.after.pop(end, lambda: None)()
        return reply

    def failure(self, code: str) -> Exception:
        return self.exceptions.ClientError({"Error": {"Code": code}}, "PutObject")


@pytest.fixture
def s3(aws: None) -> Wayward:
    where = {"LocationConstraint": ACCOUNT["AWS_DEFAULT_REGION"]}
    boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration=where)
    return Wayward()


@pytest.fixture
def index(s3: Any, remote: RemotePoints) -> BucketIndex:
    return BucketIndex(s3, BUCKET, lambda: remote)


@pytest.fixture
def elsewhere(s3: Wayward, remote: RemotePoints) -> BucketIndex:
    """Another machine that publishes to the same stage."""
    return BucketIndex(boto3.client("s3"), BUCKET, lambda: remote)


def history() -> History:
    return History.parse(objects(BUCKET)[POINTER])


def live(qdrant: Qdrant) -> list[str]:
    """The versions that the bucket holds, each of which has its collection, and no other has one."""
    names = sorted({key.split("/")[2] for key in objects(BUCKET, "kestrel/versions/")})
    assert collections(qdrant) == [f"kestrel-{name}" for name in names]
    return [version_of(name) for name in names]


async def read(remote: RemotePoints) -> list[str]:
    """What a reader who comes now finds."""
    s3, points = boto3.client("s3"), remote.collections
    books = BooksBucket(s3, BUCKET, default_book="kestrel", embedder="fake", collections=points)
    return await texts(await books.open(None))


@pytest.mark.rule("I4")
def test_all_of_a_version_is_published(index: BucketIndex, qdrant: Qdrant) -> None:
    """Manifest, collection, files and pictures; the alias is the live one's."""
    publish(index, "v1", "The knee bends.")
    [name] = history().kept
    assert name.startswith("v1-")
    described = manifest("v1", windows("The knee bends."))
    folder = f"kestrel/versions/{name}"
    assert objects(BUCKET) == {
        POINTER: f"{name}\n".encode(),
        f"{folder}/collection": f"kestrel-{name}".encode(),
        f"{folder}/manifest.json": MANIFEST_JSON.dump_json(described),
        f"{folder}/files/page0.md": b"The knee bends.",
        f"{folder}/static/{PICTURE.path}": PICTURE.content,
    }
    assert index.current("kestrel") == described
    assert aliases(qdrant) == {"kestrel": f"kestrel-{name}"}


@pytest.mark.rule("I4")
@pytest.mark.parametrize("room", range(6))
async def test_what_fails_leaves_the_live_version(
    index: BucketIndex, s3: Wayward, remote: RemotePoints, qdrant: Qdrant, room: int
) -> None:
    """Whichever object the bucket does not take; the last one is the pointer, which may be late: that run
    leaves what it built to the next.
    """
    publish(index, "v1", "The knee bends.")
    s3.room = room
    with pytest.raises(IngestError, match=r"SlowDown.*the live version stays as it was"):
        publish(index, "v2", "The hip turns.", "The wrist rolls.")
    assert await read(remote) == ["The knee bends."]
    assert live(qdrant) == (["v1", "v2"] if room == 5 else ["v1"])
    s3.room = 1000
    publish(index, "v3", "The neck nods.")
    assert live(qdrant) == ["v1", "v3"]


@pytest.mark.rule("I4")
async def test_points_that_do_not_arrive_leave_nothing(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """One line says what the server said, or how many are missing; what is left unpublished goes."""
    publish(index, "v1", "The knee bends.")
    qdrant.misbehaviour_at = {"/collections/*/points": Misbehaviour.STATUS_500}
    with pytest.raises(IngestError, match=r"status 500"):
        publish(index, "v2", "The hip turns.")
    qdrant.misbehaviour_at = {}
    found = windows("The hip turns.")
    more = replace(manifest("v2", found), windows=2)
    with pytest.raises(IngestError, match="1 of 2 windows"), ExitStack() as stack:
        stack.enter_context(index.building(more, entries(found), [], pictures=[]))
    with index.building(manifest("v2", found), entries(found), [], pictures=[]) as fresh:
        with fresh.open() as store:
            assert await texts(manifest("v2", found).over(store)) == ["The hip turns."]
        assert await read(remote) == ["The knee bends."]
    assert live(qdrant) == ["v1"]


@pytest.mark.rule("I4")
def test_two_machines_keep_the_same_last_versions(
    index: BucketIndex, elsewhere: BucketIndex, qdrant: Qdrant
) -> None:
    """Neither knows more than the bucket; another book is left alone."""
    publish(index, "v1", "Another book.", book_id="kestrel-2")
    before = collections(qdrant)
    for number in range(1, 6):
        publish(index if number % 2 else elsewhere, f"v{number}", f"Version {number}.")
    assert [version_of(name) for name in history().kept] == ["v5", "v4", "v3"]
    assert set(collections(qdrant)) == {*before, *(f"kestrel-{name}" for name in history().kept)}
    assert index.books() == ["kestrel", "kestrel-2"]
    assert [(one.version, one.state) for one in index.versions("kestrel-2")] == [("v1", "live")]


@pytest.mark.rule("I4")
def test_what_a_killed_run_left_goes_with_the_next(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """Its collection was named in the bucket before it was made."""
    publish(index, "v1", "The knee bends.")
    found = windows("Half of a book.")
    remote.fill("kestrel-v2-dead", manifest("v2", found), entries(found))
    index.write("kestrel", "v2-dead", "collection", b"kestrel-v2-dead")
    index.write("kestrel", "v3-dead", "collection", b"kestrel-v3-dead")  # killed before it made one
    publish(index, "v4", "The hip turns.")
    assert live(qdrant) == ["v1", "v4"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("failing", ["collection", "objects"])
def test_what_cannot_be_pruned_now_is_pruned_by_the_next(
    index: BucketIndex, s3: Wayward, qdrant: Qdrant, caplog: pytest.LogCaptureFixture, failing: str
) -> None:
    """The new version is live all the same."""
    for number in (1, 2, 3):
        publish(index, f"v{number}", f"Version {number}.")
    oldest = history().kept[-1]
    really = s3.delete_objects
    if failing == "collection":
        qdrant.misbehaviour_at = {f"/collections/kestrel-{oldest}*": Misbehaviour.STATUS_500}
    else:
        s3.delete_objects = lambda **_: {"Errors": [{"Code": "AccessDenied"}]}
    publish(index, "v4", "The wrist rolls.")
    assert version_of(history().live or "") == "v4"
    assert [(one.levelno, one.version) for one in caplog.records] == [(logging.WARNING, oldest)]  # type: ignore[attr-defined]
    qdrant.misbehaviour_at, s3.delete_objects = {}, really
    publish(index, "v5", "The neck nods.")
    assert live(qdrant) == ["v3", "v4", "v5"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("moment", ["collection", "page0.md", "manifest.json", "current"])
async def test_of_two_who_publish_at_once_the_first_to_finish_wins(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, qdrant: Qdrant, moment: str
) -> None:
    """The other is told so, whatever of its work was pruned meanwhile, and the next run goes through."""
    publish(index, "v1", "The knee bends.")
    s3.before[moment] = lambda: publish(elsewhere, "v2", "The hip turns.")
    with pytest.raises(IngestError, match="somebody else published or rolled back 'kestrel' meanwhile"):
        publish(index, "v3", "The wrist rolls.")
    assert await read(index.points()) == ["The hip turns."]
    assert live(qdrant) == ["v1", "v2"]
    publish(index, "v3", "The wrist rolls.")
    assert await read(index.points()) == ["The wrist rolls."]


@pytest.mark.rule("I4")
def test_the_first_publication_of_a_book_can_be_lost_too(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, qdrant: Qdrant
) -> None:
    """There is no pointer yet that could have changed."""
    s3.before["current"] = lambda: publish(elsewhere, "v1", "The hip turns.")
    with pytest.raises(IngestError, match="somebody else published"):
        publish(index, "v2", "The wrist rolls.")
    assert live(qdrant) == ["v1"]


@pytest.mark.rule("I4")
def test_a_pointer_that_was_written_and_whose_reply_was_lost_is_written(
    index: BucketIndex, s3: Wayward, qdrant: Qdrant
) -> None:
    """The client asks again by itself, and S3 tells it that the pointer has changed."""

    def repeated() -> None:
        raise s3.failure("PreconditionFailed")

    s3.after["current"] = repeated
    publish(index, "v1", "The knee bends.")
    assert live(qdrant) == ["v1"]
    assert index.current("kestrel") is not None


@pytest.mark.rule("I4")
@pytest.mark.parametrize("how", ["reply lost", "interrupted"])
async def test_what_ends_a_run_after_the_pointer_leaves_the_new_version_whole(
    index: BucketIndex, s3: Wayward, qdrant: Qdrant, how: str
) -> None:
    """Nothing is cleaned up that readers may have by now; what was not pruned is the next run's."""
    for number in (1, 2, 3):
        publish(index, f"v{number}", f"Version {number}.")
    really = s3.delete_objects

    def fail(**_: Any) -> None:
        raise KeyboardInterrupt if how == "interrupted" else s3.failure("RequestTimeout")

    if how == "interrupted":
        s3.delete_objects = fail
    else:
        s3.after["current"] = fail
    with pytest.raises((KeyboardInterrupt, IngestError)):
        publish(index, "v4", "Version 4.")
    assert await read(index.points()) == ["Version 4."]
    s3.delete_objects = really
    publish(index, "v5", "Version 5.")
    assert live(qdrant) == ["v3", "v4", "v5"]


@pytest.mark.rule("I4")
def test_a_lost_race_after_a_rollback_leaves_nothing_either(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, qdrant: Qdrant
) -> None:
    """A rollback prunes nothing, so the loser clears up behind itself."""
    for number in (1, 2):
        publish(index, f"v{number}", f"Version {number}.")
    s3.before["current"] = lambda: elsewhere.rollback("kestrel", None, "fake")
    with pytest.raises(IngestError, match="somebody else published or rolled back"):
        publish(index, "v3", "Version 3.")
    assert live(qdrant) == ["v1", "v2"]


@pytest.mark.rule("I4")
async def test_an_earlier_version_goes_live_again(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """By one write of the pointer, and forth again; the alias follows."""
    for number in (1, 2, 3):
        publish(index, f"v{number}", f"Version {number}.")
    before = objects(BUCKET)
    after = index.rollback("kestrel", None, "fake")
    assert (history(), await read(remote)) == (after, ["Version 2."])
    assert aliases(qdrant) == {"kestrel": f"kestrel-{after.live}"}
    assert {key for key, content in objects(BUCKET).items() if before[key] != content} == {POINTER}
    assert [(one.version, one.state) for one in index.versions("kestrel")] == [
        ("v3", "rolled back"),
        ("v2", "live"),
        ("v1", "earlier"),
    ]
    index.rollback("kestrel", "v1", "fake")
    assert await read(remote) == ["Version 1."]
    index.rollback("kestrel", "v3", "fake")
    assert await read(remote) == ["Version 3."]


@pytest.mark.rule("I4")
async def test_what_was_rolled_back_is_not_published_again_and_goes_with_the_next(
    index: BucketIndex, elsewhere: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """From no machine; and the version that is live is never pruned for newer ones."""
    for number in (1, 2, 3):
        publish(index, f"v{number}", f"Version {number}.")
    index.rollback("kestrel", "v1", "fake")
    for machine in (index, elsewhere):
        with pytest.raises(IngestError, match="version v3, which was rolled back"):
            publish(machine, "v3", "Version 3.")
    assert await read(remote) == ["Version 1."]
    publish(elsewhere, "v4", "Version 4.")
    assert live(qdrant) == ["v1", "v4"]
    assert index.rollback("kestrel", None, "fake").live == history().live
    assert await read(remote) == ["Version 1."]


@pytest.mark.rule("I4")
def test_a_rollback_while_somebody_publishes_wins_or_loses_whole(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, qdrant: Qdrant
) -> None:
    """Who is second changes nothing, and is told."""
    for number in (1, 2):
        publish(index, f"v{number}", f"Version {number}.")
    s3.before["manifest.json"] = lambda: elsewhere.rollback("kestrel", None, "fake")
    with pytest.raises(IngestError, match="somebody else published or rolled back"):
        publish(index, "v3", "Version 3.")
    s3.before["current"] = lambda: publish(elsewhere, "v4", "Version 4.")
    with pytest.raises(IngestError, match="somebody else published or rolled back"):
        index.rollback("kestrel", "v2", "fake")
    assert version_of(history().live or "") == "v4"
    assert live(qdrant) == ["v1", "v4"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("damage", ["manifest.json", "collection", "points", "embedder"])
def test_a_version_that_is_not_whole_is_not_gone_back_to(
    index: BucketIndex, remote: RemotePoints, damage: str
) -> None:
    """One line, and nothing is changed."""
    for number in (1, 2):
        publish(index, f"v{number}", f"Version {number}.")
    name, before = history().kept[1], history()
    if damage == "points":
        remote.remove(f"kestrel-{name}")
    elif damage != "embedder":
        boto3.client("s3").delete_object(Bucket=BUCKET, Key=f"kestrel/versions/{name}/{damage}")
    with pytest.raises(IngestError, match="version v1 cannot go live again, nothing was changed: "):
        index.rollback("kestrel", None, "another" if damage == "embedder" else "fake")
    assert history() == before
    [row] = [one for one in index.versions("kestrel") if one.version == "v1"]
    assert (row.manifest is None) == (damage == "manifest.json")


@pytest.mark.rule("I4")
def test_a_live_version_that_is_damaged_is_built_anew(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """Under another name, since whoever opened it may read on in it."""
    publish(index, "v1", "The knee bends.")
    remote.remove(f"kestrel-{history().live}")
    assert index.current("kestrel") is None
    publish(index, "v1", "The knee bends.")
    assert index.current("kestrel") is not None
    assert [version_of(name) for name in history().kept] == ["v1", "v1"]
    publish(index, "v2", "The hip turns.")
    assert live(qdrant) == ["v1", "v2"]


@pytest.mark.rule("I4")
def test_an_alias_that_fails_takes_nothing_from_readers(
    index: BucketIndex, qdrant: Qdrant, caplog: pytest.LogCaptureFixture
) -> None:
    """The pointer is written by then; the next publication has it right."""
    qdrant.misbehaviour_at = {"/collections/aliases": Misbehaviour.STATUS_503}
    publish(index, "v1", "The knee bends.")
    assert (index.current("kestrel") is not None, aliases(qdrant)) == (True, {})
    assert "the alias stays" in caplog.text


def test_a_book_that_nobody_published_has_no_versions(index: BucketIndex) -> None:
    """To show or to go back to; it was none before its first publication either."""
    assert (index.books(), index.current("wren")) == ([], None)
    with pytest.raises(BookNotFound, match="no book 'wren' has been published"):
        index.versions("wren")
    with pytest.raises(BookNotFound, match="no book 'wren' has been published"):
        index.rollback("wren", None, "fake")
