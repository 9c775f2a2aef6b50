from __future__ import annotations

import asyncio
import json
import multiprocessing
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bookbound.adapters.files.audit_folder import AuditFolder, FeedbackFolder
from bookbound.errors import AnswerNotFound, Unavailable

ANSWER_ID = UUID(int=7)


def record(number: int = 1, **changes: Any) -> dict[str, Any]:
    """Return the fields of a record that a folder reads, and some bulk."""
    return {
        "log_id": f"log-{number}",
        "answer_id": str(UUID(int=number)),
        "session_id": "session",
        "book_id": "wren",
        "book_version": "v1",
        "timestamp": "2026-03-01T23:59:59.999Z",
        "user_query_text": "Ünïcode \u2028 and\nlines " + "x" * 5000,
    } | changes


def lines(folder: Path) -> list[dict[str, Any]]:
    """Every record below a folder."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.split("\n")[:-1]]


def modes(folder: Path) -> list[int]:
    """The permissions of every file of records below a folder."""
    return [path.stat().st_mode & 0o777 for path in folder.rglob("*.jsonl")]


def write_some(root: Path, first: int) -> None:
    """Write twenty records from four tasks at once, in a separate process."""

    async def write() -> None:
        sink = AuditFolder(root)
        await asyncio.gather(*(sink.put(record(number)) for number in range(first, first + 20)))

    asyncio.run(write())


@pytest.mark.rule("A1", "A3")
async def test_a_record_lies_in_the_day_of_its_timestamp(tmp_path: Path) -> None:
    """Partitions are named as the deployed bucket's are, and a record reads back as it was put."""
    await AuditFolder(tmp_path).put(record())
    assert lines(tmp_path / "records/personal=true/year=2026/month=03/day=01") == [record()]


@pytest.mark.rule("A3")
async def test_a_day_is_a_day_in_utc(tmp_path: Path) -> None:
    """A timestamp of another zone goes to the UTC day."""
    await AuditFolder(tmp_path).put(record(timestamp="2026-03-01T23:30:00-05:00"))
    assert len(lines(tmp_path / "records/personal=true/year=2026/month=03/day=02")) == 1


@pytest.mark.rule("A4")
async def test_a_record_without_personal_data_lies_apart(tmp_path: Path) -> None:
    """Only a record that says so is kept as not personal."""
    await AuditFolder(tmp_path).put(record(personal_data=False))
    assert len(lines(tmp_path / "records/personal=false")) == 1
    assert lines(tmp_path / "records/personal=true") == []


@pytest.mark.rule("A1")
def test_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Three processes with concurrent tasks leave every record whole and none twice."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_some, args=(tmp_path, first)) for first in (0, 100, 200)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    wanted = {f"log-{number}" for first in (0, 100, 200) for number in range(first, first + 20)}
    found = [kept["log_id"] for kept in lines(tmp_path)]
    assert sorted(found) == sorted(wanted)


@pytest.mark.rule("A1")
async def test_a_record_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """The caller hears of it, so that nothing leaves without a record."""
    (tmp_path / "records").write_text("a file in the way")
    with pytest.raises(Unavailable, match="could not be written"):
        await AuditFolder(tmp_path).put(record())


@pytest.mark.rule("A1")
async def test_nobody_else_can_read_the_records(tmp_path: Path) -> None:
    """Questions are personal: the files are their owner's alone."""
    await AuditFolder(tmp_path).put(record())
    assert modes(tmp_path) == [0o600]


@pytest.mark.rule("E3")
async def test_feedback_is_joined_to_its_answer(tmp_path: Path) -> None:
    """A verdict lies in its own day's partition and names the record that it judges."""
    await AuditFolder(tmp_path).put(record(6))
    await AuditFolder(tmp_path).put(record(7))
    await FeedbackFolder(tmp_path).put(ANSWER_ID, "incorrect", "Page 4 says\notherwise.")
    [path] = (tmp_path / "feedback").rglob("*.jsonl")
    [verdict] = lines(tmp_path / "feedback")
    given = datetime.fromisoformat(verdict["timestamp"])
    assert path.parent == tmp_path / f"feedback/year={given:%Y}/month={given:%m}/day={given:%d}"
    assert UUID(verdict["feedback_id"]).version == 4
    assert {key: verdict[key] for key in verdict if key not in {"timestamp", "feedback_id"}} == {
        "schema_version": 1,
        "answer_id": str(ANSWER_ID),
        "verdict": "incorrect",
        "comment": "Page 4 says\notherwise.",
        "log_id": "log-7",
        "session_id": "session",
        "book_id": "wren",
        "book_version": "v1",
    }


@pytest.mark.rule("E3")
@pytest.mark.parametrize("known", [[], [record(8)], [record(8, user_query_text=str(ANSWER_ID))]])
async def test_feedback_on_an_unknown_answer_is_refused(tmp_path: Path, known: list[dict[str, Any]]) -> None:
    """An answer that was never given gets no feedback file, though a question may name it."""
    for one in known:
        await AuditFolder(tmp_path).put(one)
    with pytest.raises(AnswerNotFound):
        await FeedbackFolder(tmp_path).put(ANSWER_ID, "correct", None)
    assert not (tmp_path / "feedback").exists()


@pytest.mark.rule("E3")
async def test_feedback_looks_past_a_torn_line(tmp_path: Path) -> None:
    """A half-written line of a killed process does not hide other records."""
    day = tmp_path / "records/personal=true/year=2026/month=03/day=01"
    day.mkdir(parents=True)
    (day / "0-killed.jsonl").write_text(f'{{"answer_id": "{ANSWER_ID}", "log')
    with pytest.raises(AnswerNotFound):
        await FeedbackFolder(tmp_path).put(ANSWER_ID, "correct", None)
    await AuditFolder(tmp_path).put(record(7))
    await FeedbackFolder(tmp_path).put(ANSWER_ID, "correct", None)
    assert [verdict["verdict"] for verdict in lines(tmp_path / "feedback")] == ["correct"]
