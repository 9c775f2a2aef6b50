"""A stage's table and signing secret in moto, and the authorizer that the function runs, over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from moto import mock_aws

from bookbound.access import credentials
from bookbound.access.authorizer import Authorizer
from bookbound.access.credentials import Client
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.adapters.aws.secrets import Secrets
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from functions.authorizer import wiring

STAGE = "dev"
ARN = "arn:aws:execute-api:eu-central-1:123456789012:abc123/live/POST/v1/chat"
ENVIRONMENT = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "nobody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
    "BOOKBOUND_STAGE": STAGE,
    "BOOKBOUND_TABLE": "table",
    "BOOKBOUND_SIGNING_SECRET": "signing",
}
FIRST = {"kid": "first", "key": "1" * 32}


def key(letter: str, client_id: str = "campus") -> str:
    return credentials.key_text(client_id, letter * 43)


def event(*headers: str, name: str = "Authorization") -> dict[str, Any]:
    """Return a REQUEST authorizer's event; `headers` are the values of Authorization."""
    return {
        "type": "REQUEST",
        "methodArn": ARN,
        "headers": {name: headers[-1]} if headers else {},
        "multiValueHeaders": {name: list(headers)} if headers else {},
    }


@dataclass
class HeldSecret:
    """A signing secret as a process holds it; a fetch brings `newest`, where there is one."""

    held: dict[str, str]
    newest: dict[str, str] | None = None
    fetches: int = 0

    def get(self) -> dict[str, str]:
        return self.held

    def refetch(self, outdated: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        if outdated(self.held):
            self.fetches += 1
            self.held = self.newest or self.held
        return self.held


@dataclass
class Stage:
    """Deployed stage: what operators change, and its functions, each with separate memory."""

    registry: ClientRegistry

    def add(self, client_id: str = "campus", letter: str = "a", **given: Any) -> Client:
        client = Client(client_id, credentials.key_hash(key(letter, client_id)), **given)
        self.registry.add(client)
        return client

    def authorizer(self) -> Authorizer:
        return wiring.build(ENVIRONMENT)

    def signer(self) -> BrowserTokens:
        return BrowserTokens(Secrets(boto3.client("secretsmanager"), "signing"), STAGE)

    def rotate_signing(self, kid: str, letter: str) -> None:
        client = boto3.client("secretsmanager")
        now = json.loads(client.get_secret_value(SecretId="signing")["SecretString"])
        changed = credentials.rotated(now, kid, letter * 32)
        client.put_secret_value(SecretId="signing", SecretString=json.dumps(changed))


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        dynamodb = boto3.client("dynamodb")
        dynamodb.create_table(
            TableName="table",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
        )
        boto3.client("secretsmanager").create_secret(Name="signing", SecretString=json.dumps(FIRST))
        yield Stage(ClientRegistry(dynamodb, "table"))
