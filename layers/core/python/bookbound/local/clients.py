"""`bookbound clients`: who may ask a deployed stage, or this machine's guarded server (S1, S4)."""

from __future__ import annotations

import json
import secrets
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from pydantic import TypeAdapter, ValidationError

from bookbound.access import credentials
from bookbound.access.credentials import Client
from bookbound.adapters.files.access_file import AccessFile, FileClients, FileSecret, drawn
from bookbound.errors import BookNotFound, Unavailable
from bookbound.evaluation.records import InputError
from bookbound.local import examples, options, output, tables
from bookbound.question import validation
from bookbound.settings import Origin

SECRET_BYTES = 32

_ORIGINS = TypeAdapter(list[Origin])

app = typer.Typer(
    help="Give, change and take away the keys to a deployed stage, or to `bookbound serve --guarded`.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


def _valid_client_id(client_id: str) -> str:
    if not credentials.is_client_id(client_id):
        raise typer.BadParameter("1 to 32 lower-case letters, digits or dashes, no dash first.")
    return client_id


def _valid_books(book_ids: list[str]) -> list[str]:
    try:
        return [validation.book_id(one) for one in book_ids]
    except BookNotFound as error:
        raise typer.BadParameter("1 to 64 letters, digits, dots, dashes or underscores.") from error


def _valid_origins(origins: list[str]) -> list[str]:
    try:
        return _ORIGINS.validate_python(origins)
    except ValidationError as error:
        raise typer.BadParameter(error.errors()[0]["msg"].removeprefix("Value error, ")) from error


ClientId = Annotated[
    str,
    typer.Argument(
        metavar="CLIENT", callback=_valid_client_id, help="The client's id, as audit records name it."
    ),
]
Stage = Annotated[
    str | None,
    typer.Option("--stage", metavar="S", help="A deployed stage: dev, staging or prod; else this machine."),
]
Books = Annotated[
    list[str],
    typer.Option(
        "--book", metavar="ID", callback=_valid_books, help="A book that it may ask; repeatable; default all."
    ),
]
Overlap = Annotated[
    float, typer.Option("--overlap", metavar="HOURS", min=0, help="How long the old key stays good.")
]


Origins = Annotated[
    list[str],
    typer.Option(
        "--origin",
        metavar="URL",
        callback=_valid_origins,
        help="A site whose pages may use the key, and nothing else may; repeatable; default: a server's key.",
    ),
]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, help="Questions a minute, and as many verdicts.")
]


class Registry(Protocol):
    """Fits client_registry.ClientRegistry and access_file.FileClients."""

    def find(self, client_id: str) -> Client | None: ...

    def all(self) -> list[Client]: ...

    def add(self, client: Client) -> None: ...

    def rotate(self, client: Client, key_hash: str, previous_until: int) -> None: ...

    def revoke(self, client_id: str) -> None: ...


@app.command(epilog=examples.CLIENTS_ADD)
def add(
    context: typer.Context,
    client_id: ClientId,
    *,
    stage: Stage = None,
    books: Books = [],  # noqa: B006
    origins: Origins = [],  # noqa: B006
    limit: Limit = credentials.CALLS_A_MINUTE,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Let a client in. Its key is printed this once; only a hash of it is kept."""
    key = credentials.key_text(client_id, secrets.token_urlsafe(SECRET_BYTES))
    client = Client(
        client_id,
        credentials.key_hash(key),
        books=tuple(sorted(set(books))),
        limit=limit,
        origins=tuple(sorted(set(origins))),
    )
    _registry(context, stage, data).add(client)
    _show_key(client_id, key, as_json=as_json)


@app.command(epilog=examples.CLIENTS_ROTATE)
def rotate(
    context: typer.Context,
    client_id: ClientId,
    *,
    stage: Stage = None,
    overlap: Overlap = 24.0,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Give a client a new key. The old one stays good for a while, one from before it ends at once."""
    registry = _registry(context, stage, data)
    client = registry.find(client_id)
    if client is None:
        raise InputError(f"there is no client {client_id}")
    key = credentials.key_text(client_id, secrets.token_urlsafe(SECRET_BYTES))
    registry.rotate(client, credentials.key_hash(key), int(time.time() + overlap * 3600))
    _show_key(client_id, key, as_json=as_json)


@app.command()
def revoke(
    context: typer.Context, client_id: ClientId, *, stage: Stage = None, data: options.Data = None
) -> None:
    """Shut a client out for good, within one minute. Its id is not given again."""
    _registry(context, stage, data).revoke(client_id)
    typer.echo(f"{client_id} is revoked")


@app.command("list")
def list_clients(
    context: typer.Context,
    *,
    stage: Stage = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Show the clients, what they may ask and how long an old key stays good."""
    rows = [_row(client) for client in _registry(context, stage, data).all()]
    if as_json:
        output.json_value(rows)
        return
    cells = [
        [", ".join(value) if isinstance(value, list) else value for value in row.values()] for row in rows
    ]
    headings = ["client", "state", "books", "sites", "a minute", "old key until"]
    output.console().print(tables.table("", headings, cells))


@app.command("rotate-signing")
def rotate_signing(context: typer.Context, *, stage: Stage = None, data: options.Data = None) -> None:
    """Sign browser tokens with a new key.

    Tokens of the current key stay good until they are over, those of the key before it end: leave at least
    15 minutes between two rotations, or rotate twice in a row to end every token.
    """
    kid = _rotated_there(stage) if stage else FileSecret(_file(context, data)).rotate()["kid"]
    typer.echo(f"tokens are signed with key {kid} from now on")


def _rotated_there(stage: str) -> str:
    import boto3

    from bookbound.local.stage import explained, outputs

    secret_id = outputs(stage).signing_secret
    with explained(f"the secret {secret_id} cannot be changed"):
        client = boto3.client("secretsmanager")
        current = client.get_secret_value(SecretId=secret_id)["SecretString"]
        changed = _rotated(current, secret_id)
        client.put_secret_value(SecretId=secret_id, SecretString=json.dumps(changed))
    return changed["kid"]


def _rotated(current: str, secret_id: str) -> dict[str, str]:
    try:
        return credentials.rotated(json.loads(current), **drawn())
    except (ValueError, KeyError, TypeError) as error:
        raise Unavailable(f'the secret {secret_id} is not of the form {{"kid": "…", "key": "…"}}') from error


def _registry(context: typer.Context, stage: str | None, data: Path | None) -> Registry:
    if stage is None:
        return FileClients(_file(context, data))
    import boto3

    from bookbound.adapters.aws.client_registry import ClientRegistry
    from bookbound.local.stage import explained, outputs

    table = outputs(stage).table
    with explained(f"the table {table} cannot be reached"):
        return ClientRegistry(boto3.client("dynamodb"), table)


def _file(context: typer.Context, data: Path | None) -> AccessFile:
    from bookbound import wiring

    return wiring.access_file(options.settings(context, data))


def _show_key(client_id: str, key: str, *, as_json: bool) -> None:
    if as_json:
        output.json_value({"client_id": client_id, "key": key})
        return
    typer.echo("Keep this key; it is not shown again.", err=True)
    typer.echo(key)


def _row(client: Client) -> dict[str, Any]:
    old_key = client.previous_until > time.time() and not client.revoked
    until = datetime.fromtimestamp(client.previous_until, UTC).isoformat(timespec="seconds")
    return {
        "client_id": client.client_id,
        "state": "revoked" if client.revoked else "active",
        "books": list(client.books),
        "origins": list(client.origins),
        "limit": client.limit,
        "old_key_until": until if old_key else None,
    }
