from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from aws_cdk import App
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Template

from infra.app import FLAGS
from infra.stages import STAGES, Stage
from infra.state_stack import StateStack


@dataclass(frozen=True)
class State:
    """A stage's state stack with the template that it becomes."""

    stage: Stage
    stack: StateStack
    template: Template

    def resources(self, kind: str) -> Mapping[str, Mapping[str, Any]]:
        """Logical id → resource, for all of a CloudFormation type."""
        return self.template.find_resources(kind)

    def bucket(self, bucket: s3.IBucket) -> dict[str, Any]:
        """The properties of one bucket."""
        logical_id = self.stack.resolve(bucket.bucket_name)["Ref"]
        return dict(self.resources("AWS::S3::Bucket")[logical_id]["Properties"])

    def lifecycle(self, bucket: s3.IBucket) -> list[dict[str, Any]]:
        """A bucket's lifecycle rules."""
        return list(self.bucket(bucket)["LifecycleConfiguration"]["Rules"])

    def fate(self, prefix: str) -> dict[str, Any]:
        """The audit bucket's lifecycle rule for what lies under a prefix."""
        (rule,) = [rule for rule in self.lifecycle(self.stack.audit) if rule.get("Prefix") == prefix]
        return rule


@pytest.fixture(scope="session", params=STAGES, ids=lambda stage: stage.name)
def state(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> State:
    """Each stage's state stack, synthesised once."""
    app = App(outdir=str(tmp_path_factory.mktemp("cdk")), context=FLAGS)
    stack = StateStack(app, request.param)
    return State(request.param, stack, Template.from_stack(stack))
