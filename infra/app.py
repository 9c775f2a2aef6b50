"""Synthesises every stage into cdk.out: `python -m infra.app`, with or without the CDK command line."""

from __future__ import annotations

import os

from aws_cdk import App, Validations
from cdk_nag import AwsSolutionsChecks

from infra.stages import STAGES
from infra.state_stack import StateStack

FLAGS = {"@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy": True}
"""CDK's feature flags. Here rather than in cdk.json, which only the command line reads."""


def build(outdir: str) -> App:
    """The app with all stages; synthesis fails where a rule of AwsSolutions is broken."""
    app = App(outdir=outdir, context=FLAGS, analytics_reporting=False)
    for stage in STAGES:
        StateStack(app, stage)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


if __name__ == "__main__":
    # The CDK command line names its folder so.
    build(os.environ.get("CDK_OUTDIR", "cdk.out")).synth()
