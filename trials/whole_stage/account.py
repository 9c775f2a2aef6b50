"""What a trial looks at and changes in the account by itself; all else is done by the project's commands."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any

import boto3

from bookbound import cloud_wiring
from bookbound.access.credentials import Client, key_hash, key_text
from bookbound.adapters.aws.bucket_objects import BOOKS, Objects, versions_prefix
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.adapters.files.version_folder import COLLECTION_FILE
from bookbound.cloud_wiring import Cloud
from bookbound.local.clients import SECRET_BYTES
from bookbound.local.stage import StageOutputs, explained, outputs, settings_for, with_keys

PARTS = ("state", "api", "ingest", "digest", "observability")
"""A stage's stacks, as the ends of their names."""

BOOK = "sample-book"
CLIENT = "trial"
LIMIT = 600
"""Questions per minute of the trial's own key."""

CANCELLED = "update cancelled"
"""What CloudFormation says of the others where one resource failed."""

LIVE = "live"
"""The API's alias, as infra.constructs.function has it."""


class Refused(Exception):
    """The trial does not go on; the text says why, in one line, and what to do."""


def who() -> tuple[str, str]:
    """The account and the region. Raises InputError, Unavailable."""
    with explained("AWS does not say whose credentials these are"):
        client = boto3.client("sts")
        return client.get_caller_identity()["Account"], client.meta.region_name


def standing(stage: str) -> dict[str, str]:
    """The status of each of the stage's stacks that there are, by name. Raises Unavailable."""
    names = {f"bookbound-{stage}-{part}" for part in PARTS}
    with explained("the stacks cannot be listed"):
        pages = boto3.client("cloudformation").get_paginator("describe_stacks").paginate()
        found = [one for page in pages for one in page["Stacks"] if one["StackName"] in names]
    return {one["StackName"]: one["StackStatus"] for one in found}


def strange(stage: str) -> str | None:
    """What a stage holds that no trial put there; None for nothing. Raises Unavailable."""
    found = outputs(stage)
    books = set(Objects(boto3.client("s3"), found.books_bucket).folders(BOOKS)) - {BOOK}
    clients = {one.client_id for one in _registry(found).all()} - {CLIENT}
    held = [*(f"book {one}" for one in sorted(books)), *(f"client {one}" for one in sorted(clients))]
    return ", ".join(held) or None


def fill(stage: str, keys: Mapping[str, str]) -> None:
    """Put the vendors' keys into the stage's secret. Raises Unavailable."""
    secret = outputs(stage).vendors_secret
    with explained(f"the secret {secret} cannot be written"):
        boto3.client("secretsmanager").put_secret_value(SecretId=secret, SecretString=json.dumps(dict(keys)))


def key(stage: str) -> str:
    """A new key of the trial's own client. Raises Unavailable."""
    registry, made = _registry(outputs(stage)), key_text(CLIENT, secrets.token_urlsafe(SECRET_BYTES))
    known = registry.find(CLIENT)
    if known is None:
        registry.add(Client(CLIENT, key_hash(made), limit=LIMIT))
    else:
        registry.rotate(known, key_hash(made), int(time.time()))
    return made


def live_version(stage: str) -> str:
    """The version of the API that readers get. Raises Unavailable."""
    function = outputs(stage).api_function
    with explained(f"the alias {LIVE} of {function} cannot be read"):
        alias = boto3.client("lambda").get_alias(FunctionName=function, Name=LIVE)
    return str(alias["FunctionVersion"])


def newest_event(stage: str) -> str | None:
    """The id of the newest event of the API's stack. Raises Unavailable."""
    with explained(f"the events of the stage {stage} cannot be read"):
        return next((str(one["EventId"]) for one in _events(stage)), None)


def failed_since(stage: str, event: str | None) -> set[str]:
    """The types of what failed in the API's stack after an event, and not for another's sake.

    Raises Unavailable.
    """
    with explained(f"the events of the stage {stage} cannot be read"):
        later = takewhile(lambda one: one["EventId"] != event, _events(stage))
        return {
            one["ResourceType"]
            for one in later
            if one["ResourceStatus"].endswith("_FAILED")
            and CANCELLED not in one.get("ResourceStatusReason", "")
        }


def _events(stage: str) -> Iterator[Mapping[str, Any]]:
    """The newest first."""
    pages = boto3.client("cloudformation").get_paginator("describe_stack_events")
    for page in pages.paginate(StackName=f"bookbound-{stage}-api"):
        yield from page["StackEvents"]


def forget_points(stage: str) -> Iterator[str]:
    """Delete the collections that the book's versions name: they would outlive it. Raises Unavailable."""
    found = outputs(stage)
    objects = Objects(boto3.client("s3"), found.books_bucket)
    settings = with_keys(settings_for(found))
    points = cloud_wiring.remote_points(settings, Cloud(settings).vendor_keys)
    for version in objects.folders(versions_prefix(BOOK)):
        try:
            content, _ = objects.get(f"{versions_prefix(BOOK)}{version}/{COLLECTION_FILE}")
        except KeyError:
            continue
        points.remove(content.decode())
        yield content.decode()


def charged(begun: str) -> Mapping[str, float]:
    """What Cost Explorer has for the account since a day, by service. Raises Unavailable; costs a cent."""
    until = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    with explained("Cost Explorer cannot be asked"):
        reply = boto3.client("ce").get_cost_and_usage(
            TimePeriod={"Start": begun, "End": until},
            Granularity="DAILY",
            Metrics=["UnblendedCost"],
            GroupBy=[{"Type": "DIMENSION", "Key": "SERVICE"}],
        )
    found: dict[str, float] = {}
    for day in reply["ResultsByTime"]:
        for group in day.get("Groups", []):
            [service], amount = group["Keys"], float(group["Metrics"]["UnblendedCost"]["Amount"])
            found[service] = found.get(service, 0.0) + amount
    return found


def _registry(found: StageOutputs) -> Any:
    return ClientRegistry(boto3.client("dynamodb"), found.table)
