"""Checks that ask a service as a reader does: each success is reported, each fault on its own line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Thread

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bookbound import wiring
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.errors import Unavailable
from bookbound.evaluation.records import InputError
from bookbound.index.canaries import Canary
from bookbound.index.manifest import MANIFEST_JSON
from bookbound.local.cli import run
from bookbound.local.serving import listen, url
from bookbound.local.smoke import OUT_OF_BOOK, Visitor, origin_of, question_of, smoke
from bookbound.model import Outcome, RefusalReason
from bookbound.policy.book_policy import DEFAULT
from bookbound.settings import Settings
from bookbound.text.glossary import Glossary
from testing.fakes import FakeFeedback, FakeIndex
from tests.adapters.versions import manifest, publish, windows
from tests.api.samples import ANSWERED, refused, result_of
from tests.local.deployed import OUTPUTS, world

IN_BOOK = "What is a node?"
PLAIN = manifest("v1", windows("A node does one job."))
ASKED = Canary(IN_BOOK, "answer", answered=True, reason=None, gate=None, sufficiency=0.9, remedy=None)
REFUSED = refused(RefusalReason.EMPTY_RETRIEVAL)


@dataclass
class Book:
    """Says what it was told to, in the book and out of it."""

    inside: Outcome | Exception = ANSWERED
    outside: Outcome | Exception = REFUSED

    async def __call__(self, question, book_id, deadline):
        said = self.outside if question.text == OUT_OF_BOOK else self.inside
        if isinstance(said, Exception):
            raise said
        return replace(result_of(said), question=question)


@dataclass
class Guarded:
    """An API behind an authorizer: chat takes `key`, or the token that a page of `origin` gets."""

    api: ASGIApp
    key: str = "bb_key"
    origin: str = "https://book.example"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        reply = self._own(request.url.path, request.headers)
        await (reply or self.api)(scope, receive, send)

    def _own(self, path, headers) -> Response | None:
        from_page = headers.get("origin") == self.origin
        if path == "/v1/sessions" and headers.get("content-type") != "application/json":
            return JSONResponse({}, 415)
        if path == "/v1/sessions":
            return JSONResponse({"token": "page"}) if from_page else JSONResponse({}, 403)
        given = headers.get("authorization")
        allowed = given == f"Bearer {self.key}" or (given == "Bearer page" and from_page)
        return None if allowed or path != "/v1/chat" else JSONResponse({"detail": "no key"}, 401)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Its URL, for as long as the block lasts."""
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="critical"))
    listening = listen("127.0.0.1", 0)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield url(listening)
    finally:
        server.should_exit = True
        thread.join()


def api(book: Book, *, ready: bool = True) -> ASGIApp:
    return create_app(ApiDeps(book, FakeIndex(ready).ready, FakeFeedback()))


def checks(app: ASGIApp, *, key=None, origin="https://book.example"):
    with served(app) as where:
        return {one.name: one for one in smoke(f"{where}/", Visitor(origin, key), IN_BOOK)}


def wrong(found) -> list[str]:
    return [name for name, one in found.items() if not one.ok]


def test_a_service_that_answers_and_refuses_passes():
    """No key is passed where none is needed, as on a local machine."""
    found = checks(api(Book()))
    assert (list(found), wrong(found)) == (["health", "ready", "in the book", "out of the book"], [])
    assert found["in the book"].found.startswith(f"{IN_BOOK} → 2 sentences, 1 sources in ")
    assert "refused (empty_retrieval)" in found["out of the book"].found


@pytest.mark.rule("S1")
@pytest.mark.parametrize("key", ["bb_key", None])
def test_a_guarded_service_is_asked_by_key_or_as_a_page_of_its_origin(key):
    """Then it is also asked without either, which it must not answer."""
    found = checks(Guarded(api(Book())), key=key)
    assert (list(found)[-1], wrong(found)) == ("without a key", [])


def test_a_key_that_is_not_needed_shows_an_open_service():
    """A user who passes a key believes that others are kept out."""
    found = checks(api(Book()), key="bb_key")
    assert wrong(found) == ["without a key"]
    assert "anybody can ask" in found["without a key"].remedy


def test_another_origin_and_another_key_are_told_to_bring_a_key():
    """Both questions fail alike, with what the service said."""
    for found in (
        checks(Guarded(api(Book())), origin="https://else.example"),
        checks(Guarded(api(Book())), key="no"),
    ):
        assert wrong(found) == ["in the book", "out of the book"]
        assert found["in the book"].found == "401: no key"
        assert "--key" in found["in the book"].remedy


@pytest.mark.parametrize(
    ("book", "name", "said"),
    [
        (Book(inside=REFUSED), "in the book", "refused (empty_retrieval), though the book should"),
        (Book(outside=ANSWERED), "out of the book", "answered, though no book can know"),
        (Book(inside=replace(ANSWERED, sources=())), "in the book", "without sentences or sources"),
        (Book(inside=Unavailable("the store failed")), "in the book", "503: "),
    ],
    ids=["refuses all", "answers all", "no source", "store down"],
)
def test_a_fault_is_named_at_its_question(book, name, said):
    """The other question's line stays well."""
    found = checks(api(book))
    assert wrong(found) == [name]
    assert said in found[name].found


@pytest.mark.rule("C2")
def test_a_sentence_that_cites_nothing_known_is_a_fault():
    """An answer whose second sentence lost its citation."""
    first, second = ANSWERED.sentences
    found = checks(api(Book(inside=replace(ANSWERED, sentences=(first, replace(second, citations=()))))))
    assert wrong(found) == ["in the book"]
    assert "It is a process." in found["in the book"].found


def test_a_service_that_is_not_ready_says_where_to_look():
    """Its own questions may work all the same."""
    found = checks(api(Book(), ready=False))
    assert wrong(found) == ["ready"]
    assert "doctor" in found["ready"].remedy


def test_another_server_is_told_from_bookbound():
    """It says hello to any request."""
    found = checks(JSONResponse({"hello": "world"}))
    assert wrong(found) == ["token"]


def test_an_address_at_which_nobody_listens_ends_it_at_once():
    """One line instead of six."""
    with served(api(Book())) as where:
        gone = where
    [only] = smoke(gone, Visitor("https://book.example"), IN_BOOK)
    assert (only.name, only.ok) == ("reachable", False)


@pytest.mark.parametrize("text", ["book.example", "ftp://book.example", "http://", "/v1"])
def test_what_is_no_url_is_bad_input(text):
    """A scheme and a host are needed."""
    with pytest.raises(InputError, match="is no http or https URL"):
        origin_of(text)


def test_the_question_is_a_canary_that_was_answered():
    """One that the gates refused would only fail again."""
    unlike = [
        replace(ASKED, question="Refused?", answered=False),
        replace(ASKED, question="Answered?", wish="refuse"),
    ]
    assert question_of(replace(PLAIN, canaries=(*unlike, ASKED))) == IN_BOOK


def test_without_canaries_a_term_of_the_glossary_is_asked_for():
    """The author's own term first, then what the book defines; with neither a question must be named."""
    own = replace(PLAIN, policy=replace(DEFAULT, glossary={"URDF": "robot description"}))
    assert question_of(own) == "What is URDF?"
    gathered = replace(PLAIN, glossary=Glossary(equivalents={"dds": ("data distribution service",)}))
    assert question_of(gathered) == "What is dds?"
    with pytest.raises(InputError, match="--question"):
        question_of(PLAIN)


def test_on_the_command_line_the_stage_names_url_origin_and_question(monkeypatch, tmp_path, capsys):
    """Only the stage has to be named; a failed check ends in exit code 1."""
    with world(monkeypatch) as stage, served(Guarded(api(Book()))) as where:
        monkeypatch.setitem(OUTPUTS["api"], "Url", where)
        stage.deploy()
        stage.publish(tmp_path)
        stage.change("manifest.json", MANIFEST_JSON.dump_json(replace(PLAIN, canaries=(ASKED,))))
        assert run(["smoke", "--stage", "dev", "--json"]) == 0
        checks = json.loads(capsys.readouterr().out)["checks"]
        assert f"{IN_BOOK} → 2 sentences" in checks[2]["found"]
        assert run(["smoke", "--stage", "dev", "--key", "no"]) == 1
        assert "WRONG  in the book" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give the service's URL, or --stage STAGE"),
        (["book.example"], "'book.example' is no http or https URL"),
        (["http://127.0.0.1:1"], "give one by --question"),
    ],
)
def test_what_is_missing_on_the_command_line_is_one_line(arguments, said, tmp_path, monkeypatch, capsys):
    """Exit code 2, before anything is asked."""
    monkeypatch.chdir(tmp_path)
    assert run(["smoke", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_on_this_machine_the_question_is_its_own_book_s(tmp_path, monkeypatch, capsys):
    """A canary of the book that was ingested here."""
    monkeypatch.chdir(tmp_path)
    publish(wiring.index_folder(Settings()), "v1", "A node does one job.", glossary=Glossary({"dds": ("x",)}))
    with served(api(Book())) as where:
        assert run(["smoke", where]) == 0
    assert "What is dds?" in capsys.readouterr().out
