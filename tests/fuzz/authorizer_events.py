"""Events to the authorizer: any event gives a policy for the right credential, or Unauthorized."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from bookbound.access.authorizer import Authorizer, Unauthorized
from tests.fuzz.mutations import mutated_json
from tests.fuzz.target import Target
from tests.fuzz.tokens import CLIENT, GOOD, LET_IN, NOW, TOKENS, key

ARN = "arn:aws:execute-api:eu-central-1:123456789012:abc123/live/POST/v1/chat"
_RESOURCE = re.compile(r"arn:[^*?/]+/[^*?/]+/(?:POST/v1/\*|(?:POST|GET)/mcp(?:/\*)?)")
_AUTHORIZER = Authorizer({"campus": CLIENT}.get, TOKENS.check, lambda: NOW)


def law(content: bytes) -> None:
    try:
        event = json.loads(content)
    except (ValueError, RecursionError):
        return
    try:
        policy = _AUTHORIZER.policy(event)
    except Unauthorized:
        return
    _check(policy)
    [header] = _headers(event)
    scheme, _, credential = header.strip(" \t").partition(" ")
    assert scheme.lower() == "bearer"
    assert credential.lstrip(" ") in LET_IN, "somebody got in who should not"


def _check(policy: dict[str, Any]) -> None:
    [statement] = policy["policyDocument"]["Statement"]
    assert (statement["Effect"], statement["Action"]) == ("Allow", "execute-api:Invoke")
    assert statement["Resource"]
    for resource in statement["Resource"]:
        assert _RESOURCE.fullmatch(resource), f"opens more than this API: {resource}"
    assert policy["principalId"]
    assert all(isinstance(value, str) and value for value in policy["context"].values())
    json.dumps(policy)


def _headers(event: dict[str, Any]) -> list[str]:
    headers = event["multiValueHeaders"].items()
    return [value for name, values in headers if name.lower() == "authorization" for value in values]


def request(*headers: str, name: str = "Authorization") -> bytes:
    event = {
        "type": "REQUEST",
        "methodArn": ARN,
        "headers": {name: headers[-1]} if headers else None,
        "multiValueHeaders": {name: headers, "Host": ["api.test"]} if headers else None,
        "requestContext": {"requestId": "1", "identity": {"sourceIp": "127.0.0.1"}},
    }
    return json.dumps(event).encode()


def seeds() -> Iterator[bytes]:
    yield request(f"Bearer {key('a')}")
    yield request(f"bearer {key('b')}", name="authorization")
    yield request(f"Bearer {GOOD}", name="AUTHORIZATION")
    yield request(f"Bearer {key('c')}")
    yield request(f"Bearer {key('a')}", f"Bearer {key('a')}")
    yield request()
    yield b"[]"


TARGET = Target(law, seeds, mutate=mutated_json)
