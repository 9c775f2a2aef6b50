"""Responses of the chat calls."""

from uuid import UUID

import pytest

from bookbound.errors import BookNotFound
from bookbound.model import RefusalReason
from tests.api.conftest import Api
from tests.api.samples import ANSWER_ID, SESSION_ID, refused, result_of


async def test_an_answer_has_the_shape_of_the_contract(api: Api) -> None:
    """Every field of the contract is there, ids are UUID strings, and nothing else is."""
    body = (await api.chat(question="What is a node?", session_id=str(SESSION_ID))).json()
    assert UUID(body.pop("query_id"))
    image = {"url": "/img/nodes.svg", "alt": "Three nodes and a topic"}
    assert body == {
        "answer_id": str(ANSWER_ID),
        "session_id": str(SESSION_ID),
        "book": {"id": "robotics", "version": "v1"},
        "answer": (
            "A node does one job. "
            '[Source: What Is a Node? (Page 4) - "A node is a process that does one job."] '
            "It is a process. "
            '[Source: What Is a Node? (Page 4) - "A node is a process that does one job."]'
        ),
        "was_refusal": False,
        "refusal_reason": None,
        "sentences": [
            {"text": "A node does one job.", "source_ids": ["S1"], "images": [image]},
            {"text": "It is a process.", "source_ids": ["S1"], "images": []},
        ],
        "sources": [
            {
                "id": "S1",
                "chunk_id": "c1d2e3f4-0a1b-5c2d-8e3f-4a5b6c7d8e13",
                "score": 0.91,
                "similarity": 0.93,
                "document": "ros2/nodes.md",
                "section": "What Is a Node?",
                "page": 4,
                "url": "/docs/ros2/nodes#what-is-a-node",
                "excerpt": "A node is a process that does one job.",
                "images": [image],
            }
        ],
        "confidence_score": 0.91,
        "confidence_level": "high",
        "low_confidence": False,
        "notice": "Only one passage supports this.",
        "unavailable": ["the price of a node"],
        "attribution_coverage": 1.0,
        "latency_ms": {"total": 412.0, "retrieval": 96.0, "generation": 281.0, "verification": 22.0},
        "read_as": None,
        "blocks": [
            {
                "kind": "paragraph",
                "ordered": False,
                "start": None,
                "header": [],
                "items": [
                    {"text": "A node does one job.", "cells": [], "source_ids": ["S1"], "images": [image]},
                    {"text": "It is a process.", "cells": [], "source_ids": ["S1"], "images": []},
                ],
                "source_ids": ["S1"],
            }
        ],
        "related": [],
    }


@pytest.mark.rule("G10")
@pytest.mark.rule("G13")
@pytest.mark.parametrize("reason", list(RefusalReason))
async def test_a_refusal_is_200_with_its_reason_and_no_source(api: Api, reason: RefusalReason) -> None:
    """A refusal is an outcome: same status, same shape, the message in `answer`, nothing to cite."""
    api.world.answers.result = result_of(refused(reason))
    response = await api.chat(question="What is a node?")
    body = response.json()
    assert response.status_code == 200
    assert (body["was_refusal"], body["refusal_reason"]) == (True, reason.value)
    assert (body["answer"], body["notice"]) == ("The book does not say.", "A notice.")
    assert (body["sources"], body["sentences"], body["unavailable"]) == ([], [], [])
    assert (body["confidence_score"], body["confidence_level"], body["low_confidence"]) == (None, None, False)
    assert body["attribution_coverage"] == 0.5


async def test_answers_and_refusals_have_the_same_fields(api: Api) -> None:
    """A client needs one shape only."""
    answered = (await api.chat(question="What is a node?")).json()
    api.world.answers.result = result_of(refused(RefusalReason.OUT_OF_SCOPE))
    assert (await api.chat(question="What is a node?")).json().keys() == answered.keys()


@pytest.mark.rule("S3")
async def test_the_path_names_the_book(api: Api) -> None:
    """The default book is no book id; a named one reaches the core unchanged."""
    await api.chat(question="Why?")
    await api.client.post("/v1/books/robotics-2/chat", json={"question": "Why?"})
    assert [book_id for _, book_id, _ in api.world.answers.asked] == [None, "robotics-2"]


@pytest.mark.rule("S3")
async def test_an_unknown_book_is_not_found(api: Api) -> None:
    """The core knows which books there are."""
    api.world.answers.error = BookNotFound("nope")
    response = await api.client.post("/v1/books/nope/chat", json={"question": "Why?"})
    assert (response.status_code, response.json()["detail"]) == (
        404,
        "There is no such book, or it has not been ingested yet.",
    )


@pytest.mark.parametrize("book_id", ["..%5C..", "%2E%2E", "a%00b", "x" * 65, "-x"])
async def test_an_id_that_can_name_no_book_never_reaches_the_core(api: Api, book_id: str) -> None:
    """A book id is a plain name, so that no adapter ever sees a path in it."""
    response = await api.client.post(f"/v1/books/{book_id}/chat", json={"question": "Why?"})
    assert response.status_code == 404
    assert api.world.answers.asked == []


@pytest.mark.rule("V1")
async def test_a_missing_session_is_minted_and_a_given_one_kept(api: Api) -> None:
    """Every response names a session."""
    minted = (await api.chat(question="Why?")).json()["session_id"]
    kept = (await api.chat(question="Why?", session_id=str(SESSION_ID))).json()["session_id"]
    assert UUID(minted).version == 4
    assert kept == str(SESSION_ID)


async def test_off_the_gateway_the_client_is_anonymous(api: Api) -> None:
    """Without an authoriser the name of a client is unverified."""
    await api.chat(question="Why?")
    assert api.world.answers.question.client_id == "anonymous"
