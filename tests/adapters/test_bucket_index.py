"""A stage's versions: published whole or not at all, gone back to, and pruned by what the bucket says."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import boto3
import pytest

from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.errors import BookNotFound, IngestError, Raced, Unavailable
from bookbound.index.manifest import MANIFEST_JSON
from bookbound.index.version_history import version_of
from testing.hosting import aliases, collections
from testing.published import publish_version
from testing.staged import objects
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant
from tests.adapters.published_versions import BUCKET, POINTER, Wayward, history, live, read, there
from tests.adapters.versions import PICTURE, entries, manifest, publish, windows


@pytest.mark.rule("I4")
def test_all_of_a_version_is_published(index: BucketIndex, qdrant: Qdrant) -> None:
    """Manifest, collection, files and pictures; the alias is the live one's."""
    publish(index, "v1", "The knee bends.")
    [name] = history().kept
    assert name.startswith("v1-")
    described = manifest("v1", windows("The knee bends."))
    folder = f"books/kestrel/versions/{name}"
    assert objects(BUCKET) == {
        POINTER: f"{name}\n".encode(),
        f"{folder}/collection": f"kestrel-{name}".encode(),
        f"{folder}/manifest.json": MANIFEST_JSON.dump_json(described),
        "books/kestrel/snapshots/v1/files/page0.md": b"The knee bends.",
        f"{folder}/static/{PICTURE.path}": PICTURE.content,
        f"{folder}/switching": b"",
    }
    assert index.current("kestrel") == described
    assert aliases(qdrant) == {"kestrel": f"kestrel-{name}"}


@pytest.mark.rule("I4")
@pytest.mark.parametrize("room", range(7))
async def test_what_fails_leaves_the_live_version(
    index: BucketIndex, s3: Wayward, remote: RemotePoints, qdrant: Qdrant, room: int
) -> None:
    """Any object may fail; the last one is the pointer, which may be late: that run leaves what it
    built to the next.
    """
    publish(index, "v1", "The knee bends.")
    s3.room = room
    with pytest.raises(Unavailable, match=r"SlowDown"):
        publish(index, "v2", "The hip turns.", "The wrist rolls.")
    assert await read(remote) == ["The knee bends."]
    assert live(qdrant) == (["v1", "v2"] if room == 6 else ["v1"])
    publish(index, "v3", "The neck nods.")
    assert live(qdrant) == there() == ["v1", "v3"]


@pytest.mark.rule("I4")
async def test_points_that_do_not_arrive_leave_nothing(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """One line says what the server said, or that some are missing; what is left unpublished goes."""
    publish(index, "v1", "The knee bends.")
    qdrant.misbehaviour_at = {"/collections/*/points": Misbehaviour.STATUS_500}
    with pytest.raises(Unavailable, match=r"status 500$"):
        publish(index, "v2", "The hip turns.")
    qdrant.misbehaviour_at = {}
    found = windows("The hip turns.")
    more = replace(manifest("v2", found), windows=2)
    with pytest.raises(IngestError, match="lacks points"):
        publish_version(index, more, entries(found))
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
def test_what_a_killed_run_left_goes_with_the_next(index: BucketIndex, qdrant: Qdrant) -> None:
    """Its collection was named in the bucket before it was made."""
    publish(index, "v1", "The knee bends.")
    found = windows("Half of a book.")
    dead = index.fresh("kestrel", "v2-dead")
    dead.start(2)
    dead.store(entries(found))
    index.fresh("kestrel", "v3-dead").write("collection", b"kestrel-v3-dead")  # killed before it made one
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
    *,
    index: BucketIndex,
    elsewhere: BucketIndex,
    s3: Wayward,
    remote: RemotePoints,
    qdrant: Qdrant,
    moment: str,
) -> None:
    """The other run gets an error, even if its work was pruned, and the next run goes through."""
    publish(index, "v1", "The knee bends.")
    s3.before[moment] = lambda: publish(elsewhere, "v2", "The hip turns.")
    with pytest.raises(Raced, match="somebody else published or rolled back 'kestrel' meanwhile"):
        publish(index, "v3", "The wrist rolls.")
    assert await read(remote) == ["The hip turns."]
    assert live(qdrant) == ["v1", "v2"]
    publish(index, "v3", "The wrist rolls.")
    assert await read(remote) == ["The wrist rolls."]


@pytest.mark.rule("I4")
def test_the_first_publication_of_a_book_can_be_lost_too(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, qdrant: Qdrant
) -> None:
    """There is no pointer yet that could have changed."""
    s3.before["current"] = lambda: publish(elsewhere, "v1", "The hip turns.")
    with pytest.raises(Raced, match="somebody else published"):
        publish(index, "v2", "The wrist rolls.")
    assert live(qdrant) == ["v1"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("how", ["reply lost", "interrupted"])
async def test_what_ends_a_run_after_the_pointer_leaves_the_new_version_whole(
    index: BucketIndex, s3: Wayward, remote: RemotePoints, qdrant: Qdrant, how: str
) -> None:
    """No file that readers may have by now is cleaned up; the next run prunes the rest."""
    for number in (1, 2, 3):
        publish(index, f"v{number}", f"Version {number}.")
    really = s3.delete_objects

    def fail(**_: Any) -> None:
        raise KeyboardInterrupt if how == "interrupted" else s3.failure("RequestTimeout")

    if how == "interrupted":
        s3.delete_objects = fail
    else:
        s3.after["current"] = fail
    with pytest.raises((KeyboardInterrupt, Unavailable)):
        publish(index, "v4", "Version 4.")
    assert await read(remote) == ["Version 4."]
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
    with pytest.raises(Raced, match="somebody else published or rolled back"):
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
    """The run that comes second changes nothing and gets an error."""
    for number in (1, 2):
        publish(index, f"v{number}", f"Version {number}.")
    s3.before["manifest.json"] = lambda: elsewhere.rollback("kestrel", None, "fake")
    with pytest.raises(Raced, match="somebody else published or rolled back"):
        publish(index, "v3", "Version 3.")
    s3.before["current"] = lambda: publish(elsewhere, "v4", "Version 4.")
    with pytest.raises(Raced, match="somebody else published or rolled back"):
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
        boto3.client("s3").delete_object(Bucket=BUCKET, Key=f"books/kestrel/versions/{name}/{damage}")
    with pytest.raises(IngestError, match="version v1 cannot go live again, nothing was changed: "):
        index.rollback("kestrel", None, "another" if damage == "embedder" else "fake")
    assert history() == before
    [row] = [one for one in index.versions("kestrel") if one.version == "v1"]
    assert (row.manifest is None) == (damage == "manifest.json")


@pytest.mark.rule("I4")
def test_a_live_version_that_is_damaged_is_built_anew(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """It gets another name, since a reader that opened the old one may still read it."""
    publish(index, "v1", "The knee bends.")
    remote.remove(f"kestrel-{history().live}")
    assert index.current("kestrel") is None
    publish(index, "v1", "The knee bends.")
    assert index.current("kestrel") is not None
    assert [version_of(name) for name in history().kept] == ["v1", "v1"]
    publish(index, "v2", "The hip turns.")
    assert live(qdrant) == ["v1", "v2"]


def test_a_book_that_nobody_published_has_no_versions(index: BucketIndex) -> None:
    """To show or to go back to; it was none before its first publication either."""
    boto3.client("s3").put_object(Bucket=BUCKET, Key="books/wren/v1.zip", Body=b"uploaded")
    assert (index.books(), index.current("wren")) == ([], None)
    with pytest.raises(BookNotFound, match="no book 'wren' has been published"):
        index.versions("wren")
    with pytest.raises(BookNotFound, match="no book 'wren' has been published"):
        index.rollback("wren", None, "fake")
