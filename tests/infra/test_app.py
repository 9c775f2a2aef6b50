"""The app as a whole: what `python -m infra.app` writes, and what stops it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import Stack, cx_api
from aws_cdk import aws_s3 as s3

from infra.app import build, main
from infra.assets import Assets
from infra.stages import DEV, STAGES

pytestmark = pytest.mark.long

PARTS = ("state", "api", "ingest", "digest", "report", "observability")


def test_every_stage_is_synthesised_for_any_account(assembly: cx_api.CloudAssembly) -> None:
    """No stage breaks a rule of AwsSolutions, and none is bound to an account or a region."""
    names = {stack.stack_name for stack in assembly.stacks}
    assert names >= {f"bookbound-{stage.name}-{part}" for stage in STAGES for part in PARTS}
    assert {stack.environment.name for stack in assembly.stacks} == {"aws://unknown-account/unknown-region"}


def test_nothing_is_looked_up(assembly: cx_api.CloudAssembly) -> None:
    """Synthesis needs neither an account nor the network."""
    manifest = json.loads((Path(assembly.directory) / "manifest.json").read_text())
    assert "missing" not in manifest


def test_every_template_is_clean(assembly: cx_api.CloudAssembly) -> None:
    """cfn-lint finds nothing in a disposable and in a lasting stage but what CDK always does.

    That is a dependency said twice (W3005), and a mapping that nothing uses (W7001).
    """
    stages = ("bookbound-dev-", "bookbound-prod-")
    templates = [stack.template_full_path for stack in assembly.stacks if stack.stack_name.startswith(stages)]
    command = [str(Path(sys.executable).with_name("cfn-lint")), "-i", "W3005", "W7001", "--", *templates]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.stdout == ""
    assert found.returncode == 0


def test_a_broken_rule_stops_the_synthesis(tmp_path: Path, assets: Assets) -> None:
    """A bucket without access log and TLS is found before it is deployed."""
    app = build(str(tmp_path), [DEV], assets)
    s3.Bucket(Stack(app, "careless"), "Bucket")
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()
    assert "AwsSolutions-S10" in (tmp_path / "validation-report.json").read_text()


def test_an_unknown_stage_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line lists the stages that there are; no stage is built."""
    monkeypatch.setenv("BOOKBOUND_STAGE", "production")
    assert main() == 2
    assert capsys.readouterr().err == "unknown stage 'production'; there are dev, staging, prod\n"
