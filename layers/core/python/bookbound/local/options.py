"""The arguments and options that commands share."""

from __future__ import annotations

from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from bookbound.errors import BookNotFound
from bookbound.evaluation.records import InputError
from bookbound.question import validation

if TYPE_CHECKING:
    from bookbound.settings import Settings


def settings(context: typer.Context, data: Path | None) -> Settings:
    """The environment's settings, with the data folder of the command, else the one given before it.

    Raises InputError, which names the variable.
    """
    from bookbound.settings import Settings

    chosen = data or context.obj
    try:
        return Settings(data=chosen) if chosen else Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise InputError(f"BOOKBOUND_{name.upper()}: {reason}" if name else reason) from error


def _in_existing_folder(path: Path | None) -> Path | None:
    # Checked first: an evaluation takes minutes and must not end in a failed write.
    if path is not None and not path.parent.is_dir():
        raise typer.BadParameter(f"folder '{path.parent}' does not exist.")
    return path


def _folder_or_archive(docs: Path) -> Path:
    if docs.is_file() and docs.suffix.lower() != ".zip":
        raise typer.BadParameter(f"'{docs}' is a file; give a docs folder, or a .zip of it.")
    return docs


def valid_book_id(book_id: str | None) -> str | None:
    """The id as it was given. Raises typer.BadParameter when no book can have it."""
    try:
        return book_id and validation.book_id(book_id)
    except BookNotFound as error:
        raise typer.BadParameter("1 to 64 letters, digits, dots, dashes or underscores.") from error


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bookbound {metadata.version('bookbound')}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", is_eager=True, callback=_version, help="Say which version this is.")
]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", file_okay=False, help="Where the index lives; default .bookbound."),
]
Docs = Annotated[
    Path,
    typer.Argument(
        metavar="DOCS",
        exists=True,
        callback=_folder_or_archive,
        help="A site's docs folder, or a .zip: of what is in it, of docs/ with static/ and bookbound.yaml"
        " beside it, or of the site's folder with these.",
    ),
]
Questions = Annotated[
    Path,
    typer.Argument(metavar="QUESTIONS.jsonl", exists=True, dir_okay=False, help="Labelled questions."),
]
Claims = Annotated[
    Path,
    typer.Argument(metavar="CLAIMS.jsonl", exists=True, dir_okay=False, help="Claims with their evidence."),
]
AskedBook = Annotated[
    str | None,
    typer.Option(
        "--book-id",
        metavar="ID",
        callback=valid_book_id,
        help="The book to ask, where several are ingested.",
    ),
]
BookId = Annotated[
    str | None,
    typer.Option(
        "--book-id",
        metavar="ID",
        callback=valid_book_id,
        help="The book's name in the API; by default that of the site's folder or the .zip.",
    ),
]
Policy = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="The book's policy; default bookbound.yaml beside the docs, if there is one.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
JsonOut = Annotated[
    Path | None,
    typer.Option(
        "--json", metavar="OUT", dir_okay=False, callback=_in_existing_folder, help="Write the results here."
    ),
]
AnswersOut = Annotated[
    Path | None,
    typer.Option(
        "--answers",
        metavar="OUT.jsonl",
        dir_okay=False,
        callback=_in_existing_folder,
        help="Write every response here, a line a question.",
    ),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="EARLIER",
        exists=True,
        dir_okay=False,
        help="What --json wrote of an earlier evaluation: print, and show in the report, what moved since.",
    ),
]
HtmlOut = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="OUT.html",
        dir_okay=False,
        callback=_in_existing_folder,
        help="Write the report here.",
    ),
]
SelectedText = Annotated[
    str | None,
    typer.Option("--selected-text", metavar="T", help="Answer from this passage of the book alone."),
]
Previous = Annotated[
    str | None,
    typer.Option("--previous", metavar="Q", help="The question before this one, which it may lean on."),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show what each gate saw, and what retrieval found.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what each page would give.")]
From = Annotated[
    datetime | None,
    typer.Option("--from", metavar="DATE", formats=["%Y-%m-%d"], help="First day, UTC; default the first."),
]
To = Annotated[
    datetime | None,
    typer.Option("--to", metavar="DATE", formats=["%Y-%m-%d"], help="Last day, UTC; default today."),
]
Host = Annotated[str, typer.Option("--host", metavar="H", help="Address to listen on.")]
Guarded = Annotated[
    bool,
    typer.Option(
        "--guarded",
        help="Let in only keys of `bookbound clients` and browsers' tokens, within their limits.",
    ),
]
Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
]
