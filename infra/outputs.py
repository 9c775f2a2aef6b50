"""Outputs of a stack, for its owner and for the commands that work on a stage."""

from __future__ import annotations

from aws_cdk import CfnOutput, Stack
from constructs import Construct


def put_out(stack: Stack, **values: str) -> None:
    """The stack's outputs, under exactly these names."""
    for name, value in values.items():
        CfnOutput(Construct(stack, f"{name}Output"), name, value=value).override_logical_id(name)
