"""A deployed stage as this machine finds it: what its stacks put out, and the settings that follow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import boto3
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    ProfileNotFound,
)
from pydantic import ValidationError

from bookbound.adapters.aws.secrets import fits_a_header
from bookbound.errors import Unavailable
from bookbound.evaluation.records import InputError
from bookbound.settings import Settings

STAGES = ("dev", "staging", "prod", "trial")
"""Stages, as infra.stages has them, which cannot be imported without CDK."""

STACKS = ("state", "api", "ingest", "observability")
"""Stacks that have outputs, as the end of the stack's name."""

_PREFIX = "BOOKBOUND_"
_NO_PREFIX = "BOOKBOUND_OF_NO_ENVIRONMENT_"


@dataclass(frozen=True, slots=True)
class StageOutputs:
    """The stacks' outputs by name in snake case, and the stage that they are of.

    `url` has no slash at its end; `book` is the id of the stage's default book.
    """

    stage: str
    books_bucket: str
    audit_bucket: str
    table: str
    vendors_secret: str
    signing_secret: str
    audit_stream_personal: str
    audit_stream_other: str
    audit_queue_url: str
    digest_bucket: str
    digest_key: str
    url: str
    api_function: str
    book: str
    heartbeat: str
    ingest_machine: str
    report_topic: str
    alarm_topic: str
    dashboard: str
    index_asleep: str


def outputs(stage: str) -> StageOutputs:
    """Return the outputs of the stage's stacks, in the region and with the credentials boto3 finds.

    Raises InputError for an unknown stage and without region or credentials, Unavailable for a stage that is
    not deployed, or that cannot be read.
    """
    if stage not in STAGES:
        raise InputError(f"unknown stage {stage!r}; there are {', '.join(STAGES)}")
    found: dict[str, str] = {}
    for stack in STACKS:
        found |= _outputs_of(f"bookbound-{stage}-{stack}", stage)
    names = {field.name: _camel(field.name) for field in fields(StageOutputs) if field.name != "stage"}
    if missing := [name for name in names.values() if name not in found]:
        raise Unavailable(
            f"stage {stage} has no output {', '.join(missing)}; deploy it again: make deploy STAGE={stage}"
        )
    return StageOutputs(stage=stage, **{field: found[name] for field, name in names.items()})


def settings_for(found: StageOutputs) -> Settings:
    """The stage's settings, as its API function has them: nothing of this machine's environment counts.

    Raises as `outputs` does, and Unavailable when the function's variables make no settings.
    """
    with explained(f"the function {found.api_function} cannot be read"):
        function = boto3.client("lambda").get_function_configuration(FunctionName=found.api_function)
    variables = function.get("Environment", {}).get("Variables", {})
    values: dict[str, Any] = {
        name.removeprefix(_PREFIX).lower(): value
        for name, value in variables.items()
        if name.startswith(_PREFIX)
    }
    values |= {"table": found.table, "origins": json.loads(values.get("origins", "[]"))}
    return _settings(values, f"the environment of {found.api_function}")


def with_keys(settings: Settings) -> Settings:
    """The same settings with the values that the vendors' secret holds now.

    Raises as `outputs` does, and Unavailable where the secret does not hold all that it should; no message
    has a value in it (S5).
    """
    secret = settings.vendors_secret or ""
    with explained(f"the secret {secret} cannot be read"):
        held = boto3.client("secretsmanager").get_secret_value(SecretId=secret)
    try:
        values = json.loads(held.get("SecretString", ""))
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise Unavailable(f"the secret {secret} holds no JSON object")
    needed = settings.stored_keys
    if lacking := [name for name in needed if not str(values.get(name) or "").strip()]:
        raise Unavailable(f"the secret {secret} lacks {', '.join(lacking)}")
    if broken := [name for name in needed if not fits_a_header(str(values[name]))]:
        raise Unavailable(f"the secret {secret} has a space, a line break or no ASCII in {', '.join(broken)}")
    return _settings(settings.model_dump() | {name: values[name] for name in needed}, secret)


@contextmanager
def explained(what: str) -> Iterator[None]:
    """AWS' errors in one line each that says what to do; `what` is what was tried.

    Raises InputError without region or credentials, Unavailable for the rest.
    """
    try:
        yield
    except NoRegionError as error:
        raise InputError(
            "no AWS region is set; export AWS_DEFAULT_REGION=…, or name one in ~/.aws/config"
        ) from error
    except (NoCredentialsError, ProfileNotFound) as error:
        raise InputError(f"{error}; sign in (aws sso login, aws configure) or set AWS_PROFILE") from error
    except ClientError as error:
        details = error.response["Error"]
        raise Unavailable(f"{what}: {details['Code']}: {details['Message']}") from error
    except BotoCoreError as error:
        raise Unavailable(f"{what}: {error}") from error


def _settings(values: Mapping[str, Any], source: str) -> Settings:
    """Settings of these values alone. Raises Unavailable, which names the source of the values."""
    try:
        return Settings(**dict(values) | {"_env_prefix": _NO_PREFIX})
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise Unavailable(f"{source} makes no settings: {reason}") from error


def _outputs_of(stack: str, stage: str) -> Mapping[str, str]:
    with explained(f"the stack {stack} cannot be read"):
        try:
            described = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
        except ClientError as error:
            if "does not exist" not in error.response["Error"]["Message"]:
                raise
            missing = f"stage {stage} is not deployed here: there is no stack {stack}"
            raise Unavailable(f"{missing}; run: make deploy STAGE={stage}") from error
    return {one["OutputKey"]: one["OutputValue"] for one in described.get("Outputs", [])}


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
