"""A book's pointer: which versions are kept, which is live, and what was taken back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.errors import IngestError
from bookbound.index.version_history import KEPT_VERSIONS, History, version_of


def after(*names: str) -> History:
    """Return the history after these were published one after the other."""
    history = History()
    for name in names:
        history = history.published(name)
    return history


@pytest.mark.rule("I4")
def test_the_last_versions_are_kept_in_order() -> None:
    """The live one first."""
    assert after("v1", "v2", "v3", "v4") == History(("v4", "v3", "v2"))
    assert after("v1", "v2").live == "v2"
    assert History().live is None


@pytest.mark.rule("I4")
def test_going_back_withdraws_what_is_newer() -> None:
    """Step by step or to a version by its name, and forth again in the same way."""
    history = after("v1", "v2", "v3")
    one = history.back_to(None)
    assert one == History(("v2", "v1"), ("v3",))
    assert one.back_to(None) == history.back_to("v1") == History(("v1",), ("v3", "v2"))
    assert one.back_to("v3") == history
    assert history.back_to("v1").back_to("v3") == History(("v3", "v1"), ("v2",))


@pytest.mark.rule("I4")
def test_a_new_version_follows_the_live_one_and_ends_what_was_withdrawn() -> None:
    """A step back from it leads to the version that was good before."""
    history = after("v1", "v2", "v3").back_to(None).published("v4")
    assert history == History(("v4", "v2", "v1"))
    assert history.back_to(None).live == "v2"


@pytest.mark.rule("I4")
def test_a_withdrawn_version_is_not_made_again() -> None:
    """Until another one was published; an earlier one may be, and so may any other."""
    history = after("v1-a", "v2-b").back_to(None)
    with pytest.raises(IngestError, match="version v2, which was rolled back; change them"):
        history.require_wanted("v2")
    history.require_wanted("v1")
    history.published("v3-c").require_wanted("v2")


def test_a_version_that_returns_takes_the_place_of_its_earlier_life() -> None:
    """Only the live one stays, as a request may be reading it: it was rebuilt after damage."""
    assert after("v1-a", "v2-b", "v1-c") == History(("v1-c", "v2-b"))
    mended = after("v1-a", "v2-b", "v2-c")
    assert mended == History(("v2-c", "v2-b", "v1-a"))
    assert mended.back_to(None).live == "v1-a"
    assert mended.published("v3-d") == History(("v3-d", "v2-c", "v1-a"))
    assert after("v1", "v2", "v2") == History(("v2", "v1"))


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (None, "no version before the live one"),
        ("v2", "version v2 is live already"),
        ("v9", "there is no version 'v9'; there are v3, v2"),
    ],
)
def test_where_nobody_can_go_back_to_is_said(version: str | None, told: str) -> None:
    """One line, which names what there is."""
    with pytest.raises(IngestError, match=told):
        History(("v2-a",), ("v3-b",)).back_to(version)


def test_a_pointer_of_one_line_is_a_live_version() -> None:
    """Without or with an end of line; what is empty or no text names none that there is."""
    assert History.parse(b"v1") == History.parse(b"v1\n") == History(("v1",))
    assert History.parse(b" \n") == History()
    assert History.parse(b"\xff").live == "\ufffd"


steps = st.lists(st.one_of(st.integers(0, 30), st.none(), st.just("back to any")), max_size=30)


@pytest.mark.rule("I4")
@given(steps, st.data())
def test_whatever_is_done_the_version_before_stays_and_the_pointer_tells_all(
    done: list[int | str | None], data: st.DataObject
) -> None:
    """No step takes away the version that was live until then, which requests may be reading."""
    history = History()
    for number, step in enumerate(done):
        before = history
        history = _stepped(before, step, number, data)
        assert before.live is None or before.live in history.states()
        assert len(history.kept) + len(history.withdrawn) <= KEPT_VERSIONS
        assert History.parse(history.pointer()) == history
        assert list(history.states().values()).count("live") == 1


def _stepped(before: History, step: int | str | None, number: int, data: st.DataObject) -> History:
    """Return the history with a version under a new name, or with a step back if possible."""
    live = version_of(before.live or "")
    others = [version_of(name) for name in before.states() if version_of(name) != live]
    if step is None and any(version_of(name) != live for name in before.kept):
        return before.back_to(None)
    if isinstance(step, str) and others:
        return before.back_to(data.draw(st.sampled_from(others)))
    return before.published(f"v{step}-{number}")
