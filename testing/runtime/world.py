"""All of a stage on loopback: functions in Lambda's runtime, gateway, AWS account, vendors and a book."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bookbound.access import credentials
from bookbound.access.credentials import Client
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.local.serving import listen
from bookbound.local.serving import url as address
from bookbound.settings import Settings
from infra.stages import DEV
from layers.deps.build import Built, build
from layers.deps.tools import ROOT, BuildError
from testing.hosting import hosted
from testing.runtime import account
from testing.runtime.account import Account
from testing.runtime.authorization import Authorization
from testing.runtime.contract import Contract, read
from testing.runtime.emulator import LOOPBACK, Emulator, Function
from testing.runtime.gateway import Gateway
from testing.runtime.serving import serving
from testing.runtime.slots import Slots
from testing.runtime.tools import ARCHITECTURE, Tools, fetch
from testing.vendors.claude import Claude
from testing.vendors.cohere import Cohere, Embed
from testing.vendors.qdrant import Qdrant

STAGE = "local"
BOOK = "sample-book"
DOCS = ROOT / "sample_book" / "docs"
FOLDER = ROOT / "build" / "runtime"
"""Tools, logs and the cache of embedded texts."""

CLIENT = "local"
CALLS_A_MINUTE = 100_000
"""Limit of that client: a measurement must not wait."""

LIMITS = (
    "questions_per_session",
    "questions_per_address",
    "tokens_per_address",
    "daily_tokens",
    "when_spent",
)
"""Settings that are a stage's own; here they are those of the stage for trying things out."""

MODELS = ("cohere_passages_model", "cohere_questions_model", "cohere_dimensions")
"""Settings that a stage always makes; here they are what they are without it."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Vendors:
    """The vendors that the functions call, to be told how to behave."""

    claude: Claude
    cohere: Cohere
    qdrant: Qdrant

    @property
    def secret(self) -> dict[str, str]:
        """Content of the stage's secret for the vendors."""
        return {
            "claude_api_key": self.claude.api_key,
            "cohere_api_key": self.cohere.api_key,
            "qdrant_url": self.qdrant.url,
            "qdrant_api_key": self.qdrant.api_key,
        }

    @property
    def addresses(self) -> dict[str, str]:
        """The variables that name other endpoints than the vendors' own."""
        return {"BOOKBOUND_CLAUDE_URL": self.claude.url, "BOOKBOUND_COHERE_URL": self.cohere.url}


@dataclass(frozen=True, slots=True)
class World:
    """A stage that answers.

    Attributes:
        url: of the gateway's stage, without a slash at its end.
        key: of the client `CLIENT`.
        logs: the folder of what the functions and the account print.
    """

    url: str
    key: str
    vendors: Vendors
    account: Account
    contract: Contract
    api: Slots
    authorizer: Slots
    tools: Tools
    logs: Path

    def output(self) -> str:
        """All that the API's slots have printed."""
        return "".join(one.log.read_text() for one in self.api.emulators)

    def emulator(self, function: Function) -> Emulator:
        """A slot more, for a function that is made otherwise."""
        return Emulator(function, self.tools, self.logs / f"{function.name}.log")


@dataclass(frozen=True, slots=True)
class _Made:
    """Parts that functions are run from."""

    built: Built
    contract: Contract
    tools: Tools

    def slots(self, name: str, number: int, variables: Mapping[str, str], logs: Path) -> Slots:
        """Environments of the function in that folder, as the stack deploys it."""
        handler = f"functions.{name}.handler.handler"
        function = Function(
            name=name,
            handler=handler,
            code=self.built.functions[name].path,
            layers=tuple(layer.path / "python" for layer in (self.built.core, self.built.deps)),
            environment=variables,
            timeout=self.contract.functions[handler].timeout,
        )
        return Slots(function, number, self.tools, logs)


@contextmanager
def world(
    *, progress: Progress, embed: Embed, slots: int = 2, port: int = 0, logs: Path = FOLDER / "logs"
) -> Iterator[World]:
    """The stage, for as long as the block lasts.

    Raises BuildError for what this machine lacks, Unavailable for a port that is taken.
    """
    with ExitStack() as stack:
        listening = stack.enter_context(listen(LOOPBACK, port))
        origin = address(listening)
        progress("building the functions and their layers")
        made = _Made(build(ARCHITECTURE, progress=progress), read(FOLDER), fetch(FOLDER / "tools"))
        logs.mkdir(parents=True, exist_ok=True)
        progress("starting the account and the vendors")
        vendors = Vendors(Claude(), Cohere(embed), Qdrant())
        for vendor in (vendors.claude, vendors.cohere, vendors.qdrant):
            stack.enter_context(hosted(vendor))
        aws = stack.enter_context(account.opened(logs / "account.log"))
        aws.furnish(vendors.secret)
        variables = _api_variables(aws, vendors, [origin])
        progress(f"publishing {DOCS.relative_to(ROOT)}")
        publish(DOCS, BOOK, FOLDER / "data", variables)
        progress("starting the functions")
        api = stack.enter_context(made.slots("api", slots, variables, logs))
        authorizer = stack.enter_context(made.slots("authorizer", 1, _authorizer_variables(aws), logs))
        gateway = Gateway(made.contract, api, Authorization(authorizer, made.contract.kept_seconds))
        url = stack.enter_context(serving(gateway, listening, origin))
        yield World(url, _admitted(aws), vendors, aws, made.contract, api, authorizer, made.tools, logs)


def _api_variables(aws: Account, vendors: Vendors, origins: list[str]) -> dict[str, str]:
    """The API's environment as the stack sets it, and the addresses of what is on loopback."""
    return {
        "BOOKBOUND_STAGE": STAGE,
        "BOOKBOUND_BOOK": BOOK,
        "BOOKBOUND_GENERATOR": "claude",
        "BOOKBOUND_EMBEDDER": "cohere",
        **{f"BOOKBOUND_{name.upper()}": str(Settings.model_fields[name].default) for name in MODELS},
        "BOOKBOUND_ORIGINS": json.dumps(origins),
        "BOOKBOUND_BOOKS_BUCKET": account.BOOKS,
        "BOOKBOUND_VENDORS_SECRET": account.VENDORS_SECRET,
        "BOOKBOUND_SIGNING_SECRET": account.SIGNING_SECRET,
        "BOOKBOUND_TABLE": account.TABLE,
        **{f"BOOKBOUND_{name.upper()}": str(getattr(DEV, name)) for name in LIMITS},
        "BOOKBOUND_AUDIT_STREAM_PERSONAL": account.PERSONAL_STREAM,
        "BOOKBOUND_AUDIT_STREAM_OTHER": account.OTHER_STREAM,
        "BOOKBOUND_AUDIT_QUEUE_URL": aws.queue_url,
        "BOOKBOUND_AUDIT_BUCKET": account.AUDIT,
        **_powertools("api"),
        **vendors.addresses,
        **aws.environment,
    }


def _authorizer_variables(aws: Account) -> dict[str, str]:
    return {
        "BOOKBOUND_STAGE": STAGE,
        "BOOKBOUND_TABLE": account.TABLE,
        "BOOKBOUND_SIGNING_SECRET": account.SIGNING_SECRET,
        **_powertools("authorizer"),
        **aws.environment,
    }


def _powertools(name: str) -> dict[str, str]:
    return {
        "POWERTOOLS_SERVICE_NAME": f"bookbound-{name}",
        "POWERTOOLS_METRICS_NAMESPACE": "Bookbound",
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }


def publish(docs: Path, book_id: str, data: Path, variables: Mapping[str, str]) -> None:
    """Bring a book to the stage of these variables, as an author does it. Raises BuildError.

    `data` keeps what was embedded, for the next time.
    """
    foreign = ("AWS_", "BOOKBOUND_")
    neutral = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    done = subprocess.run(
        [sys.executable, "-m", "testing.runtime.publishing", data, docs, book_id],
        cwd=ROOT,
        env=neutral | dict(variables),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildError(f"the book cannot be published: {done.stderr.strip().splitlines()[-1]}")


def _admitted(aws: Account) -> str:
    """The key of a client that is new."""
    key = credentials.key_text(CLIENT, secrets.token_urlsafe(32))
    registry = ClientRegistry(aws.client("dynamodb"), account.TABLE)
    registry.add(Client(CLIENT, credentials.key_hash(key), limit=CALLS_A_MINUTE))
    return key
