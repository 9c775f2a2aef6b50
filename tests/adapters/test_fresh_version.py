"""A version on its way to its readers: by steps that run twice or late, while others publish too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from bookbound.adapters.aws.bucket_index import BucketIndex
from bookbound.adapters.aws.bucket_pointer import Pointer
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.errors import IngestError, Unavailable
from bookbound.index.version_history import version_of
from bookbound.source.pages import SourceFile
from bookbound.text.glossary import Glossary
from testing.hosting import aliases
from testing.staged import objects
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant import Qdrant
from tests.adapters.published_versions import BUCKET, Wayward, begun, history, live, read, there
from tests.adapters.versions import PICTURE, manifest, publish, texts, windows


@pytest.mark.rule("I4")
async def test_a_version_is_searched_before_readers_get_it(index: BucketIndex, remote: RemotePoints) -> None:
    """The canary questions are asked that way; its manifest may change until it is live."""
    publish(index, "v1", "The knee bends.")
    fresh = begun(index, "v2", "The hip turns.")
    described = manifest("v2", windows("The hip turns."))
    with fresh.open() as store:
        assert await texts(described.over(store)) == ["The hip turns."]
    assert await read(remote) == ["The knee bends."]
    fresh.write_draft(replace(described, glossary=Glossary()))
    fresh.write_manifest(replace(described, sufficiency_threshold=0.25))
    assert (fresh.draft(), fresh.manifest().sufficiency_threshold) == (described, 0.25)
    assert index.manifest("kestrel", fresh.name) == fresh.manifest()


@pytest.mark.rule("I4")
def test_a_pointer_that_was_written_and_whose_reply_was_lost_is_written(
    index: BucketIndex, s3: Wayward, qdrant: Qdrant
) -> None:
    """The client retries automatically, and S3 says that the pointer has changed."""

    def repeated() -> None:
        raise s3.failure("PreconditionFailed")

    s3.after["current"] = repeated
    publish(index, "v1", "The knee bends.")
    assert live(qdrant) == ["v1"]
    assert index.current("kestrel") is not None


@pytest.mark.rule("I4")
async def test_a_pointer_that_seems_changed_and_is_not_may_be_written_at_the_next_try(
    index: BucketIndex, s3: Wayward, remote: RemotePoints
) -> None:
    """No one was faster, and the error does not claim it."""

    def refused() -> None:
        raise s3.failure("PreconditionFailed")

    before, fresh = index.pointer("kestrel"), begun(index, "v1", "The knee bends.")
    s3.before["current"] = refused
    with pytest.raises(Unavailable, match="the pointer of 'kestrel' cannot be written"):
        fresh.switch(before)
    fresh.switch(before)
    assert await read(remote) == ["The knee bends."]


@pytest.mark.rule("I4")
def test_an_alias_that_fails_takes_nothing_from_readers(
    index: BucketIndex, qdrant: Qdrant, caplog: pytest.LogCaptureFixture
) -> None:
    """The pointer is written by then; who switches once more, or publishes next, has it right."""
    before, fresh = index.pointer("kestrel"), begun(index, "v1", "The knee bends.")
    qdrant.misbehaviour_at = {"/collections/aliases": Misbehaviour.STATUS_503}
    fresh.switch(before)
    assert (index.current("kestrel") is not None, aliases(qdrant)) == (True, {})
    assert "the alias stays" in caplog.text
    qdrant.misbehaviour_at = {}
    fresh.switch(before)
    assert aliases(qdrant) == {"kestrel": "kestrel-v1-run"}


@pytest.mark.rule("I4")
async def test_each_step_of_a_version_may_run_twice_and_late(
    index: BucketIndex, remote: RemotePoints, qdrant: Qdrant
) -> None:
    """It finds done what it would do, also when its version is live by then, and when it is so no longer."""
    before = index.pointer("kestrel")

    def all_steps() -> tuple[str, ...]:
        fresh = begun(index, "v1", "The knee bends.", "The hip turns.")
        fresh.keep([SourceFile("page.md", b"The knee bends.")], [PICTURE])
        superfluous = fresh.superfluous(before)
        fresh.switch(before)
        return index.remove("kestrel", superfluous)

    all_steps()
    there, pointer = objects(BUCKET), index.pointer("kestrel")
    for _ in range(2):
        assert all_steps() == ()
        assert (objects(BUCKET), index.pointer("kestrel")) == (there, pointer)
        assert index.fresh("kestrel", "v1-run").count() == 2
    publish(index, "v2", "The wrist rolls.")
    all_steps()
    assert await read(remote) == ["The wrist rolls."]
    assert aliases(qdrant) == {"kestrel": f"kestrel-{history().live}"}


@pytest.mark.rule("I4")
def test_pruning_late_takes_nothing_that_came_later(index: BucketIndex, qdrant: Qdrant) -> None:
    """It spares the version that the pointer names by then, and one begun since."""
    for number in (1, 2, 3):
        publish(index, f"v{number}", f"Version {number}.")
    before, fresh = index.pointer("kestrel"), begun(index, "v4", "Version 4.")
    superfluous = fresh.superfluous(before)
    assert [version_of(name) for name in superfluous] == ["v1"]
    fresh.switch(before)
    begun(index, "v5", "Version 5.")
    assert fresh.superfluous(before) == ()
    assert index.remove("kestrel", (*superfluous, *history().kept)) == ()
    index.remove("kestrel", superfluous)
    assert live(qdrant) == ["v2", "v3", "v4", "v5"]


@pytest.mark.rule("I4")
def test_a_version_that_is_given_up_goes_and_is_never_switched_to(index: BucketIndex, qdrant: Qdrant) -> None:
    """By steps that were late; what tells so stays until the next publication."""
    publish(index, "v1", "The knee bends.")
    before, fresh = index.pointer("kestrel"), begun(index, "v2", "The hip turns.")
    for _ in range(2):
        fresh.discard()
        assert (live(qdrant), there()) == (["v1"], ["v1", "v2"])
    late = begun(index, "v2", "The hip turns.")
    with pytest.raises(IngestError, match="v2-run was given up; publish the book again"):
        late.switch(before)
    assert history().live == before.history.live
    publish(index, "v3", "The wrist rolls.")
    assert live(qdrant) == there() == ["v1", "v3"]
    index.fresh("kestrel", history().kept[0]).discard()
    assert live(qdrant) == ["v1", "v3"]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("moment", ["switching", "current"])
async def test_giving_up_a_version_while_it_is_switched_to_leaves_it_whole_or_not_live(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, remote: RemotePoints, moment: str
) -> None:
    """Either may come first, since an abandoned run may have a write under way."""
    publish(index, "v1", "The knee bends.")
    before, fresh = index.pointer("kestrel"), begun(index, "v2", "The hip turns.")
    s3.before[moment] = elsewhere.fresh("kestrel", "v2-run").discard
    if moment == "switching":
        with pytest.raises(IngestError, match="given up"):
            fresh.switch(before)
    else:
        fresh.switch(before)
    assert await read(remote) == ["The knee bends." if moment == "switching" else "The hip turns."]


@pytest.mark.rule("I4")
async def test_switching_to_a_version_while_it_is_given_up_leaves_it_whole(
    index: BucketIndex, elsewhere: BucketIndex, s3: Wayward, remote: RemotePoints
) -> None:
    """It was not said yet that it is."""
    before, fresh = index.pointer("kestrel"), begun(elsewhere, "v1", "The knee bends.")
    s3.before["discarded"] = lambda: fresh.switch(before)
    index.fresh("kestrel", "v1-run").discard()
    assert await read(remote) == ["The knee bends."]


@pytest.mark.rule("I4")
def test_a_fresh_version_is_settled_once_the_server_has_ordered_it(
    index: BucketIndex, qdrant: Qdrant
) -> None:
    """Until then a search may miss some points; a restarted server gets a request to go on."""
    fresh = begun(index, "v1", "The knee bends.")
    busy = [{"status": "yellow"}, {"update_queue": {"length": 3}}, {"status": "red"}, {"status": "grey"}]
    qdrant.unsettled = [*busy, {"update_queue": {"length": 0, "deferred_points": 7}}]
    assert [fresh.settled() for _ in range(6)] == [False] * 5 + [True]
    qdrant.unsettled = [{"update_queue": None}]  # as a server of before there was a queue
    assert fresh.settled()
    [woken] = [request for request in qdrant.requests if request.method == "PATCH"]
    assert woken.json == {"optimizers_config": {}}


@pytest.mark.rule("I4")
@pytest.mark.parametrize("published", [False, True])
def test_a_pointer_is_the_same_after_a_way_through_json(index: BucketIndex, published: bool) -> None:
    """Steps hand it on to each other."""
    if published:
        publish(index, "v1", "The knee bends.")
    json, before = TypeAdapter(Pointer), index.pointer("kestrel")
    assert json.validate_json(json.dump_json(before)) == before


@pytest.mark.parametrize("asked", ["manifest", "draft"])
def test_a_version_whose_manifest_is_not_there_is_an_error(index: BucketIndex, asked: str) -> None:
    """One line that names it."""
    fresh = index.fresh("kestrel", "v1-run")
    with pytest.raises(IngestError, match=r"^books/kestrel/versions/v1-run/ is unreadable$"):
        getattr(fresh, asked)()
