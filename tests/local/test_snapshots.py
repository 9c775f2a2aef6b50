"""The snapshot of a stage's API: another one once book or keys are others, and none for nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from bookbound.local.checks import Check
from bookbound.local.snapshots import PARAMETER, snapshot
from bookbound.local.stage import outputs
from tests.local.deployed import NOTHING, World, world


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A stage right after its first deploy: keys are there, and no book."""
    with world(monkeypatch) as found:
        found.deploy()
        yield found


def looked() -> Check:
    """What is found of the snapshot."""
    found = snapshot(outputs("dev"))
    assert found is not None
    return found


def loaded() -> Any:
    """What the function's configuration says, and with it the version that is released."""
    function = boto3.client("lambda").get_function_configuration(FunctionName="api-function")
    return function["Environment"]["Variables"]["SNAPSHOT_HAS"]


def test_without_a_book_there_is_nothing_to_put_into_a_snapshot(stage: World) -> None:
    """The first one stays."""
    assert snapshot(outputs("dev")) is None
    assert loaded() == NOTHING


def test_a_book_and_then_other_keys_each_make_another_snapshot(stage: World, tmp_path: Path) -> None:
    """Once each; what the snapshot has already is not made again."""
    stage.publish(tmp_path)
    seen = {NOTHING}
    for _ in range(2):
        begun = looked()
        assert begun.ok
        assert "is being released" in begun.found
        assert loaded() not in seen
        assert looked() == Check("snapshot", f"has {loaded()}")
        seen.add(loaded())
        stage.fill(json.dumps(stage.keys | {"claude_api_key": "another"}))
    assert all(one.startswith("kestrel v1, keys ") for one in seen - {NOTHING})


def test_the_stacks_other_parameters_stay(stage: World, tmp_path: Path) -> None:
    """The template too: nothing else is released along."""
    stage.publish(tmp_path)
    cloudformation = boto3.client("cloudformation")
    before = cloudformation.get_template(StackName="bookbound-dev-api")["TemplateBody"]
    looked()
    assert cloudformation.get_template(StackName="bookbound-dev-api")["TemplateBody"] == before
    [stack] = cloudformation.describe_stacks(StackName="bookbound-dev-api")["Stacks"]
    assert [one["ParameterKey"] for one in stack["Parameters"]] == [PARAMETER]


def test_a_stage_without_snapshots_has_nothing_to_look_at(stage: World, tmp_path: Path) -> None:
    """Its API's stack has no such parameter."""
    stage.publish(tmp_path)
    found = outputs("dev")
    cloudformation = boto3.client("cloudformation")
    cloudformation.delete_stack(StackName="bookbound-dev-api")
    cloudformation.create_stack(
        StackName="bookbound-dev-api",
        TemplateBody=json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}),
    )
    assert snapshot(found) is None
