"""What differs between the stages, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import RemovalPolicy


@dataclass(frozen=True, slots=True)
class Stage:
    """A deployment of the whole system.

    Attributes:
        name: part of its stacks' names; lower case.
        disposable: True when destroying a stack destroys its data too; False when the data stays.
        hot_days: age at which an audit record leaves the hot tier; ≥ 30, S3's least for the warm one (A3).
        retention_days: age at which a record leaves the warm tier, or is deleted where it holds personal
            data; > hot_days (A3, A4).
    """

    name: str
    disposable: bool
    hot_days: int = 90
    retention_days: int = 365

    @property
    def removal_policy(self) -> RemovalPolicy:
        """What becomes of a resource that holds data when its stack goes."""
        return RemovalPolicy.DESTROY if self.disposable else RemovalPolicy.RETAIN


DEV = Stage("dev", disposable=True)
STAGING = Stage("staging", disposable=True)
PROD = Stage("prod", disposable=False)

STAGES = (DEV, STAGING, PROD)
