"""Builds what the check before traffic uses from the function's environment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools import Logger

from bookbound.api.own_event import question_event
from bookbound.errors import BookboundError
from bookbound.index.known_questions import known_question
from functions.release.check import Ask, Came, came_of

logger = Logger(service="release", child=True)

CALLER = "release-check"
"""Client id of these questions in the audit trail (S1)."""

SECONDS = 30
"""Longest time that a call of a version may take: its start, and the five seconds of a question."""


@dataclass(frozen=True, slots=True)
class Deps:
    """The two versions as who can be asked, a question that the live book answers, and who is told.

    `known` returns None where there is no book, or where it cannot be read: the log says why.
    """

    new: Ask
    live: Ask
    known: Callable[[], str | None]
    tell: Callable[[str, str, bool], None]


def build(environment: Mapping[str, str]) -> Deps:
    """Over the versions that BOOKBOUND_NEW and BOOKBOUND_LIVE name, and the book of the bucket."""
    import boto3
    from botocore.config import Config

    config = Config(read_timeout=SECONDS, retries={"total_max_attempts": 1, "mode": "standard"})
    functions = boto3.client("lambda", config=config)
    s3, releases = boto3.client("s3"), boto3.client("codedeploy")
    bucket, book = environment["BOOKBOUND_BOOKS_BUCKET"], environment["BOOKBOUND_BOOK"]

    def tell(deployment: str, hook: str, well: bool) -> None:
        releases.put_lifecycle_event_hook_execution_status(
            deploymentId=deployment,
            lifecycleEventHookExecutionId=hook,
            status="Succeeded" if well else "Failed",
        )

    return Deps(
        new=_asking(functions, environment["BOOKBOUND_NEW"]),
        live=_asking(functions, environment["BOOKBOUND_LIVE"]),
        known=lambda: _known_or_none(s3, bucket, book),
        tell=tell,
    )


def _asking(functions: Any, version: str) -> Ask:
    def ask(question: str) -> Came:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            called = functions.invoke(
                FunctionName=version, Payload=json.dumps(question_event(question, CALLER)).encode()
            )
        except (BotoCoreError, ClientError):
            # Who cannot be called answers no reader either.
            return Came.FAILED
        try:
            payload = json.loads(called["Payload"].read())
        except ValueError:
            return Came.FAILED
        return came_of(payload if isinstance(payload, dict) else None, crashed="FunctionError" in called)

    return ask


def _known_or_none(s3: Any, bucket: str, book: str) -> str | None:
    """A question that the live book answers, if it can be had: CodeDeploy waits for an answer either way."""
    try:
        return _known(s3, bucket, book)
    except (BookboundError, ValueError) as error:
        logger.error("the live book cannot be read", extra={"book": book, "reason": str(error)})
        return None


def _known(s3: Any, bucket: str, book: str) -> str | None:
    """A question that the live book answers; None without a book. Raises Unavailable, ValueError."""
    from bookbound.adapters.aws.bucket_objects import Objects, version_prefix
    from bookbound.adapters.aws.bucket_pointer import read_pointer
    from bookbound.adapters.files.version_folder import MANIFEST
    from bookbound.index.manifest import MANIFEST_JSON

    objects = Objects(s3, bucket)
    live = read_pointer(objects, book).history.live
    if live is None:
        return None
    try:
        content = objects.get(version_prefix(book, live) + MANIFEST)[0]
    except KeyError:
        return None
    return known_question(MANIFEST_JSON.validate_json(content))
