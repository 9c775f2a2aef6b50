"""Requests made from the OpenAPI document, right and wrong: what comes back is what the document says."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings

from testing.fakes import FakeAnswers, FakeFeedback, FakeIndex
from tests import api_fuzz  # noqa: F401 - what the schema language cannot say
from tests.api.conftest import World
from tests.api.samples import ANSWER_ID, ANSWERED, result_of

WORLD = World(FakeAnswers(result_of(ANSWERED)), FakeIndex(), FakeFeedback({ANSWER_ID}))
SCHEMA = schemathesis.openapi.from_asgi("/v1/openapi.json", WORLD.app())


@SCHEMA.parametrize()
@settings(max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_response_is_as_documented(case: schemathesis.Case) -> None:
    """Status, headers and body; nothing wrong is accepted, nothing right rejected, nothing breaks."""
    case.call_and_validate()
