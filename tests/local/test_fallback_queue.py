"""Records that took the second way come to where the others are."""

import gzip
import json
from uuid import UUID

import boto3
import pytest

from bookbound.local.cli import run
from bookbound.local.stage import outputs
from tests.local.deployed import world


def line(number):
    record = {"log_id": str(UUID(int=number)), "timestamp": "2026-03-01T10:30:00.000Z", "personal_data": True}
    return json.dumps(record) + "\n"


def send(*bodies):
    for body in bodies:
        boto3.client("sqs").send_message(QueueUrl=outputs("dev").audit_queue_url, MessageBody=body)


def stored():
    s3 = boto3.client("s3")
    keys = [one["Key"] for one in s3.list_objects_v2(Bucket="audit").get("Contents", [])]
    return {
        key: gzip.decompress(s3.get_object(Bucket="audit", Key=key)["Body"].read()).decode() for key in keys
    }


@pytest.fixture
def stage(monkeypatch):
    with world(monkeypatch) as found:
        found.deploy()
        yield found


@pytest.mark.rule("A2")
def test_every_record_of_the_queue_reaches_the_bucket_and_leaves_the_queue(stage, capsys):
    """More records than one call brings are stored by day of the question; a second run finds none."""
    send(*map(line, range(12)))
    assert run(["audit", "drain", "--stage", "dev"]) == 0
    assert capsys.readouterr().out == "12 records brought from the queue of dev to its bucket\n"
    day = "records/personal=true/year=2026/month=03/day=01"
    assert stored() == {f"{day}/{UUID(int=number)}.json.gz": line(number) for number in range(12)}
    assert run(["audit", "drain", "--stage", "dev"]) == 0
    assert capsys.readouterr().out.startswith("0 records")


@pytest.mark.rule("A2")
def test_a_record_that_is_brought_twice_is_there_once(stage, capsys):
    """SQS delivers at least once, and a run may end between writing and deleting."""
    send(line(1), line(1))
    assert run(["audit", "drain", "--stage", "dev"]) == 0
    assert list(stored().values()) == [line(1)]


@pytest.mark.rule("A2")
@pytest.mark.parametrize(
    "body", ["hello", "[]", '{"log_id": "1"}', '{"timestamp": "2026-03-01", "log_id": "../x"}']
)
def test_what_is_no_record_stays_in_the_queue_and_is_told(stage, capsys, body):
    """It is not there on purpose, so an operator should look at it."""
    send(body, line(2))
    assert run(["audit", "drain", "--stage", "dev"]) == 1
    said = capsys.readouterr()
    assert said.out == "1 records brought from the queue of dev to its bucket\n"
    assert (
        said.err == "bookbound: 1 messages are no audit records and stay in the queue; look at them there\n"
    )
    assert list(stored().values()) == [line(2)]
