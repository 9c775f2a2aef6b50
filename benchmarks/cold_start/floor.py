"""The least that a function of AWS does: imports boto3, answers."""

from __future__ import annotations

from typing import Any

import boto3

SESSION = boto3.session.Session()


def handler(event: Any, context: Any) -> dict[str, Any]:
    """Return only a status."""
    return {"statusCode": 422, "headers": {}, "body": "", "isBase64Encoded": False}
