"""Gateway answers that no function gives, in the words and the shape of the API (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aws_cdk import aws_apigateway as apigw

from bookbound.api.problems import MEDIA_TYPE, TITLES, UNAUTHENTICATED
from bookbound.api.schemas import Problem
from bookbound.deadline import MESSAGE as TIMED_OUT
from infra.stage import Stage


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status with its detail, and the headers that go with it."""

    status: int
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self, request_id: str) -> str:
        """The problem as JSON."""
        problem = Problem(
            type="about:blank",
            title=TITLES[self.status],
            status=self.status,
            detail=self.detail,
            instance=request_id,
        )
        return problem.model_dump_json()


_NOTHING_HERE = Refusal(404, "There is nothing at this address.")
_OUR_FAULT = Refusal(500, "Something went wrong on our side. The request id helps to find out what.")
_LATER = Refusal(503, "The book cannot be asked right now. Try again in a moment.", {"Retry-After": "2"})

TOO_LARGE = Refusal(413, "The body must have at most 64 KiB.")
TOO_MANY = Refusal(429, "Too many requests from this address. Try again in a minute.", {"Retry-After": "60"})
"""Refusal by the firewall, which counts over minutes."""

# A default keeps the gateway's own status unless one is set, and a body cannot tell it: so one is set.
RESPONSES = {
    "DEFAULT_4XX": Refusal(400, "The request cannot be served."),
    "DEFAULT_5XX": _OUR_FAULT,
    "UNAUTHORIZED": Refusal(401, UNAUTHENTICATED, {"WWW-Authenticate": "Bearer"}),
    "ACCESS_DENIED": Refusal(403, "This key or token does not allow that."),
    "AUTHORIZER_FAILURE": _LATER,
    "INTEGRATION_FAILURE": _LATER,
    "INTEGRATION_TIMEOUT": Refusal(504, TIMED_OUT),
    # Where there is no such route, the gateway complains of a signature that nobody needs.
    "MISSING_AUTHENTICATION_TOKEN": _NOTHING_HERE,
    "INVALID_SIGNATURE": _NOTHING_HERE,
    "RESOURCE_NOT_FOUND": _NOTHING_HERE,
    "REQUEST_TOO_LARGE": TOO_LARGE,
    "THROTTLED": Refusal(429, "Too many requests. Try again in a moment.", {"Retry-After": "1"}),
    "UNSUPPORTED_MEDIA_TYPE": Refusal(415, "Send the body as application/json in UTF-8."),
    "WAF_FILTERED": Refusal(403, "The request looks like an attack."),
}


def cross_origin(stage: Stage) -> dict[str, str]:
    """Return headers that let the stage's sites read an answer that no function gave.

    Such a header is fixed text. With several sites it is `*`: these answers hold nothing of a reader's and
    take no credentials, so a strange site learns from them only what anyone who sends the request learns.
    """
    if not stage.origins:
        return {}
    origin = stage.origins[0] if len(stage.origins) == 1 else "*"
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": "Retry-After"}


def add_problems(api: apigw.RestApi, stage: Stage) -> None:
    """Give the gateway these answers for its own."""
    for kind, refusal in RESPONSES.items():
        headers = {**cross_origin(stage), **refusal.headers, "Content-Type": MEDIA_TYPE}
        api.add_gateway_response(
            f"Problem-{kind}",
            type=apigw.ResponseType.of(kind),
            status_code=str(refusal.status),
            response_headers={name: f"'{value}'" for name, value in headers.items()},
            templates={"application/json": refusal.body("$context.requestId")},
        )
