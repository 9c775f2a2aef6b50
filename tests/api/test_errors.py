"""Faults as problem details: what the caller learns, what the log keeps."""

import logging

import pytest
from fastapi.exceptions import RequestValidationError

from bookbound.api.problems import problem_of
from bookbound.errors import (
    BookboundError,
    BudgetSpent,
    DeadlineExceeded,
    IntegrityBreach,
    PolicyError,
    Throttled,
    Unavailable,
)
from bookbound.model import RefusalReason
from tests.api.conftest import Api
from tests.api.samples import refused, result_of
from tests.api.test_bad_input import assert_problem


@pytest.mark.rule("R7")
async def test_an_unreachable_store_is_503_with_retry_after(api: Api) -> None:
    """A fault is an error, never an empty result, and says when to try again."""
    api.world.answers.error = Unavailable("qdrant.internal:6333 refused")
    response = await api.chat(question="Why?")
    assert_problem(response, 503, "Try again")
    assert int(response.headers["retry-after"]) > 0
    assert "qdrant" not in response.text


@pytest.mark.rule("D3")
@pytest.mark.parametrize(
    ("asked", "told"), [(None, "2"), (0.0, "1"), (1.2, "2"), (30.0, "30"), (3600.0, "60")]
)
async def test_a_vendors_wait_is_handed_on(api: Api, asked: float | None, told: str) -> None:
    """In whole seconds, at least one, and no longer than a reader might wait; else a moment."""
    api.world.answers.error = Unavailable("busy", retry_after=asked)
    response = await api.chat(question="Why?")
    assert (response.status_code, response.headers["retry-after"]) == (503, told)


@pytest.mark.rule("D3")
@pytest.mark.parametrize(("asked", "told"), [(None, "2"), (0.0, "1"), (17.0, "17"), (900.0, "900")])
async def test_a_vendors_limit_is_503_with_the_vendors_own_wait(
    api: Api, asked: float | None, told: str
) -> None:
    """Uncut: who comes back earlier is turned away again. The words tell it from a fault."""
    api.world.answers.error = Throttled("Claude answered 429", asked)
    response = await api.chat(question="Why?")
    assert_problem(response, 503, "takes no more right now")
    assert response.headers["retry-after"] == told
    assert "Claude" not in response.text


async def test_a_spent_budget_is_503_in_words_of_its_own(api: Api) -> None:
    """The next day is further off than a client should be told to wait."""
    api.world.answers.error = BudgetSpent("10,000,000 tokens", retry_after=40_000.0)
    response = await api.chat(question="Why?")
    assert_problem(response, 503, "The budget for today's answers is spent")
    assert response.headers["retry-after"] == "60"
    assert "10,000,000" not in response.text


@pytest.mark.rule("D1")
async def test_time_running_out_is_504_with_the_fixed_words(api: Api) -> None:
    """The sentence is the requirement's own."""
    api.world.answers.error = DeadlineExceeded("whatever")
    response = await api.chat(question="Why?")
    assert_problem(response, 504)
    assert response.json()["detail"] == "Query processing timed out. Try a simpler question."


@pytest.mark.parametrize(
    "error", [IntegrityBreach("leak"), PolicyError("leak"), RecursionError("leak"), ValueError("leak")]
)
@pytest.mark.rule("P6")
async def test_an_unforeseen_fault_is_a_bare_500(api: Api, error: Exception) -> None:
    """No detail of it leaves the service."""
    api.world.answers.error = error
    response = await api.chat(question="Why?")
    assert_problem(response, 500, "Something went wrong")
    assert "leak" not in response.text


async def test_an_unknown_address_is_a_problem_too(api: Api) -> None:
    """404 is problem+json everywhere."""
    assert_problem(await api.client.get("/v2/secret"), 404)
    assert_problem(await api.client.get("/v1/chat/"), 404)


async def test_a_wrong_method_is_a_problem_that_names_the_right_one(api: Api) -> None:
    """405 keeps its Allow header."""
    response = await api.client.get("/v1/chat")
    assert_problem(response, 405)
    assert response.headers["allow"] == "POST"


def test_the_frameworks_own_validation_error_is_not_echoed() -> None:
    """Should it ever come up, its input stays out."""
    problem = problem_of(RequestValidationError([{"loc": ["x"], "input": "leak"}]), "id")
    assert problem.status == 422
    assert "leak" not in problem.model_dump_json()


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    "error", [None, Unavailable("leak"), ValueError("leak"), BookboundError("leak")], ids=str
)
async def test_a_failed_request_is_one_log_line_without_its_words(
    api: Api, caplog: pytest.LogCaptureFixture, error: Exception | None
) -> None:
    """Route, status, kind of error and request id; neither question nor message of the error."""
    api.world.answers.error = error
    question = "leak\0" if error is None else "leak"
    with caplog.at_level(logging.WARNING):
        response = await api.chat(question=question)
    [record] = caplog.records
    line = record.getMessage()
    assert f"route=POST /v1/chat status={response.status_code}" in line
    assert response.headers["x-request-id"] in line
    assert "leak" not in line
    assert "\n" not in line
    assert record.exc_info is None


async def test_an_unforeseen_fault_is_logged_with_its_place(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    """Kind, file and line are enough to find it."""
    api.world.answers.error = ValueError("leak")
    with caplog.at_level(logging.ERROR):
        await api.chat(question="Why?")
    assert "outcome=ValueError at=fakes.py:" in caplog.text


async def test_the_log_of_an_unknown_address_does_not_hold_it(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    """A path can hold what a reader wrote."""
    with caplog.at_level(logging.WARNING):
        await api.client.get("/leak?leak=1")
    assert "route=GET (none) status=404" in caplog.text
    assert "leak" not in caplog.text


@pytest.mark.rule("G13")
async def test_the_log_tells_a_refusals_reason(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    """The outcome of a served question is in its line, at a level below warning."""
    api.world.answers.result = result_of(refused(RefusalReason.EMPTY_RETRIEVAL))
    with caplog.at_level(logging.INFO, logger="bookbound.api"):
        await api.chat(question="leak")
    [record] = [record for record in caplog.records if record.name == "bookbound.api"]
    assert record.levelno == logging.INFO
    assert "outcome=empty_retrieval" in record.getMessage()
    assert "leak" not in record.getMessage()
