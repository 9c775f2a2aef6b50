"""`bookbound audit query` and `bookbound audit report`: over this machine's audit trail, or a stage's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer
from rich.console import Console

from bookbound.audit.sql_tables import RECORD_COPIES
from bookbound.errors import BookboundError
from bookbound.local import examples, options, output, tables
from bookbound.local.operating import Stage
from bookbound.local.progress import Advance, steps
from bookbound.model import RefusalReason

if TYPE_CHECKING:
    from bookbound.authoring.gaps import Group
    from bookbound.local.auditing.nearest import Section
    from bookbound.local.auditing.trail import Trail
    from bookbound.settings import Settings

app = typer.Typer(rich_markup_mode=None)

SHOWN = 100
"""Records in a table; JSON has them all."""

_COLUMNS = ["when", "question", "ended as", "confidence", "similarity", "verdict", "session"]

Since = Annotated[
    datetime | None, typer.Option("--since", metavar="DATE", formats=["%Y-%m-%d"], help="First day, UTC.")
]
Session = Annotated[UUID | None, typer.Option("--session", metavar="UUID", help="Of this session.")]
Client = Annotated[str | None, typer.Option("--client", metavar="ID", help="Of this client.")]
Reason = Annotated[RefusalReason | None, typer.Option("--reason", help="Refused for this reason.")]
Verdict = Annotated[
    str | None,
    typer.Option(
        "--feedback",
        metavar="correct|incorrect",
        help="With this last verdict; incorrect ones with what an author can do about each.",
    ),
]
Sql = Annotated[
    str | None,
    typer.Option(
        "--sql", metavar="SQL", help="Any SELECT over records, feedback and verdicts, in DuckDB's SQL."
    ),
]


@app.command(epilog=examples.AUDIT_QUERY)
def query(
    context: typer.Context,
    *,
    session: Session = None,
    client: Client = None,
    reason: Reason = None,
    since: Since = None,
    feedback: Verdict = None,
    sql: Sql = None,
    stage: Stage = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Find records: the newest first, each question once, joined with what its reader said of the answer.

    Several conditions narrow each other down. With a stage, its records of the period are copied to this
    machine first, below the data folder; a later run copies only what is new, and drops what is gone there.
    """
    from bookbound.local.auditing.query import Filter, select

    if feedback not in (None, "correct", "incorrect"):
        raise typer.BadParameter("write correct or incorrect.", param_hint="--feedback")
    if sql and (session or client or reason or feedback):
        raise typer.BadParameter("takes no other condition beside it but --since.", param_hint="--sql")
    wanted = Filter(
        session=str(session) if session else None,
        client=client,
        reason=reason.value if reason else None,
        feedback=feedback,
    )
    with _trail(options.settings(context, data), stage, since.date() if since else None, None) as trail:
        found = trail.rows(sql) if sql else select(trail, wanted)
        _warn_of(trail.unreadable(RECORD_COPIES) if sql else trail.unreadable())
    if sql:
        _show_rows(found, as_json=as_json)
    elif feedback == "incorrect":
        _show_review(found, as_json=as_json)
    else:
        _show_records(found, as_json=as_json)


@app.command(epilog=examples.AUDIT_REPORT)
def report(
    context: typer.Context,
    *,
    html: options.HtmlOut = None,
    first: options.From = None,
    last: options.To = None,
    stage: Stage = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Sum up a period.

    How its questions ended, and how much of what was drafted was supported by its sources. As HTML with
    plots, and the questions that the book could not answer: what readers wrote, for the author alone.
    """
    from bookbound.local.auditing import figures

    settings = options.settings(context, data)
    days = first.date() if first else None, last.date() if last else datetime.now(UTC).date()
    with _trail(settings, stage, *days) as trail:
        found = figures.gather(trail)
        asked_in_vain = figures.not_answered(trail) if html else []
    if html:
        _write_html(html, found, asked_in_vain, settings, stage)
    output.audit_report(found["period"], as_json=as_json)
    _warn_of(found["unreadable"])


@contextmanager
def _trail(settings: Settings, stage: str | None, first: date | None, last: date | None) -> Iterator[Trail]:
    """This machine's trail, or a stage's as its bucket has it now."""
    from bookbound import wiring
    from bookbound.local.auditing import trail

    root = wiring.audit_root(settings)
    if stage is not None:
        root = settings.data / "stages" / stage / "audit"
        _refresh(root, stage, first, last)
    with trail.opened(root, first, last) as found:
        yield found


def _refresh(root: Path, stage: str, first: date | None, last: date | None) -> None:
    from bookbound.local.auditing import stage_copy
    from bookbound.local.stage import outputs

    with steps(Console(stderr=True)) as advance:
        stage_copy.refresh(outputs(stage).audit_bucket, root, first, last, advance)


def _write_html(
    path: Path, found: dict[str, Any], rows: Sequence[dict[str, Any]], settings: Settings, stage: str | None
) -> None:
    from bookbound.authoring import gaps
    from bookbound.authoring.clusters import clusters
    from bookbound.local.auditing import report as page

    with steps(Console(stderr=True)) as advance:
        asked = gaps.wordings(rows)
        together = clusters(_embedded(settings, [of[0]["question"] for of in asked.values()], advance))
    groups = gaps.groups(asked, together)
    nearest = _nearest(settings, stage, groups[: page.GROUPS_SHOWN])
    title = f"Questions to {stage}" if stage else "Questions on record"
    path.write_text(page.render(found, groups, nearest, title), encoding="utf-8")


def _embedded(settings: Settings, texts: Sequence[str], advance: Advance) -> list[list[float]]:
    """Embed by the bundled model, not the book's embedder: what readers wrote goes to no vendor."""
    from bookbound import wiring

    embedder = wiring.build_embedder(settings.model_copy(update={"embedder": "minilm"}))
    vectors: list[list[float]] = []
    for start in range(0, len(texts), _AT_ONCE):
        vectors += asyncio.run(embedder.embed_questions(texts[start : start + _AT_ONCE]))
        advance("grouping", len(vectors), len(texts))
    return vectors


_AT_ONCE = 256


def _nearest(settings: Settings, stage: str | None, groups: Sequence[Group]) -> Sequence[Section | None]:
    from bookbound.local.stage import outputs, settings_for, with_keys

    if not groups:
        return []
    try:
        if stage is not None:
            settings = with_keys(settings_for(outputs(stage)))
        return asyncio.run(_sections(settings, [(group.question, group.book_id) for group in groups]))
    except BookboundError as error:
        output.warning(f"the nearest sections are left out: {error}")
        return [None] * len(groups)


async def _sections(settings: Settings, questions: Sequence[tuple[str, str | None]]) -> list[Section | None]:
    from bookbound import wiring
    from bookbound.local.auditing import nearest

    async with wiring.local(settings) as app:
        return await nearest.sections(app, questions)


def _show_records(records: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        output.json_value(records)
        return
    output.console().print(tables.table("", _COLUMNS, map(_cells, records[:SHOWN])))
    more = f", the newest {SHOWN} shown; --json has all" if len(records) > SHOWN else ""
    typer.echo(f"{len(records)} records{more}")


def _cells(record: dict[str, Any]) -> list[object]:
    well = "searched" if record["asked_for"] == "passages" else "answered"
    ended = well if record["success"] else (record["error_message"] or "failed").partition(":")[0]
    return [
        record["timestamp"],
        record["user_query_text"],
        record["refusal_reason"] or ended,
        record["confidence_score"],
        record["max_score"],
        record["verdict"],
        record["session_id"],
    ]


def _show_review(records: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    from bookbound.local.auditing import review

    if as_json:
        output.json_value([review.as_json(record) for record in records])
        return
    typer.echo(review.as_text(records) if records else "no answer was called incorrect")


def _show_rows(rows: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        output.json_value(rows)
        return
    output.console().print(
        tables.table("", list(rows[0]) if rows else [], (list(row.values()) for row in rows))
    )
    typer.echo(f"{len(rows)} rows")


def _warn_of(unreadable: int) -> None:
    if unreadable:
        output.warning(f"{unreadable} lines of the records' files are no record and were left out")
