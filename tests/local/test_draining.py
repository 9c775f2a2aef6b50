"""Records that took the second way come to where the others are."""

import boto3
import pytest

from local.cli import run
from local.stage import outputs
from tests.local.deployed import world


@pytest.mark.rule("A2")
def test_every_record_of_the_queue_reaches_the_bucket_and_leaves_the_queue(monkeypatch, capsys):
    """More of them than one call brings, as they were put; a second run finds none."""
    with world(monkeypatch) as stage:
        stage.deploy()
        queue = outputs("dev").audit_queue_url
        records = {f'{{"log_id": "{number}"}}' for number in range(12)}
        for record in records:
            boto3.client("sqs").send_message(QueueUrl=queue, MessageBody=record)
        assert run(["audit", "drain", "--stage", "dev"]) == 0
        assert capsys.readouterr().out == "12 records handed to the stream of dev\n"
        s3 = boto3.client("s3")
        stored = [one["Key"] for one in s3.list_objects_v2(Bucket="audit")["Contents"]]
        assert {s3.get_object(Bucket="audit", Key=key)["Body"].read().decode() for key in stored} == records
        assert run(["audit", "drain", "--stage", "dev"]) == 0
        assert capsys.readouterr().out.startswith("0 records")
