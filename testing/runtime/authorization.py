"""The gateway's side of a REQUEST authorizer: asks its function, keeps its policy, holds requests to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from testing.runtime.emulator import FunctionError
from testing.runtime.events import Request, authorizer_event, method_arn
from testing.runtime.routes import Match
from testing.runtime.slots import Invokable

IDENTITY_SOURCE = "Authorization"


Clock = Callable[[], float]
"""Seconds from any moment on."""


class Rejected(Exception):
    """An answer by the gateway alone; `kind` is the gateway's name for the reason."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class _Kept:
    until: float
    policy: Mapping[str, Any]


class Authorization:
    """The authorizer function's policies, cached `seconds` for each value of the identity source."""

    def __init__(self, function: Invokable, seconds: float, clock: Clock = time.monotonic) -> None:
        self._function = function
        self._seconds = seconds
        self._clock = clock
        self._kept: dict[str, _Kept] = {}

    def context(self, request: Request, match: Match) -> dict[str, Any]:
        """Return what the API's function learns of the caller. Raises Rejected."""
        identity = request.header(IDENTITY_SOURCE)
        if not identity:
            raise Rejected("UNAUTHORIZED")
        policy = self._policy(identity, request, match)
        if not _allows(policy["policyDocument"], method_arn(request)):
            raise Rejected("ACCESS_DENIED")
        return {"principalId": policy["principalId"], "integrationLatency": 0, **policy.get("context", {})}

    def _policy(self, identity: str, request: Request, match: Match) -> Mapping[str, Any]:
        kept = self._kept.get(identity)
        if kept is None or kept.until <= self._clock():
            policy = self._ask(request, match)
            kept = self._kept[identity] = _Kept(self._clock() + self._seconds, policy)
        return kept.policy

    def _ask(self, request: Request, match: Match) -> Mapping[str, Any]:
        try:
            policy: Mapping[str, Any] = self._function.submit(authorizer_event(request, match)).result()
        except FunctionError as error:
            raise Rejected(
                "UNAUTHORIZED" if error.detail == "Unauthorized" else "AUTHORIZER_FAILURE"
            ) from None
        return policy


def _allows(document: Mapping[str, Any], arn: str) -> bool:
    """A denial that fits counts more than any permission."""
    effects = {
        statement["Effect"]
        for statement in document["Statement"]
        if any(fnmatchcase(arn, pattern) for pattern in _several(statement["Resource"]))
    }
    return effects == {"Allow"}


def _several(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
