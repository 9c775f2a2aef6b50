"""Rules of AwsSolutions that do not fit, and why; next to the resource that each is about."""

from __future__ import annotations

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct


def excuse(resource: IConstruct, rule: str, reason: str) -> None:
    """Acknowledge a finding, such as `IAM5[Resource::*]`, on a resource and all that it consists of."""
    Validations.of(resource).acknowledge(Acknowledgment(id=f"AwsSolutions-{rule}", reason=reason))
