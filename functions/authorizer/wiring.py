"""Builds the authorizer from its environment; it starts without settings model, framework and vendors."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from bookbound.access.authorizer import Authorizer

if TYPE_CHECKING:
    from bookbound.access.credentials import Grant
    from bookbound.adapters.crypto.browser_tokens import BrowserTokens

SECONDS = 1.0
"""To connect, and again to be answered; one retry. The caller's five seconds run already (D1)."""


def build(environment: Mapping[str, str]) -> Authorizer:
    """The authorizer that BOOKBOUND_STAGE, BOOKBOUND_TABLE and BOOKBOUND_SIGNING_SECRET tell of."""
    import boto3
    from botocore.config import Config

    from bookbound.adapters.aws.client_registry import ClientRegistry

    config = Config(connect_timeout=SECONDS, read_timeout=SECONDS, retries={"total_max_attempts": 2})
    registry = ClientRegistry(boto3.client("dynamodb", config=config), environment["BOOKBOUND_TABLE"])
    stage, secret_id = environment["BOOKBOUND_STAGE"], environment["BOOKBOUND_SIGNING_SECRET"]

    @cache
    def tokens() -> BrowserTokens:
        """Built for the first token: a stage that only servers ask never loads any of it."""
        from bookbound.adapters.aws.secrets import Secrets
        from bookbound.adapters.crypto.browser_tokens import BrowserTokens

        client = boto3.client("secretsmanager", config=config)
        return BrowserTokens(Secrets(client, secret_id, ("kid", "key")), stage)

    def check(token: str) -> Grant | None:
        return tokens().check(token)

    return Authorizer(registry.find, check, time.time)
