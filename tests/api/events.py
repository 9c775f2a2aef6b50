"""Events as API Gateway sends them."""

from __future__ import annotations

import time
from typing import Any

REQUEST_ID = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"


def event(**changes: Any) -> dict[str, Any]:
    """A REST API proxy event (payload version 1.0), as API Gateway sends it for POST /v1/chat."""
    context = {
        "accountId": "123456789012",
        "resourceId": "abc123",
        "apiId": "1234567890",
        "stage": "prod",
        "requestId": REQUEST_ID,
        "requestTime": "09/Apr/2026:12:34:56 +0000",
        "requestTimeEpoch": int(time.time() * 1000),
        "httpMethod": "POST",
        "path": "/prod/v1/chat",
        "protocol": "HTTP/1.1",
        "resourcePath": "/{proxy+}",
        "identity": {"sourceIp": "127.0.0.1", "userAgent": "test"},
        "authorizer": None,
        **changes.pop("context", {}),
    }
    return {
        "resource": "/{proxy+}",
        "path": "/v1/chat",
        "httpMethod": "POST",
        "headers": {
            "Content-Type": "application/json",
            "Host": "1234567890.execute-api.eu-west-1.amazonaws.com",
        },
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": {"proxy": "v1/chat"},
        "stageVariables": None,
        "requestContext": context,
        "body": '{"question": "What is a node?"}',
        "isBase64Encoded": False,
        **changes,
    }
