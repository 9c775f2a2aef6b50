"""`bookbound clients`: the keys to a deployed stage, its clients' and the one that signs tokens (S1, S4)."""

from __future__ import annotations

import json
import secrets
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bookbound import access, validation
from bookbound.access import Client
from bookbound.errors import BookNotFound, Unavailable
from evaluation.records import InputError
from local import examples, options, output, tables

if TYPE_CHECKING:
    from bookbound.adapters.client_registry import ClientRegistry

SECRET_BYTES = 32

app = typer.Typer(
    help="Give, change and take away the keys to a deployed stage.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


def _valid_client_id(client_id: str) -> str:
    if not access.is_client_id(client_id):
        raise typer.BadParameter("1 to 32 lower-case letters, digits or dashes, no dash first.")
    return client_id


def _valid_books(book_ids: list[str]) -> list[str]:
    try:
        return [validation.book_id(one) for one in book_ids]
    except BookNotFound as error:
        raise typer.BadParameter("1 to 64 letters, digits, dots, dashes or underscores.") from error


ClientId = Annotated[
    str,
    typer.Argument(
        metavar="CLIENT", callback=_valid_client_id, help="The client's id, as audit records name it."
    ),
]
Stage = Annotated[str, typer.Option("--stage", metavar="S", help="A deployed stage: dev, staging or prod.")]
Books = Annotated[
    list[str],
    typer.Option(
        "--book", metavar="ID", callback=_valid_books, help="A book that it may ask; repeatable; default all."
    ),
]
Overlap = Annotated[
    float, typer.Option("--overlap", metavar="HOURS", min=0, help="How long the old key stays good.")
]


@app.command(epilog=examples.CLIENTS_ADD)
def add(client_id: ClientId, stage: Stage, books: Books = [], as_json: options.AsJson = False) -> None:  # noqa: B006
    """Let a client in. Its key is printed this once; the stage keeps a hash of it."""
    registry = _registry(stage)
    key = access.key_text(client_id, secrets.token_urlsafe(SECRET_BYTES))
    registry.add(Client(client_id, access.key_hash(key), books=tuple(sorted(set(books)))))
    _show_key(client_id, key, as_json=as_json)


@app.command(epilog=examples.CLIENTS_ROTATE)
def rotate(
    client_id: ClientId, stage: Stage, overlap: Overlap = 24.0, as_json: options.AsJson = False
) -> None:
    """Give a client a new key. The old one stays good for a while, one from before it ends at once."""
    registry = _registry(stage)
    client = registry.find(client_id)
    if client is None:
        raise InputError(f"there is no client {client_id}")
    key = access.key_text(client_id, secrets.token_urlsafe(SECRET_BYTES))
    registry.rotate(client, access.key_hash(key), int(time.time() + overlap * 3600))
    _show_key(client_id, key, as_json=as_json)


@app.command()
def revoke(client_id: ClientId, stage: Stage) -> None:
    """Shut a client out for good, within a minute. Its id is not given again."""
    _registry(stage).revoke(client_id)
    typer.echo(f"{client_id} is revoked")


@app.command("list")
def list_clients(stage: Stage, as_json: options.AsJson = False) -> None:
    """Show the clients, what they may ask and how long an old key stays good."""
    rows = [_row(client) for client in _registry(stage).all()]
    if as_json:
        output.json_value(rows)
        return
    cells = [
        [", ".join(value) if isinstance(value, list) else value for value in row.values()] for row in rows
    ]
    output.console().print(tables.table("", ["client", "state", "books", "old key until"], cells))


@app.command("rotate-signing")
def rotate_signing(stage: Stage) -> None:
    """Sign browser tokens with a new key.

    Tokens of the current key stay good until they are over, those of the key before it end: leave at least a
    quarter of an hour between two rotations, or rotate twice in a row to end every token.
    """
    import boto3

    from local.stage import explained, outputs

    secret_id = outputs(stage).signing_secret
    with explained(f"the secret {secret_id} cannot be changed"):
        client = boto3.client("secretsmanager")
        current = client.get_secret_value(SecretId=secret_id)["SecretString"]
        changed = _rotated(current, secret_id)
        client.put_secret_value(SecretId=secret_id, SecretString=json.dumps(changed))
    typer.echo(f"tokens are signed with key {changed['kid']} from now on")


def _rotated(current: str, secret_id: str) -> dict[str, str]:
    kid, key = secrets.token_hex(4), secrets.token_urlsafe(SECRET_BYTES)
    try:
        return access.rotated(json.loads(current), kid, key)
    except (ValueError, KeyError, TypeError) as error:
        raise Unavailable(f'the secret {secret_id} is not of the form {{"kid": "…", "key": "…"}}') from error


def _registry(stage: str) -> ClientRegistry:
    import boto3

    from bookbound.adapters.client_registry import ClientRegistry
    from local.stage import explained, outputs

    table = outputs(stage).table
    with explained(f"the table {table} cannot be reached"):
        return ClientRegistry(boto3.client("dynamodb"), table)


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
        "old_key_until": until if old_key else None,
    }
