"""From a gateway's request to its policy: bearer key or browser token, in or out (S1, S4)."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bookbound.access import credentials
from bookbound.access.credentials import BrowserToken, Client, Denied, Grant

Event = Mapping[str, Any]

_ARN = re.compile(r"arn:[^/*?]+/[^/*?]+/.*")

logger = logging.getLogger("bookbound.authorizer")


class Unauthorized(Exception):
    """Makes the gateway answer 401; it goes by the message, which must be this very word."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


GUARDED = ("POST/v1/*", "POST/mcp", "POST/mcp/*", "GET/mcp", "GET/mcp/*")
"""The calls that have an authorizer, as a policy names them."""


class Authorizer:
    """A REQUEST authorizer of a REST API, with `Authorization` as its one identity source.

    The gateway caches the answer for at most 60 seconds, and nothing is cached here: a revoked key or an
    expired token may live on for that long, plus at most the lag of the table's replicas. When the registry
    or the signing secret cannot be read, their error goes through: the gateway answers 503 to all.
    """

    def __init__(
        self,
        find: Callable[[str], Client | None],
        check: Callable[[str], Grant | None],
        clock: Callable[[], float],
    ) -> None:
        """`find` gives the client of an id, `check` what a browser token grants, `clock` epoch seconds."""
        self._find = find
        self._check = check
        self._clock = clock

    def policy(self, event: object) -> dict[str, Any]:
        """The policy that lets the request in. Raises Unauthorized and Unavailable."""
        method_arn, headers = _request(event)
        grant = self.grant(headers)
        if grant is None:
            raise Unauthorized
        return _policy(method_arn, grant)

    def grant(self, headers: Sequence[str]) -> Grant | None:
        """Return the grant of the request's Authorization headers; None without one. Raises Unavailable."""
        decision = self._decide(headers)
        if isinstance(decision, Denied):
            logger.warning("refused: %s", decision.reason)
            return None
        return decision

    def _decide(self, headers: Sequence[str]) -> Grant | Denied:
        given = credentials.credential(headers)
        if given is None:
            return Denied("no bearer key or token")
        if isinstance(given, BrowserToken):
            return self._check(given.text) or Denied("bad token")
        return credentials.admit(given, self._find(given.client_id), self._clock())


def _request(event: object) -> tuple[str, list[str]]:
    """The method's ARN and all Authorization headers, whose name comes as the caller spelt it.

    Raises Unauthorized for what no gateway sends.
    """
    match event:
        case {"methodArn": str() as arn, "multiValueHeaders": dict() | None as headers}:
            named = [values for name, values in (headers or {}).items() if name.lower() == "authorization"]
            if _ARN.fullmatch(arn) and all(map(_is_texts, named)):
                return arn, [value for values in named for value in values]
    logger.error("not a request of API Gateway")
    raise Unauthorized


def _is_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _policy(method_arn: str, grant: Grant) -> dict[str, Any]:
    """Lets in to every call that has an authorizer, since the gateway keeps it for all of them.

    `method_arn` is `arn:…:{api}/{stage}/{method}/{path}`. Origin and book are not the policy's matter: they
    differ from call to call under one header, so the API looks at them itself.
    """
    api_and_stage = "/".join(method_arn.split("/")[:2])
    return {
        "principalId": grant.client_id,
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": "execute-api:Invoke",
                    "Resource": [f"{api_and_stage}/{calls}" for calls in GUARDED],
                }
            ],
        },
        "context": grant.context(),
    }
