"""A question that the stage asks itself: as the gateway hands one over, of a caller that it vouches for."""

from __future__ import annotations

import json
from typing import Any

from bookbound.access.credentials import Grant


def question_event(question: str, caller: str) -> dict[str, Any]:
    """Return the API function's event; its record names the caller (S1), and its time begins as it arrives.

    It holds nothing of the moment, so that a schedule can send it over and over.
    """
    return {
        "resource": "/v1/chat",
        "path": "/v1/chat",
        "httpMethod": "POST",
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "requestContext": {
            "requestId": caller,
            "identity": {"sourceIp": "127.0.0.1"},
            "authorizer": Grant(client_id=caller).context(),
        },
        "body": json.dumps({"question": question}),
        "isBase64Encoded": False,
    }
