"""The chain grows by a digest a period: none is missed, none made twice, and each object is in one."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.audit.digest_chain import catch_up
from bookbound.audit.digest_format import sha256, text_of
from bookbound.errors import IntegrityBreach
from testing.trails import Kept, day, key


def test_a_day_is_digested_once_it_is_over_and_has_settled() -> None:
    """It is not digested in the first quarter hour after its end, and not twice."""
    kept = Kept()
    kept.trail.put(key(1, "a"), b"one", day(1, 9))
    assert catch_up(kept.deps, day(2, 0, 14)) == []
    assert catch_up(kept.deps, day(2, 0, 15)) == ["digests/year=2026/month=03/2026-03-01T00Z.json"]
    assert catch_up(kept.deps, day(2, 23)) == []
    (digest,) = kept.digests()
    assert [(one.key, one.sha256, one.bytes) for one in digest.objects] == [(key(1, "a"), sha256(b"one"), 3)]
    assert (digest.number, digest.previous, digest.start, digest.end) == (1, None, day(1), day(2))


def test_missed_periods_are_made_up_for_from_the_oldest_object_on() -> None:
    """Each follows the one before it, days without an object too."""
    kept = Kept()
    kept.trail.put(key(1, "a"), b"one", day(1, 9))
    kept.trail.put(key(4, "b"), b"two", day(4, 9))
    assert len(catch_up(kept.deps, day(6, 1))) == 5
    first, *_, last = kept.digests()
    assert [len(one.objects) for one in kept.digests()] == [1, 0, 0, 1, 0]
    assert (first.number, last.number, last.end) == (1, 5, day(6))
    assert [one.previous for one in kept.digests()[1:]] == [
        sha256(text_of(one).encode()) for one in kept.digests()[:-1]
    ]


def test_an_empty_trail_begins_with_the_period_before() -> None:
    """A stage is therefore watched from its first day on."""
    kept = Kept()
    catch_up(kept.deps, day(2, 1))
    assert [(one.start, one.objects) for one in kept.digests()] == [(day(1), ())]


def test_by_the_hour_a_digest_covers_an_hour() -> None:
    """And a stage may change from days to hours; the chain goes on."""
    kept = Kept()
    catch_up(kept.deps, day(2, 0, 20))
    kept.hours = 1
    assert len(catch_up(kept.deps, day(2, 3, 20))) == 3
    kept.hours = 24
    assert len(catch_up(kept.deps, day(4, 0, 20))) == 2
    ends = [one.end for one in kept.digests()]
    assert ends == [day(2), day(2, 1), day(2, 2), day(2, 3), day(3), day(4)]


@pytest.mark.rule("A2")
def test_an_object_that_comes_late_is_in_the_digest_of_when_it_came() -> None:
    """Days after the day that it belongs to."""
    kept = Kept()
    catch_up(kept.deps, day(2, 1))
    kept.trail.put(key(1, "late"), b"late", day(5, 12))
    catch_up(kept.deps, day(7, 1))
    assert [one.start for one in kept.digests() if one.objects] == [day(5)]


def test_an_upload_that_began_before_a_period_ended_is_in_the_next_digest() -> None:
    """It counts as written when it began, and shows up when it ends."""
    kept = Kept()
    kept.trail.put(key(1, "a"), b"one", day(1, 9))
    catch_up(kept.deps, day(2, 0, 20))
    kept.trail.put(key(1, "slow"), b"slow", day(1, 23, 59))
    catch_up(kept.deps, day(3, 0, 20))
    assert [[one.key for one in digest.objects] for digest in kept.digests()] == [
        [key(1, "a")],
        [key(1, "slow")],
    ]


def test_an_object_that_goes_while_it_is_digested_is_left_out() -> None:
    """It was erased, or had come of age."""
    kept = Kept()
    kept.trail.put(key(1, "a"), b"one", day(1, 9))
    kept.trail.put(key(1, "b"), b"two", day(1, 9))
    kept.trail.vanishing.add(key(1, "a"))
    catch_up(kept.deps, day(2, 1))
    assert [one.key for one in kept.digests()[0].objects] == [key(1, "b")]


def test_of_two_at_once_one_gives_way() -> None:
    """The other's later files stay, and no digest that does not fit follows them."""
    kept, other = Kept(), Kept()
    other.archive, other.trail = kept.archive, kept.trail
    kept.trail.put(key(1, "a"), b"one", day(1, 9))

    class Slow:
        """Looks, and is overtaken."""

        def __init__(self) -> None:
            self.looked = False

        def written(self, prefix: str) -> list[tuple[str, datetime]]:
            if not self.looked:
                self.looked = True
                catch_up(other.deps, day(3, 1))
            return list(kept.trail.written(prefix))

        def read(self, name: str) -> bytes:
            return kept.trail.read(name)

    slow = kept.deps
    deps = type(slow)(Slow(), slow.archive, slow.signer, slow.hours, slow.expires)
    assert catch_up(deps, day(3, 1)) == []
    assert len(kept.digests()) == 2


def test_nothing_follows_a_digest_that_cannot_be_read() -> None:
    """A chain over it would say that it was right."""
    kept = Kept()
    catch_up(kept.deps, day(2, 1))
    kept.archive.papers["digests/year=2026/month=03/2026-03-01T00Z.json"] = b"garbled"
    with pytest.raises(IntegrityBreach, match=r"2026-03-01T00Z\.json is no digest"):
        catch_up(kept.deps, day(3, 1))


@given(st.lists(st.integers(0, 10 * 24 * 60), max_size=20), st.lists(st.integers(0, 12 * 24), max_size=12))
def test_each_object_is_in_exactly_one_digest(minutes: list[int], calls: list[int]) -> None:
    """However many are written when, and whenever digests are made."""
    kept = Kept()
    waiting = sorted(day(1) + timedelta(minutes=minute) for minute in minutes)
    for hour in [*sorted(calls), 13 * 24]:
        now = day(1) + timedelta(hours=hour)
        while waiting and waiting[0] <= now:
            written = waiting.pop(0)
            kept.trail.put(key(written.day, f"{len(waiting)}"), b"", written)
        catch_up(kept.deps, now)
    listed = sorted(one.key for digest in kept.digests() for one in digest.objects)
    assert listed == sorted(kept.trail.objects)
    assert kept.verdict(day(14)).faults == []
