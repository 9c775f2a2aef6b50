"""Two doors to the same API: a stage's, with gateway and authorizer, and that of the local server."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import boto3
from moto import mock_aws
from pytest import MonkeyPatch

from bookbound.access.credentials import Client
from bookbound.access.rate_limiter import RateLimiter
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.adapters.aws.secrets import Secrets
from bookbound.adapters.aws.table_counters import TableCounters
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from bookbound.adapters.files.access_file import AccessFile, FileClients, FileSecret
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.entry import Entry, rates
from bookbound.api.gateway import behind_gateway
from bookbound.local import guarding
from bookbound.settings import Settings
from functions.authorizer import wiring
from testing.fakes import FakeAnswers, FakeConsult, FakeFeedback, FakeIndex
from testing.runtime.authorization import Authorization
from testing.runtime.contract import Contract
from testing.runtime.events import Request
from testing.runtime.gateway import Gateway
from testing.tables import shared_table
from tests.access.invoking import Handler, InProcess
from tests.api.samples import ANSWER_ID, ANSWERED, result_of

BOOK = "ros2"
SITE = "https://book.example"
LOCAL = "http://127.0.0.1:8000"
QUESTION = json.dumps({"question": "What is a node?"}).encode()

Headers = Sequence[tuple[bytes, bytes]]

_AWS = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "nobody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
}
_STAGE = {"BOOKBOUND_STAGE": "dev", "BOOKBOUND_TABLE": "table", "BOOKBOUND_SIGNING_SECRET": "signing"}
_SETTINGS = Settings(origins=(SITE,))


@dataclass(frozen=True, slots=True)
class Attempt:
    """A question as it comes in: any bytes in its headers."""

    headers: Headers = ()
    path: str = "/v1/chat"
    query: str = ""
    body: bytes = QUESTION
    method: str = "POST"
    address: str = "203.0.113.7"


@dataclass(frozen=True, slots=True)
class Answer:
    """Response from a door."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> bytes:
        """The body without what is the request's own, its id."""
        problem = json.loads(self.body)
        del problem["instance"]
        return json.dumps(problem).encode()


class Registry(Protocol):
    """Fits the clients of a stage's table and of this machine's file."""

    def add(self, client: Client) -> None: ...

    def rotate(self, client: Client, key_hash: str, previous_until: int) -> None: ...

    def revoke(self, client_id: str) -> None: ...


@dataclass
class Behind:
    """API behind a door, which answers every request and remembers what it was asked."""

    answers: FakeAnswers = field(default_factory=lambda: FakeAnswers(result_of(ANSWERED)))
    feedback: FakeFeedback = field(default_factory=lambda: FakeFeedback({ANSWER_ID}))

    def app(self, entry: Entry) -> Any:
        deps = ApiDeps(
            self.answers, FakeIndex().ready, self.feedback, book=BOOK, entry=entry, consult=FakeConsult()
        )
        return create_app(deps, origins=_SETTINGS.origins)


class Door(Protocol):
    """A way in.

    Attributes:
        name: of the stage that its tokens are for.
        signing: the secret that they are signed with.
    """

    name: str
    registry: Registry
    signing: dict[str, str]
    behind: Behind

    def __call__(self, attempt: Attempt) -> Answer: ...

    def counted(self) -> dict[str, int]:
        """Every counter that there is."""

    def kept(self) -> bytes:
        """All that its table or its file holds."""


@dataclass
class StageDoor:
    """Gateway, authorizer and API of a stage, over a table and a secret of moto's."""

    gateway: Gateway
    registry: Registry
    behind: Behind
    signing: dict[str, str]
    name: str = _STAGE["BOOKBOUND_STAGE"]

    def __call__(self, attempt: Attempt) -> Answer:
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in attempt.headers]
        answered = self.gateway.answer(
            Request(
                attempt.method,
                attempt.path,
                [*headers, ("Content-Type", "application/json")],
                attempt.query,
                attempt.body,
                attempt.address,
            )
        )
        named = {name.lower(): value for name, value in answered.headers}
        return Answer(answered.status, named, answered.body)

    def counted(self) -> dict[str, int]:
        items = boto3.client("dynamodb").scan(TableName="table")["Items"]
        return {one["pk"]["S"]: int(one["reached"]["N"]) for one in items if "reached" in one}

    def kept(self) -> bytes:
        return json.dumps(boto3.client("dynamodb").scan(TableName="table")["Items"]).encode()


@dataclass
class LocalDoor:
    """The application of `bookbound serve --guarded`, over a file."""

    app: Any
    folder: Path
    file: AccessFile
    registry: Registry
    behind: Behind
    signing: dict[str, str]
    name: str = guarding.STAGE

    def __call__(self, attempt: Attempt) -> Answer:
        return asyncio.run(_called(self.app, attempt))

    def counted(self) -> dict[str, int]:
        with self.file.writing() as db:
            return dict(db.execute("SELECT name, reached FROM counters").fetchall())

    def kept(self) -> bytes:
        return b"".join(path.read_bytes() for path in self.folder.iterdir())


@contextmanager
def stage_door(contract: Contract) -> Iterator[StageDoor]:
    """A stage without clients, for as long as the block lasts."""
    with MonkeyPatch.context() as patch, mock_aws():
        for name, value in (_AWS | _STAGE).items():
            patch.setenv(name, value)
        dynamodb, secretsmanager = boto3.client("dynamodb"), boto3.client("secretsmanager")
        shared_table("table", dynamodb)
        signing = {"kid": "first", "key": "1" * 32, "previous_kid": "zeroth", "previous_key": "0" * 32}
        secretsmanager.create_secret(Name="signing", SecretString=json.dumps(signing))
        tokens = BrowserTokens(Secrets(secretsmanager, "signing", ("kid", "key")), StageDoor.name)
        limiter = RateLimiter(TableCounters(dynamodb, "table"), time.time)
        behind = Behind()
        app = behind.app(Entry(limiter, rates(_SETTINGS), tokens, _SETTINGS.origins, time.time))
        api = InProcess(lambda: behind_gateway(app))
        authorizer = InProcess(_authorizer)
        gateway = Gateway(contract, api, Authorization(authorizer, contract.kept_seconds))
        try:
            yield StageDoor(gateway, ClientRegistry(dynamodb, "table"), behind, signing)
        finally:
            api.close()
            authorizer.close()


def _authorizer() -> Handler:
    built = wiring.build(_STAGE)
    return lambda event, _: built.policy(event)


@contextmanager
def local_door(folder: Path) -> Iterator[LocalDoor]:
    """A guarded server without clients; its file is in the folder."""
    file, behind = AccessFile(folder / "access.db"), Behind()
    app = behind.app(guarding.entry(_SETTINGS, file, LOCAL))
    secret = FileSecret(file)
    secret.rotate()
    yield LocalDoor(app, folder, file, FileClients(file), behind, dict(secret.get()))


async def _called(app: Any, attempt: Attempt) -> Answer:
    """Return the application's answer to a scope of exact bytes that no HTTP server has checked."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": attempt.method,
        "scheme": "http",
        "path": attempt.path,
        "raw_path": attempt.path.encode(),
        "query_string": attempt.query.encode(),
        "root_path": "",
        "headers": [
            *((name.lower(), value) for name, value in attempt.headers),
            (b"content-type", b"application/json"),
        ],
        "client": (attempt.address, 50000),
        "server": ("127.0.0.1", 8000),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": attempt.body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], headers, body)
