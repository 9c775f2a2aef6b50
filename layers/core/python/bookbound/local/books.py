"""`bookbound books`: which versions of a book there are, and back to an earlier one (I4)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from bookbound.errors import BookNotFound
from bookbound.index.version_history import version_of
from bookbound.local import examples, operating, options, output, tables

if TYPE_CHECKING:
    from bookbound.index.version_history import Kept
    from bookbound.settings import Settings

app = typer.Typer(
    help="Show the versions of a book, go back to an earlier one, build one anew.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Book = Annotated[
    str, typer.Argument(metavar="BOOK", callback=options.valid_book_id, help="The book's name in the API.")
]
Version = Annotated[
    str | None,
    typer.Argument(
        metavar="[VERSION]", help="As `books list` shows it; by default the one before the live one."
    ),
]


@app.command("list", epilog=examples.BOOKS_LIST)
def list_books(
    context: typer.Context,
    *,
    stage: operating.Stage = None,
    book_id: options.BookId = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Show each book's versions, newest first: of this machine, or of a stage."""
    from bookbound import wiring

    index = wiring.book_index(_settings(context, stage, data))
    books = [book_id] if book_id else index.books()
    if not books:
        raise BookNotFound("there is no book here; see `bookbound ingest --help`, `bookbound publish --help`")
    rows = [{"book_id": book, **_row(one)} for book in books for one in index.versions(book)]
    if as_json:
        output.json_value(rows)
        return
    headings = [name.replace("_id", "") for name in rows[0]]
    output.console().print(tables.table("", headings, (list(row.values()) for row in rows)))


@app.command(epilog=examples.BOOKS_ROLLBACK)
def rollback(
    context: typer.Context,
    book_id: Book,
    version: Version = None,
    *,
    stage: operating.Stage = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Make an earlier version of a book live again.

    Readers get it within seconds, once it was found to be whole. The docs that made the version that was
    live are then refused by `ingest` and `publish` until they change. The same command takes a step back.
    """
    from bookbound import wiring

    settings = _settings(context, stage, data)
    embedder = wiring.build_embedder(settings).model_id
    after = wiring.book_index(settings).rollback(book_id, version, embedder)
    live = version_of(after.kept[0])
    if as_json:
        withdrawn = [version_of(name) for name in after.withdrawn]
        output.json_value({"book_id": book_id, "version": live, "rolled_back": withdrawn})
        return
    typer.echo(f"{book_id} version {live} is live again")


@app.command(epilog=examples.BOOKS_REBUILD)
def rebuild(book_id: Book, stage: operating.OneStage, *, as_json: options.AsJson = False) -> None:
    """Rebuild a stage's live version of a book, from what the stage keeps of it.

    For another embedding model, or when Qdrant lost it. Readers keep the version that they have until the new
    one is whole. Ctrl-C leaves the run going.
    """
    from bookbound.local import following
    from bookbound.local.stage import outputs

    operating.follow(following.start(outputs(stage), book_id, rebuild=True), as_json=as_json)


@app.command(epilog=examples.BOOKS_FOLLOW)
def follow(
    book_id: Book,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The name of its execution in Step Functions.")],
    stage: operating.OneStage,
    *,
    as_json: options.AsJson = False,
) -> None:
    """Wait for a run that publishes a book, and print its report."""
    from bookbound.local.following import Run
    from bookbound.local.stage import outputs

    operating.follow(Run(outputs(stage), book_id, run), as_json=as_json)


@app.command(epilog=examples.BOOKS_PASSAGE)
def passage(
    book_id: Book,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="As the audit record has it.")],
    chunk_id: Annotated[UUID, typer.Argument(metavar="CHUNK_ID", help="Of the passage.")],
    stage: operating.OneStage,
    *,
    as_json: options.AsJson = False,
) -> None:
    """Show a passage that an audit record cites, whether or not the version is still kept."""
    import boto3

    from bookbound.adapters.aws.version_snapshot import VersionSnapshot
    from bookbound.local.stage import outputs

    bucket = outputs(stage).books_bucket
    found = VersionSnapshot(boto3.client("s3"), bucket, book_id, version).passage(chunk_id)
    if found is None:
        raise BookNotFound(f"{book_id} version {version} has no passage {chunk_id}")
    if as_json:
        output.json_value(asdict(found))
        return
    typer.echo(f"{found.document}, page {found.page}: {found.sections[0].title}\n{found.url}\n\n{found.text}")


def _settings(context: typer.Context, stage: str | None, data: Path | None) -> Settings:
    """A stage's, with the vendors' keys, or this machine's."""
    if stage is None:
        return options.settings(context, data)
    from bookbound.local.stage import outputs, settings_for, with_keys

    return with_keys(settings_for(outputs(stage)))


def _row(kept: Kept) -> dict[str, Any]:
    """A version, JSON-ready; what is only in an unreadable manifest is None."""
    manifest = kept.manifest
    row: dict[str, Any] = {
        "version": kept.version,
        "state": kept.state,
        "published": kept.published and kept.published.isoformat(timespec="seconds"),
    }
    if manifest is None:
        return row | dict.fromkeys(("pages", "passages", "windows", "embedder", "canaries"))
    passed = sum(canary.remedy is None for canary in manifest.canaries)
    return row | {
        "pages": len(manifest.documents),
        "passages": manifest.passages,
        "windows": manifest.windows,
        "embedder": manifest.embedder,
        "canaries": f"{passed}/{len(manifest.canaries)}" if manifest.canaries else None,
    }
