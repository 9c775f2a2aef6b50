"""Audit records and feedback of a stage: in the stream, else in the queue, else an alarm; never cut."""

from __future__ import annotations

import gzip
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import boto3
import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from bookbound.adapters.aws.audit_stream import STREAM_BYTES, AuditStream
from bookbound.adapters.aws.feedback_bucket import FeedbackBucket
from bookbound.answering import answer
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, Unavailable
from testing.builders import question
from testing.staged import PERSONAL, Staged, objects
from tests.core.asking import deps

ANSWER_ID = UUID("0b0c5d0e-5a3f-4a55-9a0a-0d3c1c6a7f10")
LOG_ID = "5f0f4c9e-8b3a-4a53-a9c8-16f5a8b7c111"
RECORD = {
    "log_id": LOG_ID,
    "timestamp": "2026-03-01T23:59:59.000Z",
    "personal_data": True,
    "user_query_text": "How heavy is the hidden payload? Größe\u2028?",
}
DENIED = ClientError({"Error": {"Code": "AccessDenied", "Message": "hidden payload"}}, "Put")
TIMED_OUT = ReadTimeoutError(endpoint_url="https://aws.example")
CLOSED = ConnectionClosedError(endpoint_url="https://aws.example")


@dataclass
class Taker:
    """Firehose, SQS or S3, as far as it takes a record: fails in turn as told, or waits; then it is done."""

    errors: list[Exception] = field(default_factory=list)
    waits_for: threading.Event | None = None
    taken: list[dict[str, Any]] = field(default_factory=list)

    def put_record(self, **given: Any) -> None:
        if self.waits_for:
            self.waits_for.wait()
        if self.errors:
            raise self.errors.pop(0)
        self.taken.append(given)

    send_message = put_object = put_record


def stream(firehose: Taker, sqs: Taker, s3: Taker | None = None) -> AuditStream:
    takers: Any = (firehose, sqs, s3 or Taker())
    return AuditStream(
        *takers, personal="personal", other="other", queue_url="https://queue.example", bucket="audit"
    )


@contextmanager
def stuck() -> Iterator[Taker]:
    """One that does not answer before the end of the block."""
    released = threading.Event()
    try:
        yield Taker(waits_for=released)
    finally:
        released.set()


def built(staged: Staged) -> AuditStream:
    """The sink of a stage, over clients of moto's."""
    settings = staged.settings
    assert settings.audit_queue_url
    return AuditStream(
        boto3.client("firehose"),
        boto3.client("sqs"),
        boto3.client("s3"),
        personal=settings.audit_stream_personal or "",
        other=settings.audit_stream_other or "",
        queue_url=settings.audit_queue_url,
        bucket=settings.audit_bucket or "",
    )


def queued(staged: Staged) -> list[Any]:
    found = boto3.client("sqs").receive_message(QueueUrl=staged.settings.audit_queue_url or "")
    return [json.loads(message["Body"]) for message in found.get("Messages", [])]


@pytest.mark.rule("A2")
async def test_a_record_goes_through_the_stream_as_one_line(staged: Staged) -> None:
    """The record includes its line end, as the stream joins lines as is; the queue stays empty."""
    await built(staged).put(RECORD)
    [content] = objects("audit", "records/personal=true/").values()
    assert json.loads(content) == RECORD
    assert content.endswith(b"\n")
    assert len(content.decode().splitlines()) == 1
    assert queued(staged) == []


@pytest.mark.rule("A4")
async def test_records_without_personal_data_have_a_stream_of_their_own(staged: Staged) -> None:
    """One that does not say what it holds goes where records are deleted after retention."""
    unsaid = {name: value for name, value in RECORD.items() if name != "personal_data"}
    for record in (RECORD | {"personal_data": False}, unsaid):
        await built(staged).put(record)
    found = {key.rpartition("/")[0]: json.loads(content) for key, content in objects("audit").items()}
    [personal] = [one for folder, one in found.items() if folder.startswith("records/personal=true")]
    [other] = [one for folder, one in found.items() if folder.startswith("records/personal=false")]
    assert (personal, other["personal_data"]) == (unsaid, False)


@pytest.mark.rule("A2")
async def test_a_record_that_the_stream_does_not_take_is_in_the_queue(
    staged: Staged, caplog: pytest.LogCaptureFixture
) -> None:
    """Whole, and the log tells which, so that an alarm can count them."""
    boto3.client("firehose").delete_delivery_stream(DeliveryStreamName=PERSONAL)
    await built(staged).put(RECORD)
    assert queued(staged) == [RECORD]
    [warning] = [record for record in caplog.records if record.name == "bookbound"]
    assert (warning.levelno, warning.getMessage()) == (logging.WARNING, "audit record sent to the queue")
    assert warning.log_id == LOG_ID  # type: ignore[attr-defined]


@pytest.mark.rule("A2")
@pytest.mark.parametrize("error", [DENIED, TIMED_OUT])
async def test_each_failure_of_the_stream_leads_to_the_queue(error: Exception) -> None:
    """At once: nothing is tried twice while a reader waits."""
    firehose, sqs = Taker([error, error]), Taker()
    await stream(firehose, sqs).put(RECORD)
    assert firehose.errors == [error]
    assert json.loads(sqs.taken[0]["MessageBody"]) == RECORD


@pytest.mark.rule("A2")
async def test_a_stream_that_hangs_leads_to_the_queue() -> None:
    """The reader's answer waits no longer than it may."""
    with stuck() as firehose:
        sqs = Taker()
        await stream(firehose, sqs).put(RECORD)
        assert len(sqs.taken) == 1


@pytest.mark.rule("A2")
async def test_a_connection_that_died_in_a_freeze_is_no_failure() -> None:
    """The next one is a new one, and takes the record."""
    firehose, sqs = Taker([CLOSED]), Taker()
    await stream(firehose, sqs).put(RECORD)
    assert (len(firehose.taken), sqs.taken) == (1, [])


@pytest.mark.rule("A2")
async def test_when_both_hang_the_caller_gets_its_time_back() -> None:
    """Within the audit's half second."""
    with stuck() as firehose, stuck() as sqs:
        async with Deadline().stage(2.0):
            with pytest.raises(DeadlineExceeded):
                await stream(firehose, sqs).put(RECORD)


@pytest.mark.rule("A2", "S5")
@pytest.mark.parametrize("hangs", [False, True])
async def test_a_record_that_nothing_takes_is_an_alarm_and_no_failure(
    caplog: pytest.LogCaptureFixture, hangs: bool
) -> None:
    """The reader gets the answer; the line for the alarm holds nothing of what was asked."""
    with stuck() as firehose, stuck() as sqs:
        broken = stream(firehose, sqs) if hangs else stream(Taker([DENIED]), Taker([DENIED]))
        asked = question("How long does the battery last?")
        result = await answer(asked, None, Deadline(), deps(audit=broken))  # type: ignore[arg-type]
    assert result.answer_id
    [line] = [record for record in caplog.records if record.getMessage() == "audit record lost"]
    assert line.levelno == logging.ERROR
    assert not any(word in caplog.text for word in ("hidden payload", "battery"))


@pytest.mark.rule("A2")
async def test_what_is_too_large_for_the_stream_is_kept_whole_beside_what_it_delivers(staged: Staged) -> None:
    """On the day of its timestamp, where the readers of records look."""
    large = {**RECORD, "llm_prompt": "x" * STREAM_BYTES}
    await built(staged).put(large)
    [(key, content)] = objects("audit").items()
    assert key == f"records/personal=true/year=2026/month=03/day=01/{LOG_ID}.json.gz"
    assert json.loads(gzip.decompress(content)) == large


@pytest.mark.rule("A2")
async def test_the_largest_record_of_the_stream_fits_into_the_queue(staged: Staged) -> None:
    """One of a byte more takes the other way, so there is none that neither takes."""
    padding = STREAM_BYTES - len(json.dumps({**RECORD, "llm_prompt": ""}) + "\n")
    firehose, sqs, s3 = Taker([DENIED]), Taker(), Taker()
    for size in (padding, padding + 1):
        await stream(firehose, sqs, s3).put({**RECORD, "llm_prompt": "x" * size})
    assert (len(firehose.taken), len(sqs.taken), len(s3.taken)) == (0, 1, 1)
    assert len(sqs.taken[0]["MessageBody"]) == STREAM_BYTES < 1024 * 1024


@pytest.mark.rule("E3")
async def test_feedback_lies_in_the_audit_bucket_by_the_day_in_utc(staged: Staged) -> None:
    """With the answer's id, by which readers of both find its record; whether it is known is not asked."""
    evening = datetime(2026, 3, 1, 20, 30, tzinfo=timezone(-timedelta(hours=5)))
    sink = FeedbackBucket(boto3.client("s3"), "audit", lambda: evening)
    for comment in ("Wrong page.\n", None):
        await sink.put(ANSWER_ID, "incorrect", comment)
    written = objects("audit", "feedback/year=2026/month=03/day=02/")
    lines = [json.loads(content) for content in written.values()]
    assert {line["comment"] for line in lines} == {"Wrong page.\n", None}
    for key, line in zip(written, lines, strict=True):
        assert key.endswith(f"/{line['feedback_id']}.json")
        assert (line["answer_id"], line["verdict"]) == (str(ANSWER_ID), "incorrect")
        assert datetime.fromisoformat(line["timestamp"]).astimezone(UTC) == evening


@pytest.mark.rule("S5")
async def test_feedback_that_cannot_be_kept_is_an_error_without_its_text() -> None:
    """The reader gets an error that asks for another try."""
    with pytest.raises(Unavailable, match=r"^keeping the feedback failed \(AccessDenied\)$"):
        await FeedbackBucket(Taker([DENIED]), "audit").put(ANSWER_ID, "correct", None)  # type: ignore[arg-type]
