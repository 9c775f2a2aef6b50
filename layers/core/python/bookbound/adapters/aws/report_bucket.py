"""The author's weekly reports in a stage: objects of a bucket of their own, and a mail with a signed link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bookbound.adapters.aws.bucket_objects import Objects
from bookbound.adapters.aws.errors import failing_as

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client
    from types_boto3_sns import SNSClient


class ReportBucket:
    """Fits weekly.Shelf. All raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._s3 = s3
        self._bucket = bucket
        self._objects = Objects(s3, bucket)

    def has(self, key: str) -> bool:
        """Return whether the report is there."""
        return any(name == key for name, _ in self._objects.written(key))

    def keep(self, key: str, html: str) -> None:
        """Write a report."""
        with failing_as("keeping the report"):
            self._s3.put_object(
                Bucket=self._bucket, Key=key, Body=html.encode(), ContentType="text/html; charset=utf-8"
            )

    def link(self, key: str, seconds: int) -> str:
        """An address that opens the report for so long at most; signed here, by the function's own rights.

        It ends with the credentials that sign it, if these end first.
        """
        return self._s3.generate_presigned_url(
            "get_object", Params={"Bucket": self._bucket, "Key": key}, ExpiresIn=seconds
        )

    def address(self, key: str) -> str:
        """The report's address for whoever has rights on the bucket."""
        return f"s3://{self._bucket}/{key}"


class ReportMail:
    """Fits weekly.Mail. Raises Unavailable."""

    def __init__(self, sns: SNSClient, topic: str) -> None:
        self._sns = sns
        self._topic = topic

    def send(self, subject: str, text: str) -> None:
        """To every subscriber of the topic."""
        with failing_as("sending the report's mail"):
            self._sns.publish(TopicArn=self._topic, Subject=subject, Message=text)
