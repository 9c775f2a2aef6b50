"""Metrics: what each request counts for, and the lines from which CloudWatch makes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bookbound.access.credentials import Grant
from bookbound.api import metrics
from bookbound.api.app import create_app
from bookbound.api.arrival import Arrival
from bookbound.api.deps import ApiDeps
from bookbound.api.gateway import behind_gateway
from bookbound.api.metrics import Figures, metrics_of
from bookbound.deadline import Deadline
from bookbound.errors import (
    BookNotFound,
    BudgetSpent,
    DeadlineExceeded,
    IntegrityBreach,
    InvalidRequest,
    Unavailable,
)
from bookbound.model import Draft, RefusalReason, Result, Usage
from tests.api.conftest import World
from tests.api.events import event
from tests.api.samples import ANSWERED, refused, result_of

DRAFT = Draft((), 0.9, "prompt", "raw", usage=Usage(820, 61))


def over(*, asked: bool = True, result: Result | None = None, error: Exception | None = None) -> Arrival:
    """Return a request that is over, one second after it came."""
    deadline = Deadline()
    return Arrival("id", Grant(), deadline, 0.0, asked=asked, result=result, error=error)


def counted(figures: list[Figures]) -> dict[str, float]:
    """Return all values except times."""
    return {
        name: value
        for each in figures
        for name, value in each.values.items()
        if not name.startswith("Latency")
    }


@pytest.mark.rule("E1")
def test_an_answer_counts_with_its_confidence_coverage_times_and_tokens() -> None:
    """A separate line gives the confidence level."""
    every, level = metrics_of(over(result=replace(result_of(ANSWERED), draft=DRAFT)), 200)
    assert counted([every]) == {
        "Questions": 1,
        "Answers": 1,
        "AttributionCoverage": 1.0,
        "TokensIn": 820,
        "TokensOut": 61,
    }
    assert every.values["LatencyRetrieval"] == 96.0
    assert every.values["LatencyGeneration"] == 281.0
    assert every.values["LatencyVerification"] == 22.0
    assert level == Figures({"Confidence": 1}, {"level": "high"})


@pytest.mark.rule("G13", "G8")
@pytest.mark.parametrize("reason", list(RefusalReason))
def test_a_refusal_counts_by_its_reason(reason: RefusalReason) -> None:
    """It is no answer, has no confidence, and cost no tokens."""
    every, refusal = metrics_of(over(result=result_of(refused(reason))), 200)
    assert counted([every]) == {"Questions": 1}
    assert "LatencyGeneration" not in every.values
    assert refusal == Figures({"Refusals": 1}, {"reason": reason.value})


@pytest.mark.rule("G13")
@pytest.mark.parametrize(
    ("error", "status", "name"),
    [
        (DeadlineExceeded("late"), 504, "Timeouts"),
        (Unavailable("down"), 503, "Unavailable"),
        (IntegrityBreach("breach"), 500, "IntegrityBreaches"),
    ],
)
def test_a_fault_counts_as_itself(error: Exception, status: int, name: str) -> None:
    """Never as a refusal, and its question counts all the same."""
    assert counted(metrics_of(over(error=error), status)) == {"Questions": 1, name: 1}


@pytest.mark.rule("A1", "S2")
@pytest.mark.parametrize(
    ("arrival", "status", "expected"),
    [
        (over(asked=False, error=InvalidRequest("no")), 422, {"Rejected": 1}),
        (over(error=BookNotFound("no")), 404, {"Questions": 1, "Rejected": 1}),
        (over(asked=False), 429, {"Rejected": 1, "RateLimited": 1}),
        (over(asked=False), 200, {}),
    ],
)
def test_what_never_became_a_question(arrival: Arrival, status: int, expected: dict[str, float]) -> None:
    """Rejected requests are metrics only; a health check is not even that."""
    assert counted(metrics_of(arrival, status)) == expected


@pytest.mark.parametrize("environment", [{}, {"POWERTOOLS_SERVICE_NAME": "api"}])
def test_each_line_has_exactly_its_dimensions(
    world: World,
    loop: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
) -> None:
    """Stage, or stage and one more; Powertools' own `service` would make other metrics of them."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    deps = ApiDeps(world.answers, world.index.ready, world.feedback)
    behind_gateway(create_app(deps, observers=[metrics.to_stdout("dev")]))(event(), None)
    every, level = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert directive(every)["Dimensions"] == [["stage"]]
    assert directive(level)["Dimensions"] == [["stage", "level"]]
    assert (level["stage"], level["level"], level["Confidence"]) == ("dev", "high", [1.0])
    units = {metric["Name"]: metric["Unit"] for metric in directive(every)["Metrics"]}
    assert units == {
        "Questions": "Count",
        "LatencyTotal": "Milliseconds",
        "LatencyRetrieval": "Milliseconds",
        "Answers": "Count",
        "AttributionCoverage": "None",
    }


def directive(line: dict[str, Any]) -> dict[str, Any]:
    """Return what an EMF line says of its metrics."""
    [found] = line["_aws"]["CloudWatchMetrics"]
    assert found["Namespace"] == "Bookbound"
    return dict(found)


@pytest.mark.parametrize(
    ("error", "status", "failed"),
    [
        (None, 200, 0),
        (RuntimeError("a defect"), 500, 1),
        (DeadlineExceeded("late"), 504, 1),
        (Unavailable("a vendor is down"), 503, 0),
        (BudgetSpent("for today"), 503, 0),
        (InvalidRequest("no"), 422, 0),
    ],
)
def test_a_version_answers_for_its_own_failures_alone(
    error: Exception | None, status: int, failed: int
) -> None:
    """A release is judged by these: a vendor's outage, the budget and a caller's mistakes are none."""
    *_, by_version = metrics_of(over(error=error), status, "7")
    assert by_version == Figures({"VersionQuestions": 1, "VersionFailures": failed}, {"version": "7"})


def test_a_call_that_asks_nothing_is_not_counted_for_a_version() -> None:
    """Sessions, health checks and preflights thin no version's failures."""
    assert metrics_of(over(asked=False), 200, "7") == []
