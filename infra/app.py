"""Synthesises the stages into cdk.out: `python -m infra.app`, with or without the CDK command line.

Every stage, or the one that BOOKBOUND_STAGE names. Exits 1 or 2 with one line where that cannot be.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module

from aws_cdk import App, Validations
from cdk_nag import AwsSolutionsChecks

from infra.api_stack import ApiStack
from infra.assets import Assets
from infra.broken import Broken, broken_api
from infra.constructs.github import GitHubStack
from infra.digest_stack import DigestStack
from infra.ingest_stack import IngestStack
from infra.observability_stack import ObservabilityStack
from infra.report_stack import ReportStack
from infra.stage import ConfigError, Stage
from infra.state_stack import StateStack
from layers.deps.build import build as build_functions
from layers.deps.tools import BuildError

FLAGS = {
    "@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy": True,
    "@aws-cdk/aws-lambda:recognizeLayerVersion": True,
    "@aws-cdk/aws-iam:minimizePolicies": True,
    "@aws-cdk/aws-codedeploy:removeAlarmsFromDeploymentGroup": True,
}
"""CDK's feature flags. Here rather than in cdk.json, which only the command line reads."""


def build(outdir: str, stages: Sequence[Stage], assets: Assets, *, forced: bool = False) -> App:
    """The app with these stages; synthesis fails where a rule of AwsSolutions is broken.

    `forced` releases new versions without the check before traffic, and without their alarm.
    """
    app = App(outdir=outdir, context=FLAGS, analytics_reporting=False)
    GitHubStack(app)
    for stage in stages:
        state = StateStack(app, stage)
        api = ApiStack(app, stage, assets=assets, state=state, forced=forced)
        ingest = IngestStack(app, stage, assets=assets, state=state, api=api)
        DigestStack(app, stage, assets=assets, state=state)
        ReportStack(app, stage, assets=assets, state=state)
        ObservabilityStack(app, stage, state=state, api=api, ingest=ingest)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


def _broken(asked: str | None, stages: Sequence[Stage]) -> Broken | None:
    """How the new version is to fail, if it is. Raises ConfigError where readers could meet it."""
    if not asked:
        return None
    if asked not in list(Broken):
        raise ConfigError(f"BOOKBOUND_BROKEN={asked}: there are {', '.join(Broken)}")
    if any(not stage.disposable for stage in stages):
        raise ConfigError("BOOKBOUND_BROKEN is for a disposable stage, named by BOOKBOUND_STAGE")
    return Broken(asked)


def main() -> int:
    """Builds the functions, then the templates: 0; 1 when a build fails, 2 for a stage that cannot be."""
    try:
        # Imported here, since that is where a stage that cannot be shows itself.
        known = import_module("infra.stages")
        asked = os.environ.get("BOOKBOUND_STAGE")
        stages = [known.stage_named(asked)] if asked else known.STAGES
        how = _broken(os.environ.get("BOOKBOUND_BROKEN"), stages)
        built = build_functions("arm64", progress=lambda step: print(step, file=sys.stderr))
        assets = Assets.under(built.path)
        if how:
            assets = replace(assets, api=broken_api(assets.api, built.path, how))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    except (BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if forced := bool(os.environ.get("BOOKBOUND_FORCE")):
        print(
            "FORCE: the new version is not checked before traffic, and no alarm takes it back",
            file=sys.stderr,
        )
    # The CDK command line names its folder so.
    build(os.environ.get("CDK_OUTDIR", "cdk.out"), stages, assets, forced=forced).synth()
    return 0


if __name__ == "__main__":
    sys.exit(main())
