"""Findings of verification, and changes that it does not mistake for harm."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from bookbound.audit.digest_chain import catch_up, keep
from bookbound.audit.digest_format import Sealed, Tombstone, message, sha256, text_of
from bookbound.audit.integrity import Verdict, day_of
from testing.trails import FakeKey, Kept, day, key

ONE, TWO = key(1, "one"), key(2, "two")


@pytest.fixture
def kept() -> Kept:
    """Return a trail with one object on each of two days, and none on a third."""
    kept = Kept(expires={"records/personal=true/": 30})
    kept.trail.put(ONE, b"one", day(1, 9))
    kept.trail.put(TWO, b"two", day(2, 9))
    catch_up(kept.deps, day(4, 0, 20))
    return kept


def faults(verdict: Verdict) -> list[tuple[str, str]]:
    """Kind and name of each."""
    return [(fault.kind, fault.name) for fault in verdict.faults]


def erase(kept: Kept, content: bytes | None, now: datetime) -> Tombstone:
    """Make this of the first object, with its tombstone."""
    new = None if content is None else sha256(content)
    old = sha256(kept.trail.read(ONE))
    tombstone = Tombstone(ONE, old, new, "erasure", now)
    keep(kept.deps, tombstone)
    if content is None:
        del kept.trail.objects[ONE]
    else:
        kept.trail.put(ONE, content, now)
    return tombstone


def paper(number: int) -> str:
    """The name of a day's digest."""
    return f"digests/year=2026/month=03/2026-03-{number:02}T00Z.json"


def test_nothing_is_wrong_with_what_was_left_alone(kept: Kept) -> None:
    """The verdict says how much it looked at, and by which digest to know it again."""
    verdict = kept.verdict(day(4, 1))
    newest = sha256(text_of(kept.digests()[-1]).encode())
    assert verdict == Verdict(digests=3, objects=2, newest=(3, newest))


def test_a_changed_object_is_found(kept: Kept) -> None:
    """Before its change is digested, and afterwards."""
    kept.trail.put(ONE, b"other", day(4, 9))
    assert faults(kept.verdict(day(4, 10))) == [("changed", ONE)]
    catch_up(kept.deps, day(5, 1))
    assert faults(kept.verdict(day(5, 2))) == [("changed", ONE)]


def test_a_change_that_was_taken_back_stays_known(kept: Kept) -> None:
    """Once a digest has seen it."""
    kept.trail.put(ONE, b"other", day(4, 9))
    catch_up(kept.deps, day(5, 1))
    kept.trail.put(ONE, b"one", day(1, 9))
    assert faults(kept.verdict(day(5, 2))) == [("changed", ONE)]


def test_a_missing_object_is_found(kept: Kept) -> None:
    """Until the last moment of its time."""
    del kept.trail.objects[ONE]
    assert faults(kept.verdict(day(4, 1))) == [("missing", ONE)]


@pytest.mark.rule("A4")
def test_an_object_that_came_of_age_may_be_gone() -> None:
    """The digest gives the number of days; a deletion one second earlier is found."""
    kept = Kept(expires={"records/personal=true/": 30})
    kept.trail.put(ONE, b"one", day(1, 9))
    kept.trail.put(key(1, "kept", "records/personal=false"), b"x", day(1, 9))
    old = day(1, 9) + timedelta(days=30)
    catch_up(kept.deps, old)
    kept.trail.objects.clear()
    both = [("missing", key(1, "kept", "records/personal=false")), ("missing", ONE)]
    assert sorted(faults(kept.verdict(old - timedelta(seconds=1)))) == both
    verdict = kept.verdict(old)
    assert faults(verdict) == both[:1]
    assert verdict.expired == 1


@pytest.mark.rule("A4")
def test_a_retention_that_was_shortened_holds_for_older_objects_too(kept: Kept) -> None:
    """The bucket's rule does so too; a longer retention does not bring them back."""
    kept.expires = {"records/personal=true/": 5}
    catch_up(kept.deps, day(5, 1))
    kept.expires = {"records/personal=true/": 60}
    catch_up(kept.deps, day(7, 1))
    del kept.trail.objects[ONE]
    assert faults(kept.verdict(day(6, 8))) == [("missing", ONE)]
    assert kept.verdict(day(6, 9)).expired == 1


def test_an_inserted_object_is_found(kept: Kept) -> None:
    """It may look old but be in no digest, or be of a date too long past for new objects."""
    kept.trail.put(key(1, "backdated"), b"x", day(1, 9))
    assert faults(kept.verdict(day(4, 1))) == [("inserted", key(1, "backdated"))]
    del kept.trail.objects[key(1, "backdated")]
    kept.trail.put(key(1, "new"), b"x", day(17, 1))
    assert ("inserted", key(1, "new")) in faults(kept.verdict(day(17, 2)))
    catch_up(kept.deps, day(18, 1))
    assert faults(kept.verdict(day(18, 2))) == [("inserted", key(1, "new"))]


def test_an_object_older_than_the_chain_is_found(kept: Kept) -> None:
    """The chain began with the oldest that there was."""
    kept.trail.put("undelivered/x", b"x", day(1) - timedelta(days=3))
    assert faults(kept.verdict(day(4, 1))) == [("inserted", "undelivered/x")]


@pytest.mark.rule("A2")
def test_a_late_object_is_named_and_no_fault(kept: Kept) -> None:
    """A record that waited in the queue for its two weeks."""
    kept.trail.put(ONE + "-late", b"late", day(16, 23))
    assert kept.verdict(day(16, 23)).waiting == [ONE + "-late"]
    catch_up(kept.deps, day(17, 1))
    verdict = kept.verdict(day(17, 2))
    assert (verdict.faults, verdict.late, verdict.waiting) == ([], [ONE + "-late"], [])


@pytest.mark.rule("A4")
def test_an_erasure_is_accepted_as_its_tombstone_says(kept: Kept) -> None:
    """One after another, and whole in the end; before and after the rewritten object is digested."""
    erase(kept, b"on", day(4, 9))
    assert kept.verdict(day(4, 10)) == replace(kept.verdict(day(4, 10)), faults=[], erased=1)
    catch_up(kept.deps, day(5, 1))
    erase(kept, b"o", day(5, 9))
    catch_up(kept.deps, day(6, 1))
    assert (kept.verdict(day(6, 2)).faults, kept.verdict(day(6, 2)).erased) == ([], 1)
    erase(kept, None, day(6, 9))
    assert (kept.verdict(day(6, 10)).faults, kept.verdict(day(6, 10)).erased) == ([], 1)


@pytest.mark.rule("A4")
def test_an_object_is_never_digested_before_its_erasure(kept: Kept) -> None:
    """The tombstone speaks of a content that no digest knows."""
    three = key(4, "three")
    kept.trail.put(three, b"three", day(4, 9))
    keep(kept.deps, Tombstone(three, sha256(b"three"), sha256(b"th"), "erasure", day(4, 12)))
    kept.trail.put(three, b"th", day(4, 12))
    assert kept.verdict(day(4, 13)).faults == []
    catch_up(kept.deps, day(5, 1))
    assert kept.verdict(day(5, 2)).faults == []


@pytest.mark.rule("A4")
def test_an_old_object_that_was_erased_from_before_there_were_digests_is_in_order() -> None:
    """It was rewritten long after its day; it is in order before and after its digest."""
    kept = Kept()
    kept.trail.put(ONE, b"one", day(1, 9))
    erase(kept, b"on", day(20, 9))
    verdict = kept.verdict(day(20, 10))
    assert (verdict.faults, verdict.waiting, verdict.late) == ([], [ONE], [])
    catch_up(kept.deps, day(21, 1))
    verdict = kept.verdict(day(21, 2))
    assert (verdict.faults, verdict.late) == ([], [])


@pytest.mark.rule("A4")
def test_an_erasure_that_was_tried_again_is_accepted(kept: Kept) -> None:
    """A first try stops after its tombstone: the text to erase is reported until it is gone."""
    keep(kept.deps, Tombstone(ONE, sha256(b"one"), sha256(b"on"), "erasure", day(4, 8)))
    assert faults(kept.verdict(day(4, 9))) == [("unerased", ONE)]
    erase(kept, b"on", day(4, 9))
    assert (kept.verdict(day(4, 10)).faults, kept.verdict(day(4, 10)).erased) == ([], 1)


@pytest.mark.rule("A4")
def test_one_that_waits_for_its_digest_must_not_hold_what_was_erased(kept: Kept) -> None:
    """A record that came from the queue once more, say."""
    three = key(4, "three")
    keep(kept.deps, Tombstone(three, sha256(b"three"), None, "erasure", day(4, 12)))
    kept.trail.put(three, b"three", day(4, 13))
    assert faults(kept.verdict(day(4, 14))) == [("unerased", three)]


@pytest.mark.rule("A4")
def test_of_two_erasures_at_once_the_one_that_lost_its_write_proves_nothing(kept: Kept) -> None:
    """Its first tombstone names content that never was, and must not be once all is digested."""
    keep(kept.deps, Tombstone(ONE, sha256(b"one"), sha256(b"ne"), "erasure", day(4, 9)))
    erase(kept, b"on", day(4, 9))
    erase(kept, b"n", day(4, 9))
    assert (kept.verdict(day(4, 10)).faults, kept.verdict(day(4, 10)).erased) == ([], 1)
    catch_up(kept.deps, day(5, 1))
    assert kept.verdict(day(5, 2)).faults == []
    kept.trail.put(ONE, b"ne", day(4, 9))
    assert faults(kept.verdict(day(5, 2))) == [("unerased", ONE)]


@pytest.mark.rule("A4")
def test_a_key_that_was_erased_whole_and_came_back_can_be_erased_again(kept: Kept) -> None:
    """Its tombstones say the same, at other times."""
    for number in (5, 7):
        erase(kept, None, day(number, 9))
        kept.trail.put(ONE, b"one", day(number, 10))
        catch_up(kept.deps, day(number + 1, 1))
        assert faults(kept.verdict(day(number + 1, 2))) == [("unerased", ONE)]
    erase(kept, None, day(8, 9))
    assert kept.verdict(day(8, 10)).faults == []


@pytest.mark.rule("A4")
def test_what_a_tombstone_does_not_say_is_a_change(kept: Kept) -> None:
    """More is gone, or the whole object; and what was erased must not come back."""
    erase(kept, b"on", day(4, 9))
    kept.trail.put(ONE, b"o", day(4, 9))
    assert faults(kept.verdict(day(4, 10))) == [("changed", ONE)]
    del kept.trail.objects[ONE]
    assert faults(kept.verdict(day(4, 10))) == [("missing", ONE)]
    kept.trail.put(ONE, b"one", day(1, 9))
    assert faults(kept.verdict(day(4, 10))) == [("unerased", ONE)]


def test_tombstones_that_lead_in_a_circle_prove_nothing(kept: Kept) -> None:
    """No content is the last one."""
    erase(kept, b"on", day(4, 9))
    erase(kept, b"one", day(4, 9))
    assert faults(kept.verdict(day(4, 10))) == [("unerased", ONE)]


def test_a_digest_by_another_key_is_forged(kept: Kept) -> None:
    """A digest with changed text and one that is cut off are forged too; none is believed."""
    digest = kept.digests()[1]
    text = text_of(digest)
    name = paper(2)
    content = kept.archive.papers[name]
    for forged in (
        Sealed(text, FakeKey().sign(message("digest", text))).content,
        content.replace(b'"number":2', b'"number":3'),
        content[:-9],
        b"",
    ):
        kept.archive.papers[name] = forged
        verdict = kept.verdict(day(4, 1))
        assert faults(verdict) == [("forged", name), ("gap", paper(3))]
        assert verdict.unproven == [TWO]


def test_a_tombstones_signature_is_good_for_no_digest(kept: Kept) -> None:
    """The right to erase does not include the right to say what there was."""
    text = text_of(kept.digests()[2])
    kept.archive.papers[paper(3)] = Sealed(text, kept.key.sign(message("tombstone", text))).content
    assert faults(kept.verdict(day(4, 1))) == [("forged", paper(3))]


def test_a_genuine_paper_in_anothers_place_is_misplaced(kept: Kept) -> None:
    """An older digest does not stand for a newer one."""
    kept.archive.papers[paper(3)] = kept.archive.papers[paper(2)]
    assert faults(kept.verdict(day(4, 1))) == [("misplaced", paper(3))]


@pytest.mark.parametrize(
    ("gone", "found"),
    [(1, [("gap", paper(2))]), (2, [("gap", paper(3))]), (3, [("overdue", paper(2))])],
    ids=["first", "between", "newest"],
)
def test_a_digest_that_is_gone_is_a_fault(kept: Kept, gone: int, found: list[tuple[str, str]]) -> None:
    """The first, one between others, and the newest, once the next is due."""
    del kept.archive.papers[paper(gone)]
    assert faults(kept.verdict(day(4, 3))) == found


def test_a_chain_that_begins_anew_is_a_gap(kept: Kept) -> None:
    """Even by the key itself: it does not follow what is there."""
    again = replace(kept.digests()[2], number=1, previous=None)
    del kept.archive.papers[paper(3)]
    keep(kept.deps, again)
    assert faults(kept.verdict(day(4, 1))) == [("gap", paper(3))]


def test_without_any_digest_old_objects_are_a_fault() -> None:
    """New ones wait, and an empty trail is none."""
    kept = Kept()
    assert kept.verdict(day(9)).faults == []
    kept.trail.put(ONE, b"one", day(1, 9))
    verdict = kept.verdict(day(2, 11))
    assert (verdict.faults, verdict.waiting) == ([], [ONE])
    assert faults(kept.verdict(day(2, 12))) == [("overdue", "digests/")]


def test_objects_are_judged_by_the_days_that_are_asked_for(kept: Kept) -> None:
    """The chain is judged whole all the same."""
    kept.trail.put(ONE, b"other", day(1, 9))
    kept.trail.put(TWO, b"other", day(2, 9))
    del kept.archive.papers[paper(3)]
    second = kept.verdict(day(4, 3), date(2026, 3, 2), date(2026, 3, 2))
    assert faults(second) == [("overdue", paper(2)), ("changed", TWO)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (ONE, date(2026, 3, 1)),
        ("feedback/year=2026/month=12/day=31/x.json", date(2026, 12, 31)),
        ("undelivered/processing-failed/year=2026/month=01/day=02/x.gz", date(2026, 1, 2)),
        ("records/personal=true/year=2026/month=02/day=30/x.gz", None),
        ("undelivered/x", None),
    ],
)
def test_a_key_tells_its_day(name: str, expected: date | None) -> None:
    """One that tells none belongs to every period that is asked for."""
    assert day_of(name) == expected
