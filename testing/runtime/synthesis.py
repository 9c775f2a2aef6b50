"""`python -m testing.runtime.synthesis`: prints the contract in the template of the API of stage dev."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from infra.app import build
from infra.assets import Assets
from infra.stages import DEV
from testing.runtime.contract import Contract, Deployed, Own, Route

_HEADER = "gatewayresponse.header."

Properties = Mapping[str, Any]


def contract(template: Mapping[str, Any]) -> Contract:
    """Return the contract in the template of a stack with one REST API."""

    def of(kind: str) -> dict[str, Properties]:
        resources = template["Resources"].items()
        return {name: one.get("Properties", {}) for name, one in resources if one["Type"] == f"AWS::{kind}"}

    resources = of("ApiGateway::Resource")
    [authorizer] = of("ApiGateway::Authorizer").values()
    return Contract(
        routes=tuple(_route(method, resources) for method in of("ApiGateway::Method").values()),
        own=dict(map(_own, of("ApiGateway::GatewayResponse").values())),
        kept_seconds=authorizer["AuthorizerResultTtlInSeconds"],
        functions=dict(_deployed(of("Lambda::Function"))),
    )


def _route(method: Properties, resources: Mapping[str, Properties]) -> Route:
    path = _path(method["ResourceId"], resources)
    guarded = method["AuthorizationType"] == "CUSTOM"
    return Route(method=method["HttpMethod"], path=path or "/", guarded=guarded)


def _path(reference: Mapping[str, Any], resources: Mapping[str, Properties]) -> str:
    """Return the path of a resource; the root's is empty."""
    if "Ref" not in reference:
        return ""
    resource = resources[reference["Ref"]]
    return f"{_path(resource['ParentId'], resources)}/{resource['PathPart']}"


def _own(response: Properties) -> tuple[str, Own]:
    headers = {
        name.removeprefix(_HEADER): value.strip("'")
        for name, value in response["ResponseParameters"].items()
        if name.startswith(_HEADER)
    }
    [template] = response["ResponseTemplates"].values()
    return response["ResponseType"], Own(status=response["StatusCode"], headers=headers, template=template)


def _deployed(functions: Mapping[str, Properties]) -> Iterator[tuple[str, Deployed]]:
    """Ours, without those that CDK brings along."""
    for function in functions.values():
        if function["Handler"].startswith("functions."):
            variables = set(function["Environment"]["Variables"])
            yield function["Handler"], Deployed(timeout=function["Timeout"], variables=variables)


def main() -> None:
    """Synthesise without building: the content of the functions does not matter here."""
    with tempfile.TemporaryDirectory() as folder:
        nothing = Path(folder, "nothing")
        nothing.mkdir()
        built = build(folder, [DEV], Assets(*[nothing] * len(fields(Assets)))).synth()
        template = built.get_stack_by_name(f"bookbound-{DEV.name}-api").template
    print(contract(template).model_dump_json(indent=1))


if __name__ == "__main__":
    main()
