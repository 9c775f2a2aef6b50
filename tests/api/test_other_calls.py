"""Feedback, health, readiness, the OpenAPI document and the demo page."""

import json
import re
from pathlib import Path

import pytest

from bookbound.api import openapi
from bookbound.api.schemas import ChatResponse
from tests.api.conftest import Api
from tests.api.samples import ANSWER_ID
from tests.api.test_bad_input import assert_problem


@pytest.mark.rule("E3")
async def test_feedback_is_accepted(api: Api) -> None:
    """202, and the verdict reaches its sink with the comment cleaned."""
    body = {"answer_id": str(ANSWER_ID), "verdict": "incorrect", "comment": "  Old release.\n"}
    response = await api.client.post("/v1/feedback", json=body)
    assert (response.status_code, response.json()) == (202, {"status": "accepted"})
    assert api.world.feedback.taken == [(ANSWER_ID, "incorrect", "Old release.")]


@pytest.mark.rule("E3")
async def test_feedback_on_an_answer_that_nobody_gave_is_404(api: Api) -> None:
    """Feedback joins an answer on record."""
    body = {"answer_id": "00000000-0000-4000-8000-000000000000", "verdict": "correct"}
    assert_problem(await api.client.post("/v1/feedback", json=body), 404, "answer")


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    ("change", "status", "word"),
    [
        ({"verdict": "maybe"}, 422, "verdict"),
        ({"answer_id": "7"}, 422, "answer_id"),
        ({"comment": "x" * 2001}, 422, "2000"),
        ({"comment": "a\0b"}, 400, "comment"),
        ({"stars": 5}, 422, "stars"),
    ],
)
async def test_bad_feedback_is_told_what_is_wrong(
    api: Api, change: dict[str, object], status: int, word: str
) -> None:
    """Same rules as for a question."""
    body = {"answer_id": str(ANSWER_ID), "verdict": "correct", **change}
    assert_problem(await api.client.post("/v1/feedback", json=body), status, word)
    assert api.world.feedback.taken == []


async def test_health_is_shallow(api: Api) -> None:
    """The service runs even where the index does not."""
    api.world.index.reachable = False
    assert (await api.client.get("/v1/health")).json() == {"status": "ok"}


async def test_ready_follows_the_index(api: Api) -> None:
    """200 when the index can be reached, else a 503 problem; no question is asked for it."""
    assert (await api.client.get("/v1/ready")).status_code == 200
    api.world.index.reachable = False
    response = await api.client.get("/v1/ready")
    assert_problem(response, 503)
    assert "retry-after" in response.headers
    assert api.world.answers.asked == []


async def test_the_served_openapi_document_is_the_committed_one(api: Api) -> None:
    """No drift: `python -m bookbound.api.openapi` was run after the last change."""
    committed = openapi.COMMITTED.read_text(encoding="utf-8")
    assert openapi.document() == committed
    assert (await api.client.get("/v1/openapi.json")).json() == json.loads(committed)


def test_the_check_tells_drift(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1 and one line when the file differs, 0 after it was written."""
    assert openapi.main(["--check"], tmp_path / "openapi.json") == 1
    assert "python -m bookbound.api.openapi" in capsys.readouterr().err
    assert openapi.main([], tmp_path / "openapi.json") == 0
    assert openapi.main(["--check"], tmp_path / "openapi.json") == 0


def test_every_operation_is_named_and_documents_its_problems() -> None:
    """Clients are generated from operation ids; every error is problem+json."""
    paths = json.loads(openapi.document())["paths"]
    operations = {(path, method): spec for path, item in paths.items() for method, spec in item.items()}
    assert {key: spec["operationId"] for key, spec in operations.items()} == {
        ("/v1/chat", "post"): "askDefaultBook",
        ("/v1/books/{book_id}/chat", "post"): "askBook",
        ("/v1/feedback", "post"): "giveFeedback",
        ("/v1/sessions", "post"): "openSession",
        ("/v1/health", "get"): "getHealth",
        ("/v1/ready", "get"): "getReady",
    }
    for spec in operations.values():
        errors = {status: response for status, response in spec["responses"].items() if status >= "400"}
        assert errors
        assert all(list(response["content"]) == ["application/problem+json"] for response in errors.values())


def test_the_examples_are_true_to_their_schemas() -> None:
    """An example that does not validate would teach the wrong thing."""
    document = json.loads(openapi.document())
    examples = document["components"]["schemas"]["ChatResponse"]["examples"]
    assert [ChatResponse.model_validate(example).was_refusal for example in examples] == [False, True]


async def test_the_page_loads_nothing_but_its_own_files(api: Api) -> None:
    """Every file that the page names is served under a policy that allows this origin alone."""
    page = await api.client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    files = re.findall(r'(?:src|href)="(page/[^"]+)"', page.text)
    assert len(files) >= 3
    for response in [page, *[await api.client.get(f"/{file}") for file in files]]:
        assert response.status_code == 200
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"


async def test_the_page_folder_serves_its_files_and_nothing_else(api: Api) -> None:
    """No name leads out of it."""
    for path in ("/page/nothing.js", "/page/%2e%2e%2fapp.py", "/page/"):
        assert_problem(await api.client.get(path), 404)


def test_the_pages_own_script_writes_text_only() -> None:
    """A pasted passage is data: the script parses no HTML. The panel's sources are tested where they lie."""
    source = (openapi.COMMITTED.parent / "page" / "demo.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", source)


async def test_any_site_may_load_the_panel(api: Api) -> None:
    """A module and the words of a language are read across origins; the API's answers are not."""
    for file in ("bookbound.js", "panel.js", "reply.js", "de.json"):
        response = await api.client.get(f"/page/{file}")
        assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in (await api.client.get("/v1/health")).headers
