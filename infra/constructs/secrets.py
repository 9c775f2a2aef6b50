"""The stage's two secrets (S5): what the vendors gave the owner, and what signs browser tokens."""

from __future__ import annotations

import json

from aws_cdk import SecretValue
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from bookbound.settings import VENDOR_KEYS
from infra.reasons import excuse
from infra.stage import Stage


class VendorsSecret(secretsmanager.Secret):
    """The vendors' keys: empty strings until the owner fills them in.

    `aws secretsmanager put-secret-value` does that; until then `/v1/ready` and every question answer 503. A
    later deploy leaves what it holds alone.
    """

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(
            scope,
            construct_id,
            description=f"Bookbound {stage.name}: keys of Claude, Cohere and Qdrant, and Qdrant's URL.",
            secret_object_value={key: SecretValue.unsafe_plain_text("") for key in VENDOR_KEYS},
            removal_policy=stage.removal_policy,
        )
        excuse(
            self, "SMG4", "Vendors issue these keys in their own consoles; a new one works without a deploy."
        )


class SigningSecret(secretsmanager.Secret):
    """Key that signs browser tokens (S4), made at random; rotation keeps the previous one with it."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        super().__init__(
            scope,
            construct_id,
            description=f"Bookbound {stage.name}: signs browser tokens.",
            generate_secret_string=secretsmanager.SecretStringGenerator(
                secret_string_template=json.dumps({"kid": "first"}),
                generate_string_key="key",
                password_length=64,
                exclude_punctuation=True,
            ),
            removal_policy=stage.removal_policy,
        )
        excuse(
            self, "SMG4", "`bookbound clients rotate-signing` rotates it, with an overlap for live tokens."
        )
