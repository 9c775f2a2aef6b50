"""A stage's weekly report: what it reads, what it says, and that it is mailed once."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from bookbound.authoring.weekly import FEEDBACK, HOURS, RECORDS, WeeklyDeps, report
from bookbound.errors import Unavailable
from testing.fakes import HashEmbedder
from tests.local.audit_lines import answered, refused, verdict

MONDAY = datetime(2026, 3, 9, 5, tzinfo=UTC)
KEY = "reports/2026-03-02_2026-03-08.html"
HOSTILE = "<img src=x onerror=alert(1)> What does Wren cost?"


@dataclass
class Kept:
    """A trail, a shelf and a mail in memory."""

    objects: dict[str, bytes] = field(default_factory=dict)
    shelf: dict[str, str] = field(default_factory=dict)
    mails: list[tuple[str, str]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    down: bool = False

    def written(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        assert prefix.startswith((RECORDS, FEEDBACK))
        return ((key, MONDAY) for key in sorted(self.objects) if key.startswith(prefix))

    def read(self, key: str) -> bytes:
        if key in self.gone:
            raise KeyError(key)
        return self.objects[key]

    def has(self, key: str) -> bool:
        return key in self.shelf

    def keep(self, key: str, html: str) -> None:
        self.shelf[key] = html

    def link(self, key: str, seconds: int) -> str:
        return f"https://reports.example/{key}?for={seconds}"

    def address(self, key: str) -> str:
        return f"s3://reports/{key}"

    def send(self, subject: str, text: str) -> None:
        if self.down:
            raise Unavailable("no mail today")
        self.mails.append((subject, text))

    def lines(self, kind: str, day: str, *lines: Any, name: str = "a.gz") -> None:
        year, month, number = day.split("-")
        content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        key = f"{kind}year={year}/month={month}/day={number}/{name}"
        self.objects[key] = gzip.compress(content) if name.endswith(".gz") else content

    @property
    def deps(self) -> WeeklyDeps:
        return WeeklyDeps(self, self, self, HashEmbedder(), "prod")


def asked(number: int, question: str, day: str, **fields: Any) -> dict[str, Any]:
    own = {"timestamp": f"{day}T10:00:00.000Z", "personal_data": False, "citations": []}
    return refused(number, question, **own | fields)


@pytest.fixture
def kept() -> Kept:
    """A week with a late arrival, another week's question, and a line that a killed writer left."""
    found = Kept()
    chunk = {"section": "Prices", "page": 9, "similarity": 0.61, "text": "…"}
    one = asked(1, HOSTILE, "2026-03-02", chunks_returned=[chunk])
    found.lines(RECORDS, "2026-03-02", one, one)
    found.lines(
        RECORDS, "2026-03-09", asked(2, "How heavy is it?", "2026-03-08"), asked(3, "New?", "2026-03-09")
    )
    found.lines(RECORDS, "2026-03-01", asked(4, "Before?", "2026-03-01"))
    found.lines(RECORDS, "2026-03-04", answered(5, timestamp="2026-03-04T10:00:00.000Z", personal_data=False))
    found.objects[f"{RECORDS}year=2026/month=03/day=05/torn"] = b'{"log_id": "1'
    found.lines(FEEDBACK, "2026-03-05", verdict(1, "incorrect", "mail me: a@b.example"), name="v.json")
    return found


@pytest.mark.rule("E2", "E3")
async def test_a_week_is_counted_and_its_gaps_are_listed(kept: Kept) -> None:
    """Each question once, those of the seven days before today, with the section that came nearest."""
    assert await report(kept.deps, MONDAY) == KEY
    page = kept.shelf[KEY]
    assert "2 groups of one meaning" in page
    assert "Prices (page 9, similarity 0.61)" in page
    assert "New?" not in page
    assert "Before?" not in page
    [(subject, text)] = kept.mails
    assert subject == "Bookbound prod: what readers asked, 2026-03-02 to 2026-03-08"
    assert "3 questions, 1 answered, 2 refused, 0 failed; 2 gaps, 1 answers called wrong" in text


@pytest.mark.rule("A4", "V4")
async def test_it_holds_no_personal_data_and_runs_nothing(kept: Kept) -> None:
    """What readers write is text; the mail has none of their words."""
    kept.lines(RECORDS, "2026-03-03", asked(9, "My name is Ada Byron. Why?", "2026-03-03"))
    await report(kept.deps, MONDAY)
    page, [(_, mail)] = kept.shelf[KEY], kept.mails
    assert "a@b.example" not in page
    assert "Ada" not in page
    assert "<img" not in page
    assert "&lt;img" in page
    assert "Wren" not in mail


@pytest.mark.rule("A4", "S5")
async def test_the_mail_says_how_long_the_link_lives(kept: Kept) -> None:
    """A signed link ends with the credentials that signed it; the bucket is there afterwards."""
    await report(kept.deps, MONDAY)
    [(_, mail)] = kept.mails
    assert f"https://reports.example/{KEY}?for={HOURS * 3600}" in mail
    assert f"{HOURS} hours at most, and ends sooner if the credentials that signed it do" in mail
    assert f"s3://reports/{KEY}" in mail


async def test_a_week_is_mailed_once(kept: Kept) -> None:
    """A schedule may call twice; a call whose mail failed is made again."""
    kept.down = True
    with pytest.raises(Unavailable):
        await report(kept.deps, MONDAY)
    kept.down = False
    assert await report(kept.deps, MONDAY) == KEY
    assert await report(kept.deps, MONDAY) is None
    assert len(kept.mails) == 1


async def test_a_record_that_is_erased_meanwhile_is_left_out(kept: Kept) -> None:
    """It was listed, and is gone when it is read."""
    kept.gone = {key for key in kept.objects if "day=02" in key}
    await report(kept.deps, MONDAY)
    assert "Wren" not in kept.shelf[KEY]


async def test_a_week_without_questions_is_a_report_as_well() -> None:
    """So an author knows that it works."""
    quiet = Kept()
    assert await report(quiet.deps, MONDAY) == KEY
    assert "0 questions" in quiet.mails[0][1]
