"""A stage's weekly report: what was asked, and what the book did not answer; no personal data (A4)."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import jinja2

from bookbound.authoring import gaps
from bookbound.authoring.asked import readable
from bookbound.authoring.clusters import clusters
from bookbound.authoring.gaps import Group
from bookbound.authoring.tally import Tally, in_vain, tally
from bookbound.drawing import charts
from bookbound.ports import Embedder

DAYS = 7

RECORDS, FEEDBACK = "records/personal=false/", "feedback/"
"""What is read of the trail. Records with personal data are not: the function has no right to them."""

HOURS = 12
"""How long a link is signed for. The credentials of a function end sooner or later within these hours, and
the link with them; when, they do not say."""

GAPS_SHOWN = 20

_GZIP = b"\x1f\x8b"
_MAILED = ".mailed"

Line = Mapping[str, Any]


class Trail(Protocol):
    """The stage's records: keys below a prefix with when they were written, and an object's bytes."""

    def written(self, prefix: str) -> Iterator[tuple[str, datetime]]: ...

    def read(self, key: str) -> bytes: ...


class Shelf(Protocol):
    """Where reports are kept."""

    def has(self, key: str) -> bool: ...

    def keep(self, key: str, html: str) -> None: ...

    def link(self, key: str, seconds: int) -> str: ...

    def address(self, key: str) -> str: ...


class Mail(Protocol):
    """Tells the author."""

    def send(self, subject: str, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class WeeklyDeps:
    """Dependencies of a report; `meaning` is the bundled model."""

    trail: Trail
    shelf: Shelf
    mail: Mail
    meaning: Embedder
    stage: str


async def report(deps: WeeklyDeps, now: datetime) -> str | None:
    """Write and mail the report of the seven days before today, UTC; its key, None where it is there already.

    It counts as made once the mail is out: a call that fails before is made again. Raises Unavailable.
    """
    last = now.date() - timedelta(days=1)
    first = last - timedelta(days=DAYS - 1)
    key = f"reports/{first.isoformat()}_{last.isoformat()}.html"
    if await asyncio.to_thread(deps.shelf.has, f"{key}{_MAILED}"):
        return None
    records, verdicts = await asyncio.to_thread(_read, deps.trail, first, last)
    asked = readable(records, verdicts)
    found, wordings = tally(asked), gaps.wordings(in_vain(asked))
    vectors = await deps.meaning.embed_questions([of[0]["question"] for of in wordings.values()])
    groups = gaps.groups(wordings, clusters(vectors))
    html = _page(deps.stage, (first, last), found, groups, _nearest(records))
    await asyncio.to_thread(deps.shelf.keep, key, html)
    subject = f"Bookbound {deps.stage}: what readers asked, {first} to {last}"
    await asyncio.to_thread(deps.mail.send, subject, _mail(deps.shelf, key, found, groups))
    await asyncio.to_thread(deps.shelf.keep, f"{key}{_MAILED}", "")
    return key


def _read(trail: Trail, first: date, last: date) -> tuple[list[Line], list[Line]]:
    """The records that were made in the period, and the verdicts since.

    A record may arrive on the day after it was made, and is in that day's folder.
    """
    days = [first + timedelta(days=number) for number in range((last - first).days + 2)]
    records = [line for day in days for line in _lines(trail, f"{RECORDS}{_folder(day)}")]
    verdicts = [line for day in days for line in _lines(trail, f"{FEEDBACK}{_folder(day)}")]
    made = [one for one in records if first.isoformat() <= str(one.get("timestamp"))[:10] <= last.isoformat()]
    return made, verdicts


def _folder(day: date) -> str:
    return f"year={day:%Y}/month={day:%m}/day={day:%d}/"


def _lines(trail: Trail, prefix: str) -> Iterator[Line]:
    """Every line that is a JSON object; one that a killed writer left is none."""
    for key, _ in trail.written(prefix):
        try:
            content = trail.read(key)
        except KeyError:
            # Deleted since it was listed, as an erasure does.
            continue
        for line in (gzip.decompress(content) if content.startswith(_GZIP) else content).splitlines():
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if isinstance(found, dict):
                yield found


def _nearest(records: Sequence[Line]) -> dict[str, str]:
    """For each question the section that came nearest when it was asked."""
    found = {}
    for record in records:
        chunks = record.get("chunks_returned") or ()
        best = max(chunks, key=lambda one: float(one["similarity"]), default=None)
        if best is not None:
            said = f"{best['section']} (page {best['page']}, similarity {best['similarity']:.2f})"
            found[record.get("read_as") or record["user_query_text"]] = said
    return found


def _page(
    stage: str, days: tuple[date, date], found: Tally, groups: Sequence[Group], nearest: Mapping[str, str]
) -> str:
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = Path(__file__).with_name("weekly.html.j2").read_text("utf-8")
    return environment.from_string(template).render(
        stage=stage,
        first=days[0].isoformat(),
        last=days[1].isoformat(),
        found=found,
        gaps=groups[:GAPS_SHOWN],
        all=len(groups),
        nearest=nearest,
        by_day=charts.days(found.days, "questions by day"),
        reasons=charts.shares(found.reasons, "questions without an answer, by reason"),
    )


def _mail(shelf: Shelf, key: str, found: Tally, groups: Sequence[Group]) -> str:
    """The mail: counts, and the way to the report; none of the words that readers wrote."""
    return (
        f"{found.questions} questions, {found.answered} answered, {found.refused} refused, "
        f"{found.failed} failed; {len(groups)} gaps, {len(found.wrong)} answers called wrong.\n\n"
        f"The report: {shelf.link(key, HOURS * 3600)}\n\n"
        f"The link opens it for {HOURS} hours at most, and ends sooner if the credentials that signed it do. "
        f"Anyone who has it can open the report. Later, with rights on the bucket:\n"
        f"aws s3 cp {shelf.address(key)} .\n"
    )
