"""From a gateway's request to its policy: bearer key or browser token, in or out (S1, S4)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from bookbound import access
from bookbound.access import BrowserToken, Client, Denied, Grant

Event = Mapping[str, Any]

logger = logging.getLogger("bookbound.authorizer")


class Unauthorized(Exception):
    """Makes the gateway answer 401; it goes by the message, which must be this very word."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class Authorizer:
    """A REQUEST authorizer of a REST API, with `Authorization` as its one identity source.

    The gateway keeps what it is told for at most 60 seconds, and nothing is kept here: so long, and no longer
    than the table's replicas lag behind, may a revoked key or a token that is over live on. When the registry
    or the signing secret cannot be read, their error goes through: the gateway answers 503 to everybody.
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

    def policy(self, event: Event) -> dict[str, Any]:
        """The policy that lets the request in. Raises Unauthorized and Unavailable."""
        decision = self.decide(_authorization(event))
        if isinstance(decision, Denied):
            logger.warning("refused: %s", decision.reason)
            raise Unauthorized
        return _policy(event["methodArn"], decision)

    def decide(self, headers: list[str]) -> Grant | Denied:
        """What the request's Authorization headers are good for."""
        given = access.credential(headers)
        if given is None:
            return Denied("no bearer key or token")
        if isinstance(given, BrowserToken):
            return self._check(given.text) or Denied("bad token")
        return access.admit(given, self._find(given.client_id), self._clock())


def _authorization(event: Event) -> list[str]:
    """All Authorization headers; their name comes as the caller spelt it."""
    headers: Mapping[str, list[str]] = event.get("multiValueHeaders") or {}
    return [value for name, values in headers.items() if name.lower() == "authorization" for value in values]


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
                    "Resource": [f"{api_and_stage}/POST/v1/*"],
                }
            ],
        },
        "context": grant.context(),
    }
