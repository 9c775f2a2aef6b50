"""What a stage's later deploys may change: no option locks a stage, and none takes data along."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from infra.app import build
from infra.assets import Assets
from infra.stage import Bedrock, Domain, Embedding, Stage
from tests.infra.conftest import ACCOUNT, Synthesised, synthesised

BARE = Stage(name="later", disposable=False)

OPTIONS: dict[str, Any] = {
    "book": "another-book",
    "embedding": Embedding(passages_model="embed-v6", questions_model="embed-v6-fast", dimensions=512),
    "next_embedding": Embedding(passages_model="embed-v6", questions_model="embed-v6-fast", dimensions=512),
    "embed_rate": 900,
    "origins": ("https://book.example",),
    "demo_page": True,
    "domain": Domain("ask.book.example", f"arn:aws:acm:eu-central-1:{ACCOUNT}:certificate/0123"),
    "vendors_secret": f"arn:aws:secretsmanager:eu-central-1:{ACCOUNT}:secret:vendors-AbCdEf",
    "bedrock": Bedrock(model="eu.anthropic.claude-haiku-5-5-20261001-v1:0"),
    "snap_start": False,
    "reserved_concurrency": 5,
    "throttle_rate": 10,
    "throttle_burst": 50,
    "requests_per_ip": 500,
    "questions_per_session": 10,
    "questions_per_address": 60,
    "tokens_per_address": 30,
    "daily_tokens": 1_000_000,
    "when_spent": "refuse",
    "alarm_email": "owner@book.example",
    "author_email": "author@book.example",
    "hot_days": 60,
    "retention_days": 400,
    "digest_hours": 1,
    "log_days": 7,
    "author_repo": "owner/book",
    "deploy_repo": "owner@42/bookbound@4711",
    "input_price": 1.0,
    "output_price": 5.0,
}
"""Every option of a stage but its name and `disposable`, each with a value other than the usual one."""


@dataclass(frozen=True)
class Deployed:
    """A stage's templates by stack."""

    stage: Synthesised

    def exports(self) -> Mapping[str, str]:
        """Each export's value, by its name."""
        outputs = [
            one for template in self.stage.templates.values() for one in template.get("Outputs", {}).values()
        ]
        return {
            one["Export"]["Name"]: json.dumps(one["Value"], sort_keys=True)
            for one in outputs
            if "Export" in one
        }

    def imports(self) -> set[str]:
        """The names of the exports that a stack uses."""
        return {name for template in self.stage.templates.values() for name in _imported(template)}

    def retained(self) -> dict[tuple[str, str], Mapping[str, Any]]:
        """The resources that outlive their stack, by stack and logical id."""
        return {
            (part, name): resource
            for part, template in self.stage.templates.items()
            for name, resource in template["Resources"].items()
            if str(resource.get("DeletionPolicy", "")).startswith("Retain")
        }


def _imported(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(name := node.get("Fn::ImportValue"), str):
            yield name
        for each in node.values():
            yield from _imported(each)
    elif isinstance(node, list):
        for each in node:
            yield from _imported(each)


def deployed(stage: Stage, assets: Assets, folder: Path) -> Deployed:
    """A stage, synthesised by itself."""
    return Deployed(synthesised(stage, build(str(folder), [stage], assets).synth()))


@pytest.fixture(scope="module")
def bare(assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Deployed:
    """A stage without any option."""
    return deployed(BARE, assets, tmp_path_factory.mktemp("bare"))


def locked(before: Deployed, after: Deployed) -> set[str]:
    """The exports in use before whose producer would drop or change them: CloudFormation refuses that."""
    kept = after.exports()
    return {name for name in before.imports() if kept.get(name) != before.exports()[name]}


def replaced(before: Deployed, after: Deployed) -> set[tuple[str, str]]:
    """The retained resources of which an update would make another one, their data left in the old one."""
    later = after.retained()
    return {
        place
        for place, resource in before.retained().items()
        if place in later and _made_anew(resource, later[place])
    }


def _made_anew(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    if before["Type"] != after["Type"]:
        return True
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", before["Type"]).schema
    fixed = [path.removeprefix("/properties/").split("/") for path in schema.get("createOnlyProperties", [])]
    return any(_at(before.get("Properties"), path) != _at(after.get("Properties"), path) for path in fixed)


def _at(node: Any, path: list[str]) -> Any:
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def test_every_option_is_tried() -> None:
    """A new option of a stage comes with a value to try."""
    assert set(OPTIONS) == {field.name for field in fields(Stage)} - {"name", "disposable"}


def test_a_lost_export_and_another_bucket_are_noticed() -> None:
    """What the comparisons look for is found: an export in use that goes, and a name that cannot change."""
    bucket = {"Type": "AWS::S3::Bucket", "DeletionPolicy": "Retain", "Properties": {"BucketName": "first"}}
    renamed = bucket | {"Properties": {"BucketName": "second"}}
    output = {"Arn": {"Value": "arn", "Export": {"Name": "state:Arn"}}}
    user = {"Resources": {"Role": {"Type": "AWS::IAM::Role", "Arn": {"Fn::ImportValue": "state:Arn"}}}}
    before = {"state": {"Resources": {"Books": bucket}, "Outputs": output}, "api": user}
    after = {"state": {"Resources": {"Books": renamed}}, "api": {"Resources": {}}}
    first, second = (Deployed(Synthesised(BARE, each, frozenset())) for each in (before, after))
    assert locked(first, second) == {"state:Arn"}
    assert replaced(first, second) == {("state", "Books")}


@pytest.mark.long
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_can_be_set_and_unset_on_a_deployed_stage(
    option: str, bare: Deployed, assets: Assets, tmp_path: Path
) -> None:
    """No export that a stack still uses goes or changes, and no retained resource is made anew."""
    changed = deployed(replace(BARE, **{option: OPTIONS[option]}), assets, tmp_path)
    assert not locked(bare, changed)
    assert not locked(changed, bare)
    assert not replaced(bare, changed)
    assert not replaced(changed, bare)
