"""The commands that look after a running service: publish a book to a stage, check it, ask it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from bookbound.local import examples, options, output
from bookbound.local.progress import steps

if TYPE_CHECKING:
    from bookbound.local.checks import Check
    from bookbound.local.following import Run
    from bookbound.local.stage import StageOutputs
    from bookbound.settings import Settings

app = typer.Typer(rich_markup_mode=None)

_STAGE = typer.Option("--stage", metavar="STAGE", help="A deployed stage: dev, staging or prod.")
Stage = Annotated[str | None, _STAGE]
OneStage = Annotated[str, _STAGE]
StagesBook = Annotated[
    str | None,
    typer.Option(
        "--book-id",
        metavar="ID",
        callback=options.valid_book_id,
        help="The book's name in the API; by default the stage's own book.",
    ),
]


@app.command(epilog=examples.PUBLISH)
def publish(
    docs: options.Docs,
    stage: OneStage,
    *,
    book_id: StagesBook = None,
    policy: options.Policy = None,
    as_json: options.AsJson = False,
) -> None:
    """Send a docs folder, or a .zip of it, to a stage, and wait until it is live there.

    Needs your AWS credentials. The stage does the work; readers keep the version that they have until the new
    one is whole. Ctrl-C leaves the run going.
    """
    from bookbound.local import following
    from bookbound.local.packing import packed
    from bookbound.local.snapshots import snapshot
    from bookbound.local.stage import outputs

    found = outputs(stage)
    book = book_id or found.book
    with packed(docs, policy) as archive:
        key = following.upload(found, book, archive)
    follow(following.start(found, book, key=key), as_json=as_json)
    if book == found.book and (made := snapshot(found)):
        typer.echo(f"snapshot: {made.found}{f' → {made.remedy}' if made.remedy else ''}", err=True)


def follow(run: Run, *, as_json: bool) -> None:
    """Wait for a run of the ingest job, and print its report; ends the command when the run failed."""
    from bookbound.local import following

    with steps(Console(stderr=True)) as advance:
        report = following.follow(run, advance)
    output.run_report(report, as_json=as_json)


@app.command(epilog=examples.DOCTOR)
def doctor(
    context: typer.Context,
    stage: Stage = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Check keys, models and the live index before readers do.

    Of a stage, or of this machine's settings. Says what each vendor allows in questions per minute. Costs
    three embeddings and two calls of the model. A stage that starts from a snapshot without its book or its
    keys of now is given another one.
    """
    from bookbound.local import doctor as checking

    settings, found = _wired(context, stage, data)
    _show(checking.doctor(settings, found), as_json=as_json)


@app.command(epilog=examples.SMOKE)
def smoke(
    context: typer.Context,
    url: Annotated[
        str | None, typer.Argument(metavar="[URL]", help="Of the service; by default the stage's.")
    ] = None,
    *,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", envvar="BOOKBOUND_KEY", help="A client's key."),
    ] = None,
    stage: Stage = None,
    question: Annotated[
        str | None,
        typer.Option("--question", metavar="Q", help="One that the book answers; by default a canary."),
    ] = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Ask a running service one question that its book answers, and one that no book can.

    Without a key it asks as a browser on the stage's first origin, or on the service's own page.
    """
    from bookbound.local import smoke as asking
    from bookbound.local.live_index import live_index

    settings, found = _wired(context, stage, data)
    where = url or (found.url if found else None)
    if where is None:
        raise typer.BadParameter("give the service's URL, or --stage STAGE")
    origin = settings.origins[0] if settings.origins else asking.origin_of(where)
    if question is None:
        live = live_index(settings)
        if live is None:
            raise typer.BadParameter("there is no book here to take a question from; give one by --question")
        question = asking.question_of(live.manifest())
    _show(asking.smoke(where, asking.Visitor(origin, key), question), as_json=as_json)


def _wired(
    context: typer.Context, stage: str | None, data: Path | None
) -> tuple[Settings, StageOutputs | None]:
    """A stage's settings and outputs, or this machine's settings."""
    if stage is None:
        return options.settings(context, data), None
    from bookbound.local.stage import outputs, settings_for

    found = outputs(stage)
    return settings_for(found), found


def _show(found: Iterable[Check], *, as_json: bool) -> None:
    from bookbound.local.checks import show

    if not show(found, as_json=as_json):
        raise typer.Exit(1)
