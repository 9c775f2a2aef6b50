"""The snapshot that a stage's API starts from: what it was made with, and another one once that has changed.

A snapshot is made with the version that it is of, so another one takes a new version. The API's stack has a
parameter that says what was there when the last one was made: setting it anew is a release like any other,
checked before traffic, with nothing else in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import boto3

from bookbound.adapters.aws.bucket_objects import Objects
from bookbound.adapters.aws.bucket_pointer import read_pointer
from bookbound.errors import Unavailable
from bookbound.local.checks import Check
from bookbound.local.stage import StageOutputs, explained

PARAMETER = "Loaded"
"""Of the API's stack, as infra.api_stack makes it."""

_DIGITS = 8


@dataclass(frozen=True, slots=True)
class _Api:
    """The API's stack, its state, and its parameters by name."""

    stack: str
    status: str
    parameters: dict[str, str]


def snapshot(stage: StageOutputs) -> Check | None:
    """Whether the snapshot has the book and the keys of now; where it has not, another one is begun.

    None for a stage without snapshots, and as long as there is no book or no key to put into one.
    """
    try:
        api = _api(f"bookbound-{stage.stage}-api")
        loaded = _loaded(stage) if PARAMETER in api.parameters else None
    except Unavailable as error:
        return Check("snapshot", str(error), _with_the_rights_of_a_deploy(stage))
    if loaded is None:
        return None
    if api.parameters[PARAMETER] == loaded:
        return Check("snapshot", f"has {loaded}")
    return _renewed(stage, api, loaded)


def _renewed(stage: StageOutputs, api: _Api, loaded: str) -> Check:
    was = api.parameters[PARAMETER]
    if not api.status.endswith("_COMPLETE"):
        later = f"once it is done: make doctor STAGE={stage.stage}"
        return Check("snapshot", f"has {was}, and a release is under way", later)
    kept = [{"ParameterKey": name, "UsePreviousValue": True} for name in api.parameters if name != PARAMETER]
    try:
        with explained("another snapshot cannot be made"):
            boto3.client("cloudformation").update_stack(
                StackName=api.stack,
                UsePreviousTemplate=True,
                Parameters=[{"ParameterKey": PARAMETER, "ParameterValue": loaded}, *kept],  # type: ignore[list-item]
                Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
            )
    except Unavailable as error:
        return Check("snapshot", f"has {was}; {error}", _with_the_rights_of_a_deploy(stage))
    return Check("snapshot", f"had {was}; one with {loaded} is being released, in about six minutes")


def _with_the_rights_of_a_deploy(stage: StageOutputs) -> str:
    """Those of someone who publishes do not suffice; readers only wait a moment longer at a start."""
    return f"with the rights of a deploy: make doctor STAGE={stage.stage}"


def _api(stack: str) -> _Api:
    with explained(f"the stack {stack} cannot be read"):
        [found] = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
    parameters = {one["ParameterKey"]: one.get("ParameterValue", "") for one in found.get("Parameters", [])}
    return _Api(stack, found["StackStatus"], parameters)


def _loaded(stage: StageOutputs) -> str | None:
    """What a snapshot of now has: the default book's version, and the version of the vendors' keys."""
    objects = Objects(boto3.client("s3"), stage.books_bucket)
    live = read_pointer(objects, stage.book).history.live
    if live is None:
        return None
    with explained(f"the secret {stage.vendors_secret} cannot be read"):
        keys: Any = boto3.client("secretsmanager").describe_secret(SecretId=stage.vendors_secret)
    versions = keys.get("VersionIdsToStages", {})
    current = [version for version, labels in versions.items() if "AWSCURRENT" in labels]
    return f"{stage.book} {live}, keys {current[0][:_DIGITS]}" if current else None
