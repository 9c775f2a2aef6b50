"""Which releases stop before any traffic: four faults, and what is no fault of the release."""

from __future__ import annotations

from collections import Counter

import pytest

from bookbound.api.problems import problem_response
from bookbound.errors import Throttled
from bookbound.index.known_questions import OUT_OF_BOOK
from functions.release.check import Came, came_of, reasons, trials

KNOWN = "What is a costmap?"
ASKED = trials(KNOWN)


class Version:
    """A version of the API: what comes of a question that its book answers, and of one that it does not."""

    def __init__(self, inside: Came, outside: Came, *, first: Came | None = None) -> None:
        self._comes = {KNOWN: inside, OUT_OF_BOOK: outside}
        self._first = first
        self.asked: Counter[str] = Counter()

    def __call__(self, question: str) -> Came:
        """What comes of it; `first` of the very first call."""
        self.asked[question] += 1
        came, self._first = self._first or self._comes[question], None
        return came


GOOD = (Came.ANSWERED, Came.REFUSED)
FAILING = (Came.FAILED, Came.FAILED)
DOWN = (Came.UNAVAILABLE, Came.UNAVAILABLE)
THROTTLED = (Came.THROTTLED, Came.THROTTLED)
REFUSING = (Came.REFUSED, Came.REFUSED)
ANSWERING = (Came.ANSWERED, Came.ANSWERED)


def stopped(new: tuple[Came, Came], live: tuple[Came, Came]) -> bool:
    """Return whether a release stops."""
    return bool(reasons(ASKED, Version(*new), Version(*live)))


def test_a_version_that_does_as_wanted_goes_out_and_nobody_asks_the_live_one() -> None:
    """The live version has readers to answer."""
    live = Version(*GOOD)
    assert reasons(ASKED, Version(*GOOD), live) == []
    assert not live.asked


@pytest.mark.parametrize("new", [FAILING, REFUSING, ANSWERING, DOWN], ids=str)
def test_a_version_that_falls_behind_the_live_one_stops(new: tuple[Came, Came]) -> None:
    """One that fails, one that refuses everything, one that answers everything, one without its keys."""
    assert stopped(new, GOOD)


def test_a_vendor_that_is_down_stops_no_release() -> None:
    """Both versions get their 503, so the new one is not to blame, and may be the remedy."""
    assert not stopped(DOWN, DOWN)


@pytest.mark.parametrize("live", [GOOD, DOWN, THROTTLED], ids=str)
def test_a_vendors_limit_stops_no_release(live: tuple[Came, Came]) -> None:
    """Not even where the live version was let through a moment later; and it is not asked again at once."""
    new = Version(*THROTTLED)
    assert reasons(ASKED, new, Version(*live)) == []
    assert set(new.asked.values()) == {1}


def test_a_version_goes_out_that_mends_the_live_one() -> None:
    """Whatever ails readers now, a version that does as wanted is let through."""
    for live in (FAILING, REFUSING, DOWN):
        assert not stopped(GOOD, live)


def test_a_version_that_fails_stops_even_where_the_live_one_fails() -> None:
    """It is no remedy."""
    assert stopped(FAILING, FAILING)


def test_a_version_that_refuses_as_the_live_one_does_goes_out() -> None:
    """A book whose question is not answered any more is no fault of the release."""
    assert not stopped(REFUSING, REFUSING)


def test_a_slow_first_call_is_asked_again() -> None:
    """It also starts the version."""
    assert reasons(ASKED, Version(*GOOD, first=Came.FAILED), Version(*GOOD)) == []


def test_without_a_book_one_question_is_asked() -> None:
    """A stage that has no book yet can be deployed."""
    new = Version(*REFUSING)
    assert reasons(trials(None), new, Version(*FAILING)) == []
    assert list(new.asked) == [OUT_OF_BOOK]


def throttled() -> dict[str, object]:
    """The API's response where a vendor's limit is reached."""
    response = problem_response(Throttled("Claude answered 429", 30.0), "id")
    return {"statusCode": response.status_code, "body": bytes(response.body).decode()}


@pytest.mark.parametrize(
    ("payload", "came"),
    [
        ({"statusCode": 200, "body": '{"was_refusal": false}'}, Came.ANSWERED),
        ({"statusCode": 200, "body": '{"was_refusal": true}'}, Came.REFUSED),
        ({"statusCode": 503, "body": "{}"}, Came.UNAVAILABLE),
        (throttled(), Came.THROTTLED),
        ({"statusCode": 503, "body": "<html>"}, Came.UNAVAILABLE),
        ({"statusCode": 504, "body": "{}"}, Came.FAILED),
        ({"statusCode": 500, "body": "{}"}, Came.FAILED),
        ({"statusCode": 200, "body": "no JSON"}, Came.FAILED),
        ({"statusCode": 200}, Came.FAILED),
        (None, Came.FAILED),
    ],
)
def test_a_response_is_read(payload: dict[str, object] | None, came: Came) -> None:
    """A timeout is the version's fault, a 503 is not, and what is no response is a failure."""
    assert came_of(payload, crashed=False) is came
    assert came_of(payload, crashed=True) is Came.FAILED
