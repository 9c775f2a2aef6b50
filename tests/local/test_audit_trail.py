"""The audit trail as SQL tables."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookbound.evaluation.records import InputError
from bookbound.local.auditing.query import Filter, select
from bookbound.local.auditing.trail import Trail, day_of, opened
from tests.local.audit_lines import answered, refused, verdict, write

COUNT = "SELECT count(*) AS n FROM records"


def counted(root: Path, first: date | None = None, last: date | None = None) -> int:
    with opened(root, first, last) as trail:
        return int(trail.rows(COUNT)[0]["n"])


@pytest.mark.rule("A2", "A3")
def test_a_record_that_was_delivered_twice_is_there_once(tmp_path: Path) -> None:
    """The copies may lie in any objects, also beyond midnight."""
    write(tmp_path, [answered(1), answered(1), answered(2)])
    late = tmp_path / "records/personal=true/year=2026/month=03/day=02"
    late.mkdir(parents=True)
    (late / "stream-1.gz").write_bytes(gzip.compress(json.dumps(answered(1)).encode() + b"\n"))
    assert counted(tmp_path) == 2
    assert counted(tmp_path, date(2026, 3, 1), date(2026, 3, 1)) == 2


@pytest.mark.rule("A3")
def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Nested values included; only a finding's value and threshold are text, since they may be either."""
    write(tmp_path, [answered(1)])
    with opened(tmp_path) as trail:
        [row] = trail.rows("SELECT * FROM records")
    expected = answered(1)
    for finding in expected["findings"]:
        finding |= {"value": str(finding["value"]), "threshold": str(finding["threshold"])}
    assert row == expected


@pytest.mark.rule("A3")
def test_a_period_counts_both_of_its_days_in(tmp_path: Path) -> None:
    """And goes by when a record was made, not by the folder in which it arrived."""
    moments = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-03-02T23:59:59.999Z"]
    write(tmp_path, [answered(n, timestamp=moment) for n, moment in enumerate(moments)])
    assert counted(tmp_path, date(2026, 3, 1), date(2026, 3, 2)) == 2
    assert counted(tmp_path, None, date(2026, 2, 28)) == 1
    assert counted(tmp_path, date(2026, 3, 3)) == 0


def test_an_empty_folder_is_an_empty_trail(tmp_path: Path) -> None:
    """No question has been asked yet."""
    assert counted(tmp_path) == 0
    with opened(tmp_path) as trail:
        assert select(trail, Filter()) == []


@pytest.mark.rule("A2")
def test_what_is_no_record_is_counted_and_hides_none(tmp_path: Path) -> None:
    """A line that a killed process left half, and one of another kind."""
    write(tmp_path, [answered(1)])
    [path] = tmp_path.rglob("*.jsonl")
    path.write_text(path.read_text() + "no record\n" + json.dumps(answered(2)) + '\n{"log_id": "x')
    with opened(tmp_path) as trail:
        assert len(select(trail, Filter())) == 2
        assert trail.unreadable() == 2


@pytest.mark.rule("E3")
def test_the_last_verdict_counts(tmp_path: Path) -> None:
    """A reader may change their mind."""
    later = "2026-03-03T08:00:00.000Z"
    write(tmp_path, [answered(1)], [verdict(1, "incorrect", "no"), verdict(1, "correct", "yes", later)])
    with opened(tmp_path) as trail:
        [row] = select(trail, Filter())
    assert (row["verdict"], row["comment"]) == ("correct", "yes")


@pytest.mark.rule("A1", "E3")
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(), {1, 2, 3}),
        (Filter(session="elsewhere"), {3}),
        (Filter(client="campus"), {2}),
        (Filter(reason="insufficient_context"), {2, 3}),
        (Filter(feedback="incorrect"), {1}),
        (Filter(feedback="incorrect", client="campus"), set()),
    ],
    ids=["all", "session", "client", "reason", "feedback", "both"],
)
def test_conditions_narrow_each_other_down(tmp_path: Path, wanted: Filter, expected: set[int]) -> None:
    """Filters select a session, a client, a refusal for a reason, a verdict of incorrect."""
    write(
        tmp_path,
        [answered(1), refused(2, client_id="campus"), refused(3, session_id="elsewhere")],
        [verdict(1, "incorrect"), verdict(3, "correct")],
    )
    with opened(tmp_path) as trail:
        found = select(trail, wanted)
    numbers = {int(row["log_id"].replace("-", ""), 16) - 1000 for row in found}
    assert numbers == expected


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('{secret}')",
        "COPY records TO '{secret}'",
        "INSTALL httpfs",
        "SET threads = 1",
    ],
)
def test_a_statement_reaches_nothing_but_the_trail(tmp_path: Path, statement: str) -> None:
    """SQL copied from elsewhere reads no other file and fetches nothing."""
    secret = tmp_path / "secret"
    secret.write_text("untouched")
    write(tmp_path / "audit", [answered(1)])
    with opened(tmp_path / "audit") as trail, pytest.raises(InputError, match="cannot be run"):
        trail.rows(statement.format(secret=secret))
    assert secret.read_text() == "untouched"


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT nothing FROM records", "SELECT * FROM nowhere"])
def test_wrong_sql_is_one_line(tmp_path: Path, sql: str) -> None:
    """With the engine's own reason."""
    with opened(tmp_path) as trail, pytest.raises(InputError) as failure:
        trail.rows(sql)
    assert "\n" not in str(failure.value)


@settings(deadline=None, max_examples=15)
@given(st.lists(st.integers(0, 5), max_size=20))
def test_however_often_lines_are_copied_each_record_is_there_once(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int]
) -> None:
    """The view holds the set of what was written."""
    root = tmp_path_factory.mktemp("trail")
    write(root, [answered(number) for number in numbers])
    assert counted(root) == len(set(numbers))


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("records/personal=true/year=2026/month=03/day=01/x.gz", date(2026, 3, 1)),
        ("records/personal=true/year=2026/month=13/day=01/x.gz", None),
        ("digests/2026.json", None),
    ],
)
def test_a_key_names_its_day(path: str, day: date | None) -> None:
    """Or none, and then it is no part of the trail."""
    assert day_of(path) == day


def test_a_quote_in_a_folders_name_is_a_name(tmp_path: Path) -> None:
    """The data folder may have any name."""
    root = tmp_path / "o'brien"
    write(root, [answered(1)])
    trail: Any = Trail(root)
    assert trail.rows(COUNT) == [{"n": 1}]
    trail.close()
