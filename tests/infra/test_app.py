"""The app as a whole: what `python -m infra.app` writes, and what stops it."""

from __future__ import annotations

from pathlib import Path

import pytest
from aws_cdk import Stack
from aws_cdk import aws_s3 as s3

from infra.app import build


def test_every_stage_is_synthesised_for_any_account(tmp_path: Path) -> None:
    """No stage breaks a rule of AwsSolutions, and none is bound to an account or a region."""
    stacks = build(str(tmp_path)).synth().stacks
    names = {stack.stack_name for stack in stacks}
    assert names == {"bookbound-dev-state", "bookbound-staging-state", "bookbound-prod-state"}
    assert {stack.environment.name for stack in stacks} == {"aws://unknown-account/unknown-region"}


def test_a_broken_rule_stops_the_synthesis(tmp_path: Path) -> None:
    """A bucket without access log and TLS is found before it is deployed."""
    app = build(str(tmp_path))
    s3.Bucket(Stack(app, "careless"), "Bucket")
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()
    assert "AwsSolutions-S10" in (tmp_path / "validation-report.json").read_text()
