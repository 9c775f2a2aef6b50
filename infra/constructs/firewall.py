"""Firewall against floods, known attacks, and bodies that no question needs, in front of the gateway."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import ArnFormat, RemovalPolicy, Stack
from aws_cdk import aws_logs as logs
from aws_cdk import aws_wafv2 as waf
from constructs import Construct

from bookbound.api.bodies import LIMIT
from infra.constructs.gateway_responses import TOO_LARGE, TOO_MANY, Refusal, cross_origin
from infra.stage import Stage

MANAGED = {
    "AWSManagedRulesCommonRuleSet": (
        "SizeRestrictions_BODY",
        "CrossSiteScripting_BODY",
        "EC2MetaDataSSRF_BODY",
        "GenericLFI_BODY",
        "GenericRFI_BODY",
    ),
    "AWSManagedRulesKnownBadInputsRuleSet": (
        "JavaDeserializationRCE_BODY",
        "Log4JRCE_BODY",
        "ReactJSRCE_BODY",
    ),
    "AWSManagedRulesAmazonIpReputationList": (),
}
"""AWS' rules by group, with those that read the body: a textbook's code looks like an attack to them, so they
count and don't block."""

RATE_WINDOW_SECONDS = 300

_Acl = waf.CfnWebACL


class Firewall(Construct):
    """A web ACL before one stage of an API, with a log of what it blocked or would have."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, protects: str) -> None:
        super().__init__(scope, construct_id)
        managed = [_managed(name, priority) for priority, name in enumerate(MANAGED, start=2)]
        acl = _Acl(
            self,
            "Acl",
            scope="REGIONAL",
            default_action=_Acl.DefaultActionProperty(allow={}),
            visibility_config=_visible(f"bookbound-{stage.name}"),
            association_config=_Acl.AssociationConfigProperty(
                request_body={
                    "API_GATEWAY": _Acl.RequestBodyAssociatedResourceTypeConfigProperty(
                        default_size_inspection_limit="KB_64"
                    )
                }
            ),
            custom_response_bodies={"too-large": _body(TOO_LARGE), "too-many": _body(TOO_MANY)},
            rules=[_oversize(stage), _rate(stage), *managed],
        )
        waf.CfnWebACLAssociation(self, "Association", resource_arn=protects, web_acl_arn=acl.attr_arn)
        _Log(self, "Log", stage=stage, acl=acl)


def _oversize(stage: Stage) -> _Acl.RuleProperty:
    """Bodies over the API's own limit; what is beyond the firewall's sight counts as over it."""
    size = _Acl.SizeConstraintStatementProperty(
        field_to_match=_Acl.FieldToMatchProperty(body=_Acl.BodyProperty(oversize_handling="MATCH")),
        comparison_operator="GT",
        size=LIMIT,
        text_transformations=[_Acl.TextTransformationProperty(priority=0, type="NONE")],
    )
    return _Acl.RuleProperty(
        name="Oversize",
        priority=0,
        statement=_Acl.StatementProperty(size_constraint_statement=size),
        action=_block(TOO_LARGE, "too-large", stage),
        visibility_config=_visible("Oversize"),
    )


def _rate(stage: Stage) -> _Acl.RuleProperty:
    """Too many requests from one address."""
    rate = _Acl.RateBasedStatementProperty(
        aggregate_key_type="IP", limit=stage.requests_per_ip, evaluation_window_sec=RATE_WINDOW_SECONDS
    )
    return _Acl.RuleProperty(
        name="Rate",
        priority=1,
        statement=_Acl.StatementProperty(rate_based_statement=rate),
        action=_block(TOO_MANY, "too-many", stage),
        visibility_config=_visible("Rate"),
    )


def _managed(name: str, priority: int) -> _Acl.RuleProperty:
    count = _Acl.RuleActionProperty(count={})
    group = _Acl.ManagedRuleGroupStatementProperty(
        vendor_name="AWS",
        name=name,
        rule_action_overrides=[
            _Acl.RuleActionOverrideProperty(name=rule, action_to_use=count) for rule in MANAGED[name]
        ],
    )
    return _Acl.RuleProperty(
        name=name,
        priority=priority,
        statement=_Acl.StatementProperty(managed_rule_group_statement=group),
        override_action=_Acl.OverrideActionProperty(none={}),
        visibility_config=_visible(name),
    )


def _block(refusal: Refusal, body: str, stage: Stage) -> _Acl.RuleActionProperty:
    # Never empty, as the firewall wants it.
    headers = {"Cache-Control": "no-store", **cross_origin(stage), **refusal.headers}
    response = _Acl.CustomResponseProperty(
        response_code=refusal.status,
        custom_response_body_key=body,
        response_headers=[_Acl.CustomHTTPHeaderProperty(name=name, value=headers[name]) for name in headers],
    )
    return _Acl.RuleActionProperty(block=_Acl.BlockActionProperty(custom_response=response))


def _body(refusal: Refusal) -> _Acl.CustomResponseBodyProperty:
    """Return plain JSON, as the firewall knows no other type of it; and it knows no request's id."""
    return _Acl.CustomResponseBodyProperty(content_type="APPLICATION_JSON", content=refusal.body(""))


def _visible(name: str) -> _Acl.VisibilityConfigProperty:
    """Counted; no sample of a request is kept."""
    return _Acl.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=name, sampled_requests_enabled=False
    )


class _Log(Construct):
    """Requests that were blocked or counted: address and headers, but no key, no token and never a body."""

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, acl: waf.CfnWebACL) -> None:
        super().__init__(scope, construct_id)
        stack = Stack.of(self)
        # WAF writes only into groups of such a name.
        name = f"aws-waf-logs-bookbound-{stage.name}"
        group = logs.LogGroup(
            self,
            "Group",
            log_group_name=name,
            retention=stage.log_retention,
            removal_policy=RemovalPolicy.DESTROY,
        )
        config = waf.CfnLoggingConfiguration(
            self,
            "Config",
            resource_arn=acl.attr_arn,
            log_destination_configs=[
                stack.format_arn(
                    service="logs",
                    resource="log-group",
                    resource_name=name,
                    arn_format=ArnFormat.COLON_RESOURCE_NAME,
                )
            ],
            redacted_fields=[{"singleHeader": {"Name": "authorization"}}],
            logging_filter=_keeping(["BLOCK", "COUNT"]),
        )
        config.node.add_dependency(group)


def _keeping(actions: Sequence[str]) -> dict[str, object]:
    conditions = [{"ActionCondition": {"Action": action}} for action in actions]
    keep = {"Behavior": "KEEP", "Requirement": "MEETS_ANY", "Conditions": conditions}
    return {"DefaultBehavior": "DROP", "Filters": [keep]}
