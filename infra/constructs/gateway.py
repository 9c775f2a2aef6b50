"""The REST API: which calls there are, who may make them, and what is logged of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from aws_cdk import Duration, RemovalPolicy, Stack
from aws_cdk import aws_apigateway as apigw
from aws_cdk import aws_certificatemanager as acm
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from bookbound.api.app import HEADERS, METHODS, PREFLIGHT_SECONDS
from infra.constructs.gateway_responses import add_problems
from infra.reasons import excuse
from infra.stage import Stage

LIVE = "live"

AUTHORIZER_SECONDS = 60
"""Seconds that the gateway caches who may ask, and so the longest that a revoked key may live on."""


@dataclass(frozen=True, slots=True)
class Route:
    """A call; a guarded one needs a client's key or a browser's token (S1, S4)."""

    method: str
    path: str
    guarded: bool = False


ROUTES = (
    Route("POST", "/v1/chat", guarded=True),
    Route("POST", "/v1/books/{book_id}/chat", guarded=True),
    Route("POST", "/v1/feedback", guarded=True),
    Route("POST", "/mcp", guarded=True),
    Route("GET", "/mcp", guarded=True),
    Route("POST", "/mcp/{book_id}", guarded=True),
    Route("GET", "/mcp/{book_id}", guarded=True),
    Route("POST", "/v1/sessions"),
    Route("GET", "/v1/health"),
    Route("GET", "/v1/ready"),
    Route("GET", "/v1/openapi.json"),
)
DEMO_ROUTES = (Route("GET", "/"), Route("GET", "/page/{name}"))

_TYPES = {True: apigw.AuthorizationType.CUSTOM, False: apigw.AuthorizationType.NONE}


class Gateway(apigw.RestApi):
    """The API without its calls, so that the function behind it can know its address; then `route`."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage) -> None:
        self._stage = stage
        self.access_log = logs.LogGroup(
            scope, "AccessLog", retention=stage.log_retention, removal_policy=RemovalPolicy.DESTROY
        )
        super().__init__(
            scope,
            construct_id,
            rest_api_name=_name(stage),
            endpoint_types=[apigw.EndpointType.REGIONAL],
            # One a region for the whole account, so it stays when one of the stages goes.
            cloud_watch_role=True,
            cloud_watch_role_removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
            domain_name=_domain(scope, stage),
            disable_execute_api_endpoint=stage.domain is not None,
            deploy_options=_deploy_options(stage, self.access_log),
        )
        self.node.try_remove_child("Endpoint")
        add_problems(self, stage)
        _explain(self)

    @property
    def origin(self) -> str:
        """Origin of the pages that the API itself serves: scheme and host."""
        if self._stage.domain is not None:
            return f"https://{self._stage.domain.name}"
        stack = Stack.of(self)
        return f"https://{self.rest_api_id}.execute-api.{stack.region}.{stack.url_suffix}"

    @property
    def address(self) -> str:
        """Base to which a call's path is appended; no slash at its end."""
        if self._stage.domain is not None:
            return self.origin
        return f"{self.origin}/{LIVE}"

    def measure(self, name: str, statistic: str) -> cloudwatch.Metric:
        """Return what the gateway counts, by the minute.

        Named, not referred to: a release waits for alarms on it, and the gateway for the released function.
        """
        return cloudwatch.Metric(
            namespace="AWS/ApiGateway",
            metric_name=name,
            statistic=statistic,
            period=Duration.minutes(1),
            dimensions_map={"ApiName": _name(self._stage), "Stage": LIVE},
        )

    def route(self, api: lambda_.IFunction, authorizer: lambda_.IFunction) -> None:
        """Hand every call to the API, the guarded ones by way of the authorizer."""
        guard = apigw.RequestAuthorizer(
            self,
            "Authorizer",
            handler=authorizer,
            identity_sources=[apigw.IdentitySource.header("Authorization")],
            results_cache_ttl=Duration.seconds(AUTHORIZER_SECONDS),
        )
        integration = apigw.LambdaIntegration(api, allow_test_invoke=False, scope_permission_to_method=False)
        for route in (*ROUTES, *(DEMO_ROUTES if self._stage.demo_page else ())):
            resource = self.root.resource_for_path(route.path)
            method = resource.add_method(
                route.method,
                integration,
                authorizer=guard if route.guarded else None,
                authorization_type=_TYPES[route.guarded],
            )
            if not route.guarded:
                excuse(
                    method, "APIG4", "Nothing is asked of a book here; what mints tokens checks the origin."
                )
            if self._stage.origins and resource.node.try_find_child("OPTIONS") is None:
                _answer_preflights(resource, self._stage.origins)


def _answer_preflights(resource: apigw.IResource, origins: Sequence[str]) -> None:
    """Let the gateway answer browsers' preflights as the function would: they start none, and count as none.

    Pages of no other origin ask, and those that the API serves itself send no preflight.
    """
    preflight = resource.add_cors_preflight(
        allow_origins=[*origins],
        allow_methods=[*METHODS],
        allow_headers=[*HEADERS],
        max_age=Duration.seconds(PREFLIGHT_SECONDS),
        status_code=200,
    )
    excuse(preflight, "APIG4", "A browser sends a preflight without credentials.")


def _name(stage: Stage) -> str:
    return f"bookbound-{stage.name}"


def _domain(scope: Construct, stage: Stage) -> apigw.DomainNameOptions | None:
    if stage.domain is None:
        return None
    return apigw.DomainNameOptions(
        domain_name=stage.domain.name,
        certificate=acm.Certificate.from_certificate_arn(scope, "Certificate", stage.domain.certificate_arn),
        endpoint_type=apigw.EndpointType.REGIONAL,
        security_policy=apigw.SecurityPolicy.TLS_1_2,
    )


def _deploy_options(stage: Stage, access_log: logs.LogGroup) -> apigw.StageOptions:
    return apigw.StageOptions(
        stage_name=LIVE,
        access_log_destination=apigw.LogGroupLogDestination(access_log),
        access_log_format=apigw.AccessLogFormat.custom(json.dumps(_access_log_line())),
        logging_level=apigw.MethodLoggingLevel.OFF,
        throttling_rate_limit=stage.throttle_rate,
        throttling_burst_limit=stage.throttle_burst,
        tracing_enabled=True,
    )


def _access_log_line() -> dict[str, str]:
    """The route, never the path as it was sent; no body, and no address of a reader."""
    field = apigw.AccessLogField
    return {
        "time": field.context_request_time_epoch(),
        "request_id": field.context_request_id(),
        "method": field.context_http_method(),
        "route": field.context_resource_path(),
        "status": field.context_status(),
        "client_id": field.context_authorizer("client_id"),
        "latency_ms": field.context_response_latency(),
        "integration_ms": field.context_integration_latency(),
        "authorizer_ms": field.context_authorizer_latency(),
        "problem": field.context_error_response_type(),
        "trace": field.context_xray_trace_id(),
    }


def _explain(api: Gateway) -> None:
    excuse(api, "APIG2", "The function validates, and says in a problem+json which field is wrong and why.")
    excuse(api, "APIG6", "Execution logs would hold readers' questions, which nobody could erase there (A4).")
    excuse(
        api,
        "COG4",
        "Callers are sites and servers with keys and tokens of our own (S1, S4), not user accounts.",
    )
    managed = "arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
    excuse(
        api,
        f"IAM4[Policy::{managed}]",
        "AWS' own policy for this one purpose; the role serves the gateway alone.",
    )
