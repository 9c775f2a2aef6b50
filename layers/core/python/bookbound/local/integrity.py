"""The commands that tell whether the audit trail is as it was written, and that make it so that they can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer
from rich.console import Console

from bookbound.audit.digest_chain import Archive, DigestDeps, Trail, catch_up
from bookbound.audit.digest_format import DIGESTS, TOMBSTONES, TRAIL, sha256
from bookbound.audit.integrity import Fault, Found, Trusted, Verdict, believed, concerns, judge
from bookbound.local import examples, operating, options, output
from bookbound.local.progress import Advance, steps

if TYPE_CHECKING:
    from types_boto3_kms import KMSClient
    from types_boto3_s3 import S3Client

    from bookbound.local.stage import StageOutputs

app = typer.Typer(rich_markup_mode=None)

HOURS = 24
"""Hours of a digest on this machine."""


class Papers(Archive, Protocol):
    """Papers that may show what was done to them: `replaced` names what was written over or deleted."""

    def replaced(self, prefix: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """A trail, its papers, and whose signatures count."""

    trail: Trail
    papers: Papers
    trusted: Trusted


@app.command("digest", epilog=examples.AUDIT_DIGEST)
def audit_digest(context: typer.Context, data: options.Data = None) -> None:
    """Sign what came into this machine's audit folder, up to yesterday (UTC).

    A day is digested once; missed days are made up for. A stage does so automatically.
    """
    made = catch_up(digests_of_folder(options.settings(context, data).data), datetime.now(UTC))
    typer.echo(f"{len(made)} digests made{f', the last {made[-1]}' if made else ''}")


@app.command("verify", epilog=examples.AUDIT_VERIFY)
def audit_verify(
    context: typer.Context,
    *,
    stage: operating.Stage = None,
    first: options.From = None,
    last: options.To = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Tell whether audit records were changed, deleted or inserted since they were digested.

    Checks every digest and how they follow each other, and reads the objects of the days that are given. Ends
    with 1 when something is wrong.
    """
    from bookbound.local.stage import outputs

    evidence = of_stage(outputs(stage)) if stage else of_folder(options.settings(context, data).data)
    days = first.date() if first else date.min, last.date() if last else datetime.now(UTC).date()
    with steps(Console(stderr=True)) as advance:
        verdict = verify(evidence, *days, datetime.now(UTC), advance)
    if as_json:
        output.json_value(asdict(verdict))
    else:
        typer.echo("\n".join(_lines(verdict)))
    if verdict.faults:
        worst = verdict.faults[0]
        output.fail(f"{len(verdict.faults)} faults; first {worst.kind}: {worst.name}: {worst.says}")


def verify(evidence: Evidence, first: date, last: date, now: datetime, advance: Advance) -> Verdict:
    """Read all papers and the objects of the days from `first` to `last`, and judge them.

    Raises Unavailable when something cannot be read.
    """
    # The objects first: a paper that is made meanwhile knows of them, and not the other way round.
    found = dict(_found(evidence.trail, first, last, advance))
    replaced = [one for prefix in (DIGESTS, TOMBSTONES) for one in evidence.papers.replaced(prefix)]
    papers = believed(_read(evidence.papers, advance), evidence.trusted)
    verdict = judge(papers, found, first=first, last=last, now=now)
    says = "it was written over or deleted; the lock keeps what it was"
    verdict.faults += [Fault("replaced", one, says) for one in replaced]
    return verdict


def of_folder(data: Path) -> Evidence:
    """This machine's audit folder. Raises Unavailable without a key."""
    from bookbound.adapters.crypto.digest_keys import KeyFile, trusted_by
    from bookbound.adapters.files.digest_folder import DigestFolder, TrailFolder

    trail, kept, key = _places(data)
    return Evidence(TrailFolder(trail), DigestFolder(kept), trusted_by(KeyFile(key).public()))


def of_stage(stage: StageOutputs) -> Evidence:
    """A stage's audit bucket, by the public key alone. Raises Unavailable."""
    import boto3

    from bookbound.adapters.aws.digest_bucket import DigestBucket, KmsKey, TrailBucket
    from bookbound.adapters.crypto.digest_keys import trusted_by

    s3 = boto3.client("s3")
    public = KmsKey(boto3.client("kms"), stage.digest_key).public()
    return Evidence(
        TrailBucket(s3, stage.audit_bucket), DigestBucket(s3, stage.digest_bucket), trusted_by(public)
    )


def digests_of_folder(data: Path) -> DigestDeps:
    """Return what digests this machine's audit folder, and keeps its tombstones."""
    from bookbound.adapters.crypto.digest_keys import KeyFile
    from bookbound.adapters.files.digest_folder import DigestFolder, TrailFolder

    trail, kept, key = _places(data)
    return DigestDeps(TrailFolder(trail), DigestFolder(kept), KeyFile(key), hours=HOURS, expires={})


def digests_of_stage(stage: StageOutputs, s3: S3Client, kms: KMSClient) -> DigestDeps:
    """Return what keeps the tombstones of a stage's bucket."""
    from bookbound.adapters.aws.digest_bucket import DigestBucket, KmsKey, TrailBucket

    trail, archive = TrailBucket(s3, stage.audit_bucket), DigestBucket(s3, stage.digest_bucket)
    return DigestDeps(trail, archive, KmsKey(kms, stage.digest_key), hours=HOURS, expires={})


def _places(data: Path) -> tuple[Path, Path, Path]:
    """The audit folder, that of its digests, and their key."""
    return data / "audit", data / "audit-digests", data / "audit-digests" / "key.pem"


def _found(trail: Trail, first: date, last: date, advance: Advance) -> Iterator[tuple[str, Found]]:
    listed = [one for prefix in TRAIL for one in trail.written(prefix) if concerns(one[0], first, last)]
    for number, (key, written) in enumerate(listed, 1):
        try:
            yield key, Found(sha256(trail.read(key)), written)
        except KeyError:
            # Gone since it was listed: whether it may be is told by the papers.
            continue
        advance("objects", number, len(listed))


def _read(papers: Archive, advance: Advance) -> Iterator[tuple[str, bytes]]:
    names = [name for prefix in (DIGESTS, TOMBSTONES) for name in papers.names(prefix)]
    for number, name in enumerate(names, 1):
        yield name, papers.read(name)
        advance("digests", number, len(names))


def _lines(verdict: Verdict) -> Iterator[str]:
    yield f"{verdict.digests} digests, {verdict.objects} objects"
    if verdict.newest:
        yield f"newest digest: number {verdict.newest[0]}, SHA-256 {verdict.newest[1]}"
    if verdict.erased or verdict.expired:
        yield f"{verdict.erased} were erased on request, {verdict.expired} deleted at their age"
    for keys, says in (
        (verdict.late, "came more than a day after their day"),
        (verdict.waiting, "wait for their digest"),
        (verdict.unproven, "lie in a time without a digest to believe"),
    ):
        if keys:
            yield f"{len(keys)} {says}; first {keys[0]}"
    for fault in verdict.faults:
        yield f"{fault.kind}: {fault.name}: {fault.says}"
    if not verdict.faults:
        yield "nothing is wrong"
