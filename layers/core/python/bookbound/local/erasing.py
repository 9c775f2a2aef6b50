"""`bookbound audit erase`: what a session or a client left behind goes, wherever it can be reached (A4)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer
from rich.console import Console

from bookbound.audit import erasure
from bookbound.audit.digest_format import FEEDBACK
from bookbound.audit.erasure import Copies, Finding, Held, Subject
from bookbound.errors import Unavailable
from bookbound.local import examples, operating, options, output
from bookbound.local.integrity import digests_of_folder, digests_of_stage
from bookbound.local.progress import steps

if TYPE_CHECKING:
    from bookbound.local.stage import StageOutputs
    from bookbound.settings import Settings

app = typer.Typer(rich_markup_mode=None)

REASON = "erasure on request"

RESULT_DAYS = 1
"""Days, as infra.constructs.audit_reading has them, which cannot be imported without CDK."""

STREAM_HOURS = 24
"""For so long a stream tries to deliver what it was given."""

Session = Annotated[UUID | None, typer.Option("--session", metavar="UUID", help="All of this session.")]
Client = Annotated[str | None, typer.Option("--client", metavar="ID", help="All of this client.")]
Reason = Annotated[
    str,
    typer.Option("--reason", metavar="TEXT", help="For the tombstones; it must not say who asked for it."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; without, only tell what would go.")]


@app.command("erase", epilog=examples.AUDIT_ERASE)
def audit_erase(
    context: typer.Context,
    *,
    session: Session = None,
    client: Client = None,
    stage: operating.Stage = None,
    reason: Reason = REASON,
    yes: Yes = False,
    data: options.Data = None,
) -> None:
    """Erase what a session or a client asked, was answered and said of it: on this machine, or of a stage.

    Tells what would go, and does it with --yes. Rewrites files and objects without these records, deletes all
    other versions that hold them, and leaves a signed tombstone for `audit verify`. Run it again at any time.
    """
    subject = _subject(session, client)
    if subject.value.casefold() in reason.casefold():
        raise typer.BadParameter("leave out whom it is for: it is kept.", param_hint="--reason")
    settings, found = options.settings(context, data), _stage(stage)
    try:
        findings, waiting = everywhere(subject, settings, found, reason if yes else None)
    except Unavailable as error:
        raise Unavailable(f"{error}; what is erased stays so, and it is safe to run again") from error
    typer.echo("\n".join(_lines(findings, waiting, found, yes=yes)))
    if not waiting and not any(one.keys for one in findings):
        typer.echo("nothing is left of it in these places")
    elif not yes:
        line = _command(subject, found, reason, data or context.obj)
        typer.echo(f"nothing was changed; to erase it: {line}")
    if damaged := [key for one in findings for key in one.damaged]:
        output.fail(f"{len(damaged)} files are damaged and were not looked into; first {damaged[0]}")


def _subject(session: UUID | None, client: str | None) -> Subject:
    if (session is None) == (not client):
        raise typer.BadParameter("give --session UUID or --client ID, one of them.")
    return Subject("session_id", str(session)) if session else Subject("client_id", client or "")


def _stage(stage: str | None) -> StageOutputs | None:
    from bookbound.local.stage import outputs

    return outputs(stage) if stage else None


def _in_queue(stage: StageOutputs, subject: Subject, *, bring: bool) -> list[Held]:
    """Return what waits of the subject in the queue; `bring` empties it into the bucket instead."""
    from bookbound.local import fallback_queue

    if not bring:
        return fallback_queue.looked_through(stage, lambda line: erasure.held(line, subject))
    if strange := fallback_queue.drain(stage).strange:
        output.warning(f"{strange} messages of the queue are no audit records; look at them there")
    return []


def everywhere(
    subject: Subject, settings: Settings, stage: StageOutputs | None, reason: str | None
) -> tuple[list[Finding], int]:
    """Return findings, and how many records more wait in the queue; with a reason all of it is erased.

    Raises Unavailable when a place cannot be read or written.
    """
    waiting = _in_queue(stage, subject, bring=reason is not None) if stage else []
    known = frozenset[str]().union(*(one.answers for one in waiting))
    with steps(Console(stderr=True)) as advance:
        subject, findings = erasure.find(
            _places(settings.data, stage), replace(subject, answers=known), advance
        )
        if reason is not None:
            erasure.erase(findings, subject, reason, datetime.now(UTC), advance)
    return findings, sum(one.lines for one in waiting)


def _places(data: Path, stage: StageOutputs | None) -> Iterator[Copies]:
    """This machine's own trail, and of a stage the copies here and its bucket."""
    from bookbound.adapters.files.erasable_folder import CopiedFolder, ErasableFolder

    own = data / "audit"
    yield Copies(str(own), ErasableFolder(own), digests_of_folder(data))
    if stage:
        copied = data / "stages" / stage.stage / "audit"
        yield Copies(str(copied), CopiedFolder(copied), None)
        yield _bucket(stage)


def _bucket(stage: StageOutputs) -> Copies:
    """A stage's audit bucket, and what signs and keeps its tombstones."""
    import boto3
    from botocore.config import Config

    from bookbound.adapters.aws.erasable_bucket import AT_ONCE, ErasableBucket

    config = Config(max_pool_connections=AT_ONCE)
    s3, kms = boto3.client("s3", config=config), boto3.client("kms", config=config)
    place = ErasableBucket(s3, stage.audit_bucket)
    return Copies(f"bucket {stage.audit_bucket}", place, digests_of_stage(stage, s3, kms))


def _lines(
    findings: Sequence[Finding], waiting: int, stage: StageOutputs | None, *, yes: bool
) -> Iterator[str]:
    verb = "erased from" if yes else "would go from"
    for one in findings:
        verdicts = one.lines(FEEDBACK)
        older = f", {one.versions} older versions" if one.versions else ""
        files = f"{len(one.keys)} files{older}"
        yield f"{verb} {one.copies.name}: {one.lines() - verdicts} records, {verdicts} verdicts, in {files}"
    if stage and not yes:
        yield f"would go from queue {stage.audit_queue_url}: {waiting} records"
    yield from _OUT_OF_REACH if stage is None else _OUT_OF_REACH_OF_STAGE


_OUT_OF_REACH = ("out of reach: reports and copies that somebody saved elsewhere",)
_OUT_OF_REACH_OF_STAGE = (
    f"records that a stream still holds arrive within {STREAM_HOURS} h: run this again in a day",
    "messages that somebody else has just received from the queue: run this again in a day",
    "refusals in the log of the API's function: gone by themselves after the stage's log_days",
    f"results of Athena's queries: gone by themselves after {2 * RESULT_DAYS} days, versions included",
    "the gateway's log and X-Ray's traces hold a client's id and no question: log_days, and 30 days",
    "out of reach: reports and copies that somebody saved, and copies on other machines",
)


def _command(subject: Subject, stage: StageOutputs | None, reason: str, data: Path | None) -> str:
    words = ["bookbound", "audit", "erase", f"--{subject.field.removesuffix('_id')}", subject.value]
    words += ["--stage", stage.stage] if stage else []
    words += ["--reason", reason] if reason != REASON else []
    words += ["--data", str(data)] if data else []
    return shlex.join([*words, "--yes"])
