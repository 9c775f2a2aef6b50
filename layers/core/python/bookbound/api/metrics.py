"""Figures of each request, as CloudWatch metrics in the embedded metric format (EMF): one flush a request.

Dimensions are exactly `stage`, or `stage` and the one that a set of figures names. No figure holds a text
that a reader or a model wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from aws_lambda_powertools.metrics import EphemeralMetrics

from bookbound.api.arrival import Arrival
from bookbound.api.boundary import Observer
from bookbound.errors import DeadlineExceeded, IntegrityBreach, Unavailable
from bookbound.model import Refused, Result

NAMESPACE = "Bookbound"
VERSION, VERSION_ASKED, VERSION_FAILED = "version", "VersionQuestions", "VersionFailures"
"""Dimension and metrics by which a release is watched."""

_FAULTS: Mapping[type[Exception], str] = {
    DeadlineExceeded: "Timeouts",
    Unavailable: "Unavailable",
    IntegrityBreach: "IntegrityBreaches",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures by metric, and the dimension that they have in addition to `stage`."""

    values: Mapping[str, float]
    dimension: Mapping[str, str] = field(default_factory=dict)


def metrics_of(arrival: Arrival, status: int, version: str = "") -> list[Figures]:
    """Return a request's metrics; none, when no question was asked and nothing went wrong.

    `version` is the function's, by which a release is watched.
    """
    values = dict(_request(arrival, status))
    by_version = [_of_version(status, arrival, version)] if arrival.asked and version else []
    if arrival.result is None:
        return [Figures(values), *by_version] if values else by_version
    return [Figures(values | dict(_result(arrival.result))), _outcome(arrival.result), *by_version]


def _of_version(status: int, arrival: Arrival, version: str) -> Figures:
    """A question, and whether the version failed it: not a vendor, the store or the budget (503)."""
    failed = status >= 500 and not isinstance(arrival.error, Unavailable)
    return Figures({VERSION_ASKED: 1, VERSION_FAILED: float(failed)}, {VERSION: version})


def _request(arrival: Arrival, status: int) -> Iterator[tuple[str, float]]:
    """Yield figures of any request; the milliseconds of a question count from the gateway on (D1)."""
    if arrival.asked:
        yield "Questions", 1
        yield "LatencyTotal", arrival.latency_ms()
    if 400 <= status < 500:
        yield "Rejected", 1
    if status == 429:
        yield "RateLimited", 1
    for fault, name in _FAULTS.items():
        if isinstance(arrival.error, fault):
            yield name, 1


def _result(result: Result) -> Iterator[tuple[str, float]]:
    yield "LatencyRetrieval", result.latency.retrieval
    if result.draft is not None:
        yield "LatencyGeneration", result.latency.generation
        yield "LatencyVerification", result.latency.verification
        if usage := result.draft.usage:
            yield "TokensIn", usage.input_tokens
            yield "TokensOut", usage.output_tokens
    if not isinstance(result.outcome, Refused):
        yield "Answers", 1
        yield "AttributionCoverage", result.outcome.attribution_coverage


def _outcome(result: Result) -> Figures:
    """One refusal by its reason (G13), or one answer by its confidence (F2)."""
    outcome = result.outcome
    if isinstance(outcome, Refused):
        return Figures({"Refusals": 1}, {"reason": outcome.reason.value})
    return Figures({"Confidence": 1}, {"level": outcome.confidence_level.value})


def to_stdout(stage: str, version: str = "") -> Observer:
    """An observer that writes each request's figures where CloudWatch reads them."""

    def emit(arrival: Arrival, status: int) -> None:
        for figures in metrics_of(arrival, status, version):
            # Without a service of their own they would get Powertools' dimension `service`.
            emf = EphemeralMetrics(
                namespace=NAMESPACE, service="", default_dimensions={"stage": stage, **figures.dimension}
            )
            for name, value in figures.values.items():
                emf.add_metric(name, _unit(name), value)
            emf.flush_metrics()

    return emit


def _unit(name: str) -> str:
    if name.startswith("Latency"):
        return "Milliseconds"
    return "None" if name == "AttributionCoverage" else "Count"
