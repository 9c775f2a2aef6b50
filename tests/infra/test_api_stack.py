"""Promises of the API stack to callers, readers and auditors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from aws_cdk import cx_api

from bookbound.api import openapi
from bookbound.api.app import create_app
from bookbound.api.bodies import LIMIT
from bookbound.api.deps import ApiDeps
from bookbound.api.problems import problem_of
from bookbound.api.schemas import Problem
from bookbound.deadline import MESSAGE, TOTAL
from bookbound.errors import Unauthenticated
from bookbound.index.known_questions import OUT_OF_BOOK
from bookbound.local.snapshots import PARAMETER
from bookbound.settings import Settings
from infra.app import build
from infra.assets import Assets
from infra.constructs.gateway_responses import cross_origin
from infra.stage import Bedrock, Stage
from infra.stages import DEV, PROD
from testing.fakes import FakeAnswers, FakeFeedback, FakeIndex
from tests.api.samples import ANSWERED, result_of
from tests.infra.conftest import API, AUTHORIZER, BEDROCK, LAMBDA, RELEASE, RICH, Synthesised, synthesised

METHOD = "AWS::ApiGateway::Method"
LIMITS = (
    "questions_per_session",
    "questions_per_address",
    "tokens_per_address",
    "daily_tokens",
    "when_spent",
)
GUARDED = {"POST /v1/chat", "POST /v1/books/{book_id}/chat", "POST /v1/feedback"}
DEMO = {"GET /", "GET /page/{name}"}
ASSISTANTS = {f"{method} {path}" for method in ("POST", "GET") for path in ("/mcp", "/mcp/{book_id}")}


def calls(stack: Synthesised) -> dict[str, dict[str, Any]]:
    """Method and path → the gateway's method."""
    paths = {name: _path(stack, name) for name in stack.whole("api", "AWS::ApiGateway::Resource")}
    return {
        f"{one['HttpMethod']} {paths.get(one['ResourceId'].get('Ref'), '/')}": one
        for one in stack.resources("api", METHOD)
    }


def _path(stack: Synthesised, name: str) -> str:
    resource = stack.whole("api", "AWS::ApiGateway::Resource")[name]["Properties"]
    parent = resource["ParentId"].get("Ref")
    return f"{_path(stack, parent) if parent else ''}/{resource['PathPart']}"


def documented() -> dict[str, bool]:
    """Every call of the API's description, and whether it takes a key or a token."""
    text = openapi.COMMITTED.read_text()
    return {
        f"{method.upper()} {path}": "security" in call
        for path, methods in json.loads(text)["paths"].items()
        for method, call in methods.items()
    }


def problems(stack: Synthesised) -> Mapping[str, Mapping[str, Any]]:
    """Return the gateway's own answers, by their kind."""
    return {one["ResponseType"]: one for one in stack.resources("api", "AWS::ApiGateway::GatewayResponse")}


def header(response: Mapping[str, Any], name: str) -> str | None:
    value = response["ResponseParameters"].get(f"gatewayresponse.header.{name}")
    return None if value is None else str(value).strip("'")


def rules(stack: Synthesised) -> dict[str, Any]:
    """The firewall's rules by name."""
    (acl,) = stack.resources("api", "AWS::WAFv2::WebACL")
    return {rule["Name"]: rule for rule in acl["Rules"]}


# --- Calls ---------------------------------------------------------------------------------------------


def test_the_gateway_has_every_documented_call_and_no_other(stack: Synthesised) -> None:
    """The only others are the description itself, assistants' calls, and the demo page where there is one."""
    routed = {call for call in calls(stack) if not call.startswith("OPTIONS")}
    demo = DEMO if stack.stage.demo_page else set()
    assert routed == {*documented(), "GET /v1/openapi.json", *ASSISTANTS, *demo}


@pytest.mark.rule("S1", "S4")
def test_nobody_asks_without_a_key_or_a_token(stack: Synthesised) -> None:
    """Exactly the calls that are described so are behind the authorizer, and those of assistants."""
    guarded = {call for call, method in calls(stack).items() if method["AuthorizationType"] == "CUSTOM"}
    assert guarded - ASSISTANTS == {call for call, secured in documented().items() if secured} == GUARDED
    assert guarded >= ASSISTANTS
    assert {method["AuthorizationType"] for method in calls(stack).values()} == {"CUSTOM", "NONE"}


@pytest.mark.rule("S1")
def test_a_revoked_key_is_forgotten_within_a_minute(stack: Synthesised) -> None:
    """The gateway remembers an answer for the whole header, for 60 s."""
    (authorizer,) = stack.resources("api", "AWS::ApiGateway::Authorizer")
    assert authorizer["Type"] == "REQUEST"
    assert authorizer["IdentitySource"] == "method.request.header.Authorization"
    assert authorizer["AuthorizerResultTtlInSeconds"] <= 60


@pytest.mark.rule("S4")
@pytest.mark.parametrize("stage", [DEV, RICH, PROD], ids=lambda stage: stage.name)
def test_the_gateway_answers_every_preflight(stage: Stage, assembly: cx_api.CloudAssembly) -> None:
    """Where the stage names sites; a preflight starts no function, and each site is let in, no other."""
    found = calls(synthesised(stage, assembly))
    paths = {call.split()[1] for call in found}
    preflights = {call: one["Integration"] for call, one in found.items() if call.startswith("OPTIONS")}
    assert set(preflights) == ({f"OPTIONS {path}" for path in paths} if stage.origins else set())
    for integration in preflights.values():
        assert integration["Type"] == "MOCK"
        (response,) = integration["IntegrationResponses"]
        assert all(origin in str(response) for origin in stage.origins)
        assert "'*'" not in str(response)
    others = {one["Integration"]["Type"] for call, one in found.items() if call not in preflights}
    assert others == {"AWS_PROXY"}


@pytest.mark.rule("S4")
async def test_gateway_and_function_answer_a_preflight_alike(rich: Synthesised) -> None:
    """What a page may send is the same at a stage and at a local server."""
    app = create_app(
        ApiDeps(FakeAnswers(result_of(ANSWERED)), FakeIndex().ready, FakeFeedback()), origins=RICH.origins
    )
    asking = {"origin": RICH.origins[0], "access-control-request-method": "POST"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://book.test") as client:
        local = (await client.options("/v1/chat", headers=asking)).headers
    (response,) = calls(rich)["OPTIONS /v1/chat"]["Integration"]["IntegrationResponses"]
    told = {
        name.removeprefix("method.response.header.").lower(): str(value).strip("'")
        for name, value in response["ResponseParameters"].items()
    }
    for header in ("access-control-allow-origin", "access-control-max-age"):
        assert told[header] == local[header]
    for header in ("access-control-allow-methods", "access-control-allow-headers"):
        wanted = {each.strip() for each in told[header].split(",")}
        assert wanted <= {each.strip() for each in local[header].split(",")}


def test_the_gateway_calls_aliases(stack: Synthesised) -> None:
    """A version that is not released is never asked."""
    aliases = {name for name in stack.whole("api", "AWS::Lambda::Alias") if "ReleaseCheck" not in name}
    called = {one["FunctionName"]["Ref"] for one in stack.resources("api", "AWS::Lambda::Permission")}
    assert called == aliases
    for call, method in calls(stack).items():
        if not call.startswith("OPTIONS"):
            assert any(alias in str(method["Integration"]["Uri"]) for alias in aliases)


# --- What the gateway says itself ----------------------------------------------------------------------


def test_the_gateways_own_errors_are_problems(stack: Synthesised) -> None:
    """Shape, media type and status as the API's own (RFC 9457), with the request's id."""
    for response in problems(stack).values():
        problem = Problem.model_validate_json(response["ResponseTemplates"]["application/json"])
        assert str(problem.status) == response["StatusCode"]
        assert problem.instance == "$context.requestId"
        assert header(response, "Content-Type") == "application/problem+json"


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("UNAUTHORIZED", 401),
        ("ACCESS_DENIED", 403),
        ("MISSING_AUTHENTICATION_TOKEN", 404),
        ("INVALID_SIGNATURE", 404),
        ("REQUEST_TOO_LARGE", 413),
        ("UNSUPPORTED_MEDIA_TYPE", 415),
        ("THROTTLED", 429),
        ("DEFAULT_5XX", 500),
        ("INTEGRATION_FAILURE", 503),
        ("AUTHORIZER_FAILURE", 503),
        ("INTEGRATION_TIMEOUT", 504),
    ],
)
def test_each_error_has_its_status(stack: Synthesised, kind: str, status: int) -> None:
    """Not the gateway's own, which are 403 for an unknown path and 500 for a busy function."""
    assert problems(stack)[kind]["StatusCode"] == str(status)


@pytest.mark.rule("D1")
def test_a_timeout_reads_the_same_wherever_it_happens(stack: Synthesised) -> None:
    """The gateway's 504 has the API's own text."""
    body = json.loads(problems(stack)["INTEGRATION_TIMEOUT"]["ResponseTemplates"]["application/json"])
    assert body["detail"] == MESSAGE


@pytest.mark.rule("S1")
def test_nobody_can_tell_the_gateways_401_from_the_apis(stack: Synthesised) -> None:
    """One text for a missing, an unknown and a wrong key, wherever it is said."""
    said = json.loads(problems(stack)["UNAUTHORIZED"]["ResponseTemplates"]["application/json"])
    known = problem_of(Unauthenticated(), "$context.requestId")
    assert Problem(**said) == known


@pytest.mark.rule("S1", "S2")
def test_a_caller_is_told_how_to_go_on(stack: Synthesised) -> None:
    """401 names the scheme; 429 and 503 say when to come back."""
    found = problems(stack)
    assert header(found["UNAUTHORIZED"], "WWW-Authenticate") == "Bearer"
    for response in found.values():
        if response["StatusCode"] in ("429", "503"):
            assert int(header(response, "Retry-After") or 0) >= 1


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    ("origins", "allowed"),
    [
        ((), None),
        (("https://book.example",), "https://book.example"),
        (("https://book.example", "https://other.example"), "*"),
    ],
    ids=["no site", "one site", "two sites"],
)
def test_a_site_can_read_the_gateways_errors(origins: tuple[str, ...], allowed: str | None) -> None:
    """One site by its name; several by `*`, never with credentials."""
    headers = cross_origin(Stage(name="some", disposable=True, origins=origins))
    assert headers.get("Access-Control-Allow-Origin") == allowed
    assert "Access-Control-Allow-Credentials" not in headers


# --- Logs ----------------------------------------------------------------------------------------------


@pytest.mark.rule("A4")
def test_the_access_log_holds_nothing_that_a_reader_wrote(stack: Synthesised) -> None:
    """The route, not the path; no query, no header, no address, no body; and no execution log at all."""
    (live,) = stack.resources("api", "AWS::ApiGateway::Stage")
    assert set(json.loads(live["AccessLogSetting"]["Format"]).values()) == {
        "$context.requestTimeEpoch",
        "$context.requestId",
        "$context.httpMethod",
        "$context.resourcePath",
        "$context.status",
        "$context.authorizer.client_id",
        "$context.responseLatency",
        "$context.integrationLatency",
        "$context.authorizer.latency",
        "$context.error.responseType",
        "$context.xrayTraceId",
    }
    (settings,) = live["MethodSettings"]
    assert settings["LoggingLevel"] == "OFF"
    assert settings["DataTraceEnabled"] is False


@pytest.mark.rule("A4")
def test_every_log_ends_with_the_stages_days(stack: Synthesised) -> None:
    """A line of a log cannot be erased, so no line is kept for long."""
    groups = [one for part in stack.templates for one in stack.resources(part, "AWS::Logs::LogGroup")]
    assert {group["RetentionInDays"] for group in groups} == {stack.stage.log_days}
    assert len(groups) == 19


# --- Functions -----------------------------------------------------------------------------------------


def test_every_function_is_built_alike(stack: Synthesised) -> None:
    """It has arm64, Python 3.13, tracing, JSON logs in a separate group, and two layers."""
    found = stack.functions().values()
    for function in found:
        assert function["Runtime"] == "python3.13"
        assert function["Architectures"] == ["arm64"]
        assert function["TracingConfig"] == {"Mode": "Active"}
        assert function["LoggingConfig"]["LogFormat"] == "JSON"
        assert len(function["Layers"]) == 2
    assert len({str(function["LoggingConfig"]["LogGroup"]) for function in found}) == len(found) == 14


@pytest.mark.rule("D1")
def test_a_question_has_its_time_and_the_gateway_waits(stack: Synthesised) -> None:
    """The function outlives a question's five seconds, so that it answers 504 itself and keeps the record."""
    assert TOTAL < stack.function(API)["Timeout"] < 29
    assert stack.function(AUTHORIZER)["Timeout"] <= TOTAL


def test_no_call_is_asynchronous(stack: Synthesised) -> None:
    """A function's dead-letter queue would have nothing to catch."""
    for part in ("api", "ingest"):
        assert not stack.whole(part, "AWS::Lambda::EventInvokeConfig")
        assert not stack.whole(part, "AWS::Lambda::EventSourceMapping")


@pytest.mark.rule("S5")
def test_the_environment_makes_settings(stack: Synthesised) -> None:
    """It is whole, names secrets and holds none; its origins are the stage's, and the demo page's own."""
    environment = stack.function(API)["Environment"]["Variables"]
    values: dict[str, Any] = {
        name.removeprefix("BOOKBOUND_").lower(): _plain(value)
        for name, value in environment.items()
        if name.startswith("BOOKBOUND_")
    }
    assert set(values) <= set(Settings.model_fields)
    own = ("https://gateway",) if stack.stage.demo_page else ()
    origins = values.pop("origins").replace(".execute-api.", "").replace(".amazonaws.com", "")
    settings = Settings(**values, origins=json.loads(origins))
    assert settings.origins == (*stack.stage.origins, *own)
    assert settings.stage == stack.stage.name
    for name in LIMITS:
        assert getattr(settings, name) == getattr(stack.stage, name)
    assert settings.claude_api_key is settings.cohere_api_key is settings.qdrant_api_key is None


def _plain(value: Any) -> str:
    """A value as CloudFormation would fill it in: stand-ins for what other resources are called."""
    if isinstance(value, str):
        return value
    (kind, of), *_ = value.items()
    if kind == "Fn::Join":
        return "".join(map(_plain, of[1]))
    if kind == "Fn::ImportValue":
        return "https://queue.example" if "AuditFallback" in of else "imported"
    return {"AWS::URLSuffix": "amazonaws.com", "AWS::Region": ""}.get(of, "gateway")


def test_the_authorizer_knows_its_table_and_its_key(stack: Synthesised) -> None:
    """And nothing of books, vendors or records."""
    names = {name for name in stack.function(AUTHORIZER)["Environment"]["Variables"] if "BOOKBOUND" in name}
    assert names == {"BOOKBOUND_STAGE", "BOOKBOUND_TABLE", "BOOKBOUND_SIGNING_SECRET"}


def test_the_api_starts_from_a_snapshot_and_reserves_nothing(stack: Synthesised, rich: Synthesised) -> None:
    """On every stage, and the API alone; concurrency is reserved where the stage says so."""
    assert stack.function(API)["SnapStart"] == {"ApplyOn": "PublishedVersions"}
    assert "SnapStart" not in stack.function(AUTHORIZER)
    assert "ReservedConcurrentExecutions" not in stack.function(API)
    assert rich.function(API)["ReservedConcurrentExecutions"] == RICH.reserved_concurrency


def test_another_snapshot_is_made_by_a_parameter_alone(stack: Synthesised) -> None:
    """Lambda publishes what has another configuration, CloudFormation a version of another description."""
    assert PARAMETER in stack.templates["api"]["Parameters"]
    said = {"Ref": PARAMETER}
    assert stack.function(API)["Environment"]["Variables"]["SNAPSHOT_HAS"] == said
    versions = stack.resources("api", "AWS::Lambda::Version")
    assert [one["Description"] for one in versions if "Description" in one] == [said]


def test_a_stage_may_have_claude_by_its_own_role(stack: Synthesised, rich: Synthesised) -> None:
    """One model may be invoked, in one piece; a stage that has Anthropic's API may invoke none."""

    def invoking(of: Synthesised) -> list[tuple[Sequence[str], Any]]:
        return [found for found in of.allowed() if any(one.startswith("bedrock:") for one in found[0])]

    assert invoking(stack) == []
    [(actions, [model, profile])] = invoking(rich)
    assert actions == ["bedrock:InvokeModel"]
    assert profile["Fn::Join"][1][-1].endswith(f":inference-profile/{BEDROCK.model}")
    assert model["Fn::Join"][1][-1] == ":bedrock:*::foundation-model/anthropic.claude-haiku-5-5-20261001-v1:0"
    variables = rich.function(API)["Environment"]["Variables"]
    assert variables["BOOKBOUND_GENERATOR"] == "bedrock"
    assert variables["BOOKBOUND_BEDROCK_MODEL"] == BEDROCK.model
    assert variables["BOOKBOUND_BEDROCK_REGION"] == BEDROCK.region


def test_a_model_of_one_region_is_the_one_thing_that_is_invoked() -> None:
    """No profile stands in front of it, so no other region has a part in it."""
    found = Bedrock(model="anthropic.claude-x-v1:0").arns(partition="aws", region="eu-west-1", account="1")
    assert found == ["arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-x-v1:0"]


# --- Release -------------------------------------------------------------------------------------------


def test_a_new_version_is_tried_on_a_tenth(stack: Synthesised) -> None:
    """For five minutes; its own failures take it back by themselves, an outage of a vendor does not."""
    (group,) = stack.resources("api", "AWS::CodeDeploy::DeploymentGroup")
    assert group["DeploymentConfigName"] == "CodeDeployDefault.LambdaCanary10Percent5Minutes"
    assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
    (watched,) = [alarm["Name"]["Ref"] for alarm in group["AlarmConfiguration"]["Alarms"]]
    alarm = stack.whole("api", "AWS::CloudWatch::Alarm")[watched]["Properties"]
    metrics = [one["MetricStat"]["Metric"] for one in alarm["Metrics"] if "MetricStat" in one]
    versions = {
        json.dumps(dimension["Value"])
        for metric in metrics
        for dimension in metric["Dimensions"]
        if dimension["Name"] in ("version", "ExecutedVersion")
    }
    assert {metric["MetricName"] for metric in metrics} == {"VersionQuestions", "VersionFailures", "Errors"}
    assert len(versions) == 1, "all of one version"
    assert "Version" in versions.pop()
    assert alarm["TreatMissingData"] == "notBreaching"


def test_a_new_version_is_asked_before_it_gets_traffic(stack: Synthesised) -> None:
    """CodeDeploy calls the check, which asks the version by its number, and may call no other function."""
    (shifting,) = [one for one in stack.whole("api", "AWS::Lambda::Alias").values() if "UpdatePolicy" in one]
    released = shifting["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]
    assert released["BeforeAllowTrafficHook"]["Ref"] in shifting["DependsOn"]
    asks = stack.whole("api", LAMBDA)[released["BeforeAllowTrafficHook"]["Ref"]]["Properties"]
    assert asks["Handler"] == RELEASE
    environment = stack.function(RELEASE)["Environment"]["Variables"]
    (version,) = stack.whole("api", "AWS::Lambda::Version").keys() & {environment["BOOKBOUND_NEW"]["Ref"]}
    (api,) = [
        name
        for name, one in stack.whole("api", LAMBDA).items()
        if one["Properties"]["Handler"] == "functions.api.handler.handler"
    ]
    assert stack.whole("api", "AWS::Lambda::Version")[version]["Properties"]["FunctionName"] == {"Ref": api}
    assert environment["BOOKBOUND_LIVE"] == {"Fn::Join": ["", [{"Fn::GetAtt": [api, "Arn"]}, ":live"]]}


def test_a_forced_release_asks_nobody(assets: Assets, tmp_path: Path) -> None:
    """FORCE=1 is for a release that has to go out: no check, no alarm, and what it began can still fail."""
    forced = synthesised(DEV, build(str(tmp_path), [DEV], assets, forced=True).synth())
    (group,) = forced.resources("api", "AWS::CodeDeploy::DeploymentGroup")
    assert "Alarms" not in group.get("AlarmConfiguration", {})
    assert group["AutoRollbackConfiguration"]["Events"] == [
        "DEPLOYMENT_FAILURE",
        "DEPLOYMENT_STOP_ON_REQUEST",
    ]
    assert "BeforeAllowTrafficHook" not in str(forced.templates["api"])


def test_one_alarm_tells_people(stack: Synthesised) -> None:
    """It stands over the two on what callers get: the share of 5xx, and the 95th percentile."""
    found = {
        name: one
        for name, one in stack.whole("api", "AWS::CloudWatch::Alarm").items()
        if "MetricName" in one["Properties"]
    }
    watched = {(one["Properties"]["MetricName"], one["Properties"]["Threshold"]) for one in found.values()}
    assert watched == {("5XXError", 0.05), ("Latency", 4500)}
    (health,) = stack.resources("api", "AWS::CloudWatch::CompositeAlarm")
    assert all(name in str(health["AlarmRule"]) for name in found)
    assert health["AlarmActions"]


# --- Firewall ------------------------------------------------------------------------------------------


def test_the_firewall_stands_before_the_live_stage(stack: Synthesised) -> None:
    """A request that no rule blocks is let through."""
    (association,) = stack.resources("api", "AWS::WAFv2::WebACLAssociation")
    (live,) = stack.whole("api", "AWS::ApiGateway::Stage")
    assert live in str(association["ResourceArn"])
    (acl,) = stack.resources("api", "AWS::WAFv2::WebACL")
    assert acl["DefaultAction"] == {"Allow": {}}


def test_a_textbooks_code_is_no_attack(stack: Synthesised) -> None:
    """AWS' rules that read the body count; all others of theirs block."""
    for name, rule in rules(stack).items():
        if not name.startswith("AWS"):
            continue
        assert rule["OverrideAction"] == {"None": {}}
        overrides = rule["Statement"]["ManagedRuleGroupStatement"].get("RuleActionOverrides", [])
        assert all(one["Name"].endswith("_BODY") for one in overrides)
        assert all(one["ActionToUse"] == {"Count": {}} for one in overrides)
    counted = str(rules(stack)["AWSManagedRulesCommonRuleSet"])
    assert "SizeRestrictions_BODY" in counted
    assert "CrossSiteScripting_BODY" in counted


def test_a_body_that_no_question_needs_is_turned_away(stack: Synthesised) -> None:
    """At the API's own limit, with its own answer; what is too long to be inspected counts as too long."""
    rule = rules(stack)["Oversize"]
    size = rule["Statement"]["SizeConstraintStatement"]
    assert (size["ComparisonOperator"], size["Size"]) == ("GT", LIMIT)
    assert size["FieldToMatch"] == {"Body": {"OversizeHandling": "MATCH"}}
    response = rule["Action"]["Block"]["CustomResponse"]
    (acl,) = stack.resources("api", "AWS::WAFv2::WebACL")
    body = acl["CustomResponseBodies"][response["CustomResponseBodyKey"]]["Content"]
    assert Problem.model_validate_json(body).status == response["ResponseCode"] == 413
    inspected = acl["AssociationConfig"]["RequestBody"]["API_GATEWAY"]["DefaultSizeInspectionLimit"]
    assert inspected == f"KB_{LIMIT // 1024}"


@pytest.mark.rule("S2")
def test_floods_are_stopped_before_they_cost(stack: Synthesised) -> None:
    """By address in the firewall, and for all callers together at the gateway."""
    rule = rules(stack)["Rate"]
    rate = rule["Statement"]["RateBasedStatement"]
    assert (rate["AggregateKeyType"], rate["Limit"]) == ("IP", stack.stage.requests_per_ip)
    response = rule["Action"]["Block"]["CustomResponse"]
    assert response["ResponseCode"] == 429
    assert "Retry-After" in {one["Name"] for one in response["ResponseHeaders"]}
    (live,) = stack.resources("api", "AWS::ApiGateway::Stage")
    (settings,) = live["MethodSettings"]
    limits = (settings["ThrottlingRateLimit"], settings["ThrottlingBurstLimit"])
    assert limits == (stack.stage.throttle_rate, stack.stage.throttle_burst)


@pytest.mark.rule("S5")
def test_the_firewalls_log_holds_no_key(stack: Synthesised) -> None:
    """Nor samples of requests, nor the requests that passed."""
    (log,) = stack.resources("api", "AWS::WAFv2::LoggingConfiguration")
    assert log["RedactedFields"] == [{"SingleHeader": {"Name": "authorization"}}]
    assert log["LoggingFilter"]["DefaultBehavior"] == "DROP"
    assert not any(rule["VisibilityConfig"]["SampledRequestsEnabled"] for rule in rules(stack).values())


# --- Address -------------------------------------------------------------------------------------------


def test_a_stage_has_the_address_that_aws_gives(stack: Synthesised) -> None:
    """Without a slash at its end."""
    url = _plain(stack.templates["api"]["Outputs"]["Url"]["Value"])
    assert url.startswith("https://gateway.execute-api.")
    assert url.endswith("/live")


def test_a_stage_may_have_a_name_of_its_own(rich: Synthesised) -> None:
    """Then the other address is closed, and the demo page's origin is the name."""
    assert rich.templates["api"]["Outputs"]["Url"]["Value"] == "https://ask.book.example"
    (api,) = rich.resources("api", "AWS::ApiGateway::RestApi")
    assert api["DisableExecuteApiEndpoint"]
    (domain,) = rich.resources("api", "AWS::ApiGateway::DomainName")
    assert domain["SecurityPolicy"] == "TLS_1_2"
    assert "RegionalDomainName" in str(rich.templates["api"]["Outputs"]["DomainTarget"]["Value"])
    origins = rich.function(API)["Environment"]["Variables"]["BOOKBOUND_ORIGINS"]
    assert json.loads(origins) == [*RICH.origins, "https://ask.book.example"]


def test_nothing_else_runs_in_this_stack(stack: Synthesised) -> None:
    """Three functions of ours, and no helper of CDK's."""
    assert len(stack.whole("api", LAMBDA)) == 3


def test_a_stage_asks_itself_what_needs_no_model(stack: Synthesised) -> None:
    """Every six hours, as a caller of that name: a question that is searched for and that no book answers."""
    (rule,) = stack.resources("api", "AWS::Events::Rule")
    assert rule["ScheduleExpression"] == "rate(6 hours)"
    (target,) = rule["Targets"]
    assert target["Arn"]["Ref"] in stack.whole("api", "AWS::Lambda::Alias")
    event = json.loads(target["Input"])
    assert event["requestContext"]["authorizer"]["client_id"] == "heartbeat"
    assert json.loads(event["body"]) == {"question": OUT_OF_BOOK}
