"""Topic for the reports of runs, for any subscriber."""

from __future__ import annotations

from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from constructs import Construct


class ReportTopic(sns.Topic):
    """Over TLS alone, encrypted with the key that AWS keeps for the account."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        key = kms.Alias.from_alias_name(scope, f"{construct_id}Key", "alias/aws/sns")
        super().__init__(scope, construct_id, enforce_ssl=True, master_key=key)
