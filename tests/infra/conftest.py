from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from aws_cdk import cx_api

from infra.app import build
from infra.assets import Assets
from infra.stage import Bedrock, Domain, Embedding, Stage
from infra.stages import STAGES

ACCOUNT = "123456789012"

BEDROCK = Bedrock(model="eu.anthropic.claude-haiku-5-5-20261001-v1:0", region="eu-west-1")

RICH = Stage(
    name="rich",
    disposable=False,
    origins=("https://book.example", "https://other.example"),
    demo_page=True,
    domain=Domain("ask.book.example", f"arn:aws:acm:eu-central-1:{ACCOUNT}:certificate/0123"),
    vendors_secret=f"arn:aws:secretsmanager:eu-central-1:{ACCOUNT}:secret:vendors-AbCdEf",
    bedrock=BEDROCK,
    reserved_concurrency=5,
    alarm_email="owner@book.example",
    author_email="author@book.example",
    author_repo="owner/book",
    deploy_repo="owner@42/bookbound@4711",
    embed_rate=900,
    next_embedding=Embedding(
        passages_model="embed-v6.0-pro", questions_model="embed-v6.0-fast", dimensions=512
    ),
)
"""A stage with everything that a stage may have."""


@dataclass(frozen=True)
class Synthesised:
    """A stage with the templates that it becomes, by the end of their stacks' names."""

    stage: Stage
    templates: Mapping[str, Mapping[str, Any]]
    protected: frozenset[bool]
    """Values of the deletion protection of its stacks."""

    def resources(self, part: str, kind: str) -> list[dict[str, Any]]:
        """The properties of all of a CloudFormation type."""
        return [found["Properties"] for found in self.whole(part, kind).values()]

    def whole(self, part: str, kind: str) -> dict[str, dict[str, Any]]:
        """Logical id → resource, for all of a CloudFormation type."""
        found = self.templates[part]["Resources"]
        return {name: one for name, one in found.items() if one["Type"] == kind}

    def behind(self, part: str, output: str) -> dict[str, Any]:
        """The properties of the resource that an output names."""
        template = self.templates[part]
        found: dict[str, Any] = template["Resources"][template["Outputs"][output]["Value"]["Ref"]][
            "Properties"
        ]
        return found

    def allowed(self) -> Iterator[tuple[Sequence[str], Any]]:
        """Actions and resource of all that any role may do."""
        for part in self.templates:
            for policy in self.resources(part, "AWS::IAM::Policy"):
                for statement in policy["PolicyDocument"]["Statement"]:
                    actions = statement["Action"]
                    yield [actions] if isinstance(actions, str) else actions, statement["Resource"]

    def functions(self) -> dict[str, dict[str, Any]]:
        """The properties of all functions of ours, by handler."""
        found = [
            one for part in ("api", "digest", "ingest", "report") for one in self.resources(part, LAMBDA)
        ]
        return {one["Handler"]: one for one in found}

    def function(self, handler: str) -> dict[str, Any]:
        """The properties of the function with that handler."""
        return self.functions()[handler]


LAMBDA = "AWS::Lambda::Function"
API = "functions.api.handler.handler"
AUTHORIZER = "functions.authorizer.handler.handler"
RELEASE = "functions.release.handler.handler"


def synthesised(stage: Stage, assembly: cx_api.CloudAssembly) -> Synthesised:
    """A stage's part of an assembly."""
    start = f"bookbound-{stage.name}-"
    stacks = [stack for stack in assembly.stacks if stack.stack_name.startswith(start)]
    templates = {stack.stack_name.removeprefix(start): stack.template for stack in stacks}
    protected = frozenset(bool(stack.termination_protection) for stack in stacks)
    return Synthesised(stage, json.loads(json.dumps(templates)), protected)


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Assets:
    """Return assets as small as a build can be."""
    folder = tmp_path_factory.mktemp("lambda")
    for part in (
        "deps/python",
        "ingest-deps/python",
        "weekly-deps/python",
        "core/python",
        "api/functions",
        "authorizer/functions",
        "digest/functions",
        "release/functions",
        "weekly/functions",
        "ingest/ingest_job",
    ):
        (folder / part).mkdir(parents=True)
        (folder / part / "module.py").write_text(f'"""{part}"""')
    return Assets.under(folder)


@pytest.fixture(scope="session")
def assembly(assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> cx_api.CloudAssembly:
    """Every stage of the project, and one with everything, synthesised once."""
    outdir = tmp_path_factory.mktemp("cdk")
    return build(str(outdir), (*STAGES, RICH), assets).synth()


@pytest.fixture(scope="session", params=STAGES, ids=lambda stage: stage.name)
def stack(request: pytest.FixtureRequest, assembly: cx_api.CloudAssembly) -> Synthesised:
    """Each stage of the project."""
    return synthesised(request.param, assembly)


@pytest.fixture(scope="session")
def rich(assembly: cx_api.CloudAssembly) -> Synthesised:
    """The stage with everything."""
    return synthesised(RICH, assembly)
