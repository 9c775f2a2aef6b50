"""No text of a reader comes into a log, except in the refusal event (A5)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from bookbound.answering import Deps, answer
from bookbound.api import metrics
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.gateway import behind_gateway
from bookbound.errors import DeadlineExceeded, IntegrityBreach, Unavailable
from testing.builders import FixedStore, book, hit
from testing.fakes import FakeAudit, FakeFeedback, FakeGenerator, FakeLibrary
from tests.api.events import event
from tests.core.asking import FOUND, INSUFFICIENT, INVENTED, PACK, SUPPORTED, deps

CANARY = "kakapo"
QUESTION = f"How long does the battery last, asks the {CANARY}?"


@dataclass(frozen=True)
class Case:
    """A world, a request to it, and the status that it must get."""

    status: int
    deps: Callable[[], Deps]
    body: Any

    @property
    def text(self) -> str:
        return self.body if isinstance(self.body, str) else json.dumps(self.body)


def _writing(error: Exception) -> Callable[[], Deps]:
    return lambda: deps(generator=FakeGenerator([SUPPORTED], error=error))


ASKED = {"question": QUESTION}
CASES = {
    "answered": Case(200, lambda: deps(generator=FakeGenerator([SUPPORTED])), ASKED),
    "unsupported": Case(200, lambda: deps(generator=FakeGenerator([INVENTED])), ASKED),
    "empty_retrieval": Case(200, lambda: deps(book(hit(PACK, 0.1))), ASKED),
    "insufficient_context": Case(200, lambda: deps(book(hit(PACK, 0.6))), ASKED),
    "out_of_scope": Case(200, deps, {"question": f"How do I write a PWM motor driver for a {CANARY}?"}),
    "selected_text_insufficient": Case(
        200, lambda: deps(sufficiency=INSUFFICIENT), ASKED | {"selected_text": f"A {CANARY} climbs."}
    ),
    "no book": Case(404, lambda: deps(library=FakeLibrary()), ASKED),
    "too long": Case(422, deps, {"question": CANARY * 200}),
    "unknown field": Case(422, deps, ASKED | {CANARY: CANARY}),
    "no JSON": Case(400, deps, f'{{"question": "{CANARY}'),
    "control character": Case(400, deps, {"question": f"{CANARY}\0"}),
    "store down": Case(503, lambda: deps(book(*FOUND, store=FixedStore(error=Unavailable("down")))), ASKED),
    "generator down": Case(503, _writing(Unavailable(CANARY)), ASKED),
    "too late": Case(504, _writing(DeadlineExceeded(CANARY)), ASKED),
    "breach": Case(500, _writing(IntegrityBreach(CANARY)), ASKED),
    "bug": Case(500, _writing(ValueError(CANARY)), ASKED),
    "audit down": Case(200, lambda: deps(audit=FakeAudit(error=Unavailable(CANARY))), ASKED),
}


@pytest.mark.rule("S5", "A5", "A2")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_output_holds_what_a_reader_wrote(
    case: Case,
    loop: None,
    structured_log: io.StringIO,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """For any outcome, neither our log, nor a library's, nor the metrics repeat the question."""
    caplog.set_level(logging.DEBUG)
    world = case.deps()
    observers = [metrics.to_stdout("test")]
    api = ApiDeps(partial(answer, deps=world), world.library.ready, FakeFeedback())
    response = behind_gateway(create_app(api, observers=observers))(event(body=case.text), None)
    printed = capfd.readouterr()
    ours = [json.loads(line) for line in structured_log.getvalue().splitlines()]
    rest = [line for line in ours if line["message"] != "refusal"]
    assert response["statusCode"] == case.status
    assert "CloudWatchMetrics" in printed.out
    assert CANARY not in f"{rest}{printed.out}{printed.err}{caplog.text}"
    assert any("route" in line for line in rest)


@pytest.mark.rule("A5")
def test_the_refusal_event_is_where_a_question_is_logged(loop: None, structured_log: io.StringIO) -> None:
    """The event holds the question (A5)."""
    case = CASES["empty_retrieval"]
    world = case.deps()
    api = ApiDeps(partial(answer, deps=world), world.library.ready, FakeFeedback())
    behind_gateway(create_app(api))(event(body=case.text), None)
    ours = map(json.loads, structured_log.getvalue().splitlines())
    [refusal] = [line for line in ours if "refusal" in line]
    assert refusal["refusal"]["question"] == QUESTION
