"""`make trial` over an account of moto's and loopback vendors; the commands that it runs are played.

What only a real account has, such as CodeDeploy's shift and its way back, is played by what CloudFormation,
Lambda and the command line say of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.cloudformation.models import Event, cloudformation_backends

from bookbound import wiring
from bookbound.access.credentials import Client
from bookbound.adapters.aws.bucket_objects import pointer_key, version_prefix
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.adapters.qdrant.remote import RemotePoints
from bookbound.index.manifest import MANIFEST_JSON
from bookbound.settings import Settings
from infra.billing import Resources
from infra.stage import ConfigError
from testing.hosting import collections
from testing.loopback import Asked, Reply, answering
from testing.vendors.cohere import DIMENSIONS
from tests.local.deployed import ACCOUNT, OUTPUTS, REGION, World, deploy, world
from tests.local.test_smoke import ASKED, PLAIN
from trials.whole_stage.__main__ import run
from trials.whole_stage.account import BOOK, Refused
from trials.whole_stage.commands import Traffic

STAGE = "trial"
CANCELLED = "Resource update cancelled"
POINTS = "sample-book-v1-0a1b2c3d"
ALIAS = "AWS::Lambda::Alias"

ALL = [
    *("deploy", "ingest", "doctor", "smoke", "deploy always", "deploy readers", "smoke"),
    *("audit query", "audit erase", "audit query", "destroy"),
]
"""The commands of a trial that goes well, in order."""


@dataclass
class Played:
    """The commands as they would end in an account, with what they leave there; `failing` end with 1.

    Attributes:
        went: what was run.
        out: whether a version that fails goes out nevertheless.
        failed: what fails in the stack where one does not, each with the reason.
        records: of the trial's client, each time that they are asked for.
    """

    world: World
    failing: tuple[str, ...] = ()
    out: bool = False
    failed: tuple[tuple[str, str], ...] = ((ALIAS, "CodeDeploy was stopped"), ("AWS::IAM::Role", CANCELLED))
    records: list[int] = field(default_factory=lambda: [3, 0])
    went: list[str] = field(default_factory=list)

    def run(self, *command: str, env: Mapping[str, str] = {}, said: str | None = None) -> int:
        name = command[1] if command[0] == "make" else " ".join(command[1:3]).removesuffix(" --stage")
        how = env.get("BOOKBOUND_BROKEN")
        self.went.append(f"{name} {how}" if how else name)
        if self.went[-1] in self.failing:
            return 1
        if how:
            for kind in () if self.out else self.failed:
                self._event(kind)
            return 0 if self.out else 1
        if name == "destroy":
            assert said == f"{STAGE}\n"
        effects = {"deploy": self._deploy, "ingest": self._ingest, "destroy": self._destroy}
        effects.get(name, lambda: None)()
        return 0

    def output(self, *command: str) -> str:
        self.went.append("audit query")
        return json.dumps([{}] * self.records.pop(0))

    def _deploy(self) -> None:
        self.world.deploy(STAGE, BOOKBOUND_BOOK=BOOK)
        boto3.client("lambda").create_alias(
            FunctionName=OUTPUTS["api"]["ApiFunction"], Name="live", FunctionVersion="$LATEST"
        )

    def _ingest(self) -> None:
        self._points().make(POINTS, DIMENSIONS)
        manifest = MANIFEST_JSON.dump_json(replace(PLAIN, canaries=(ASKED,)))
        prefix = version_prefix(BOOK, "v1")
        for key, content in {
            pointer_key(BOOK): b"v1\n",
            f"{prefix}manifest.json": manifest,
            f"{prefix}collection": POINTS.encode(),
        }.items():
            boto3.client("s3").put_object(Bucket="books", Key=key, Body=content)

    def _points(self) -> RemotePoints:
        settings = Settings(qdrant_url=self.world.qdrant.url, qdrant_api_key=self.world.qdrant.api_key)  # type: ignore[arg-type]
        points = wiring.index_folder(settings).points
        assert isinstance(points, RemotePoints)
        return points

    def _event(self, failed: tuple[str, str]) -> None:
        stacks = cloudformation_backends[ACCOUNT][REGION].stacks.values()
        [api] = (one for one in stacks if one.name == f"bookbound-{STAGE}-api")
        kind, reason = failed
        api.events.append(Event(api.stack_id, api.name, "x", "x", kind, "UPDATE_FAILED", reason, None))

    def _destroy(self) -> None:
        for part in OUTPUTS:
            boto3.client("cloudformation").delete_stack(StackName=f"bookbound-{STAGE}-{part}")


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """An account with nothing in it, and vendors that answer."""
    with world(monkeypatch) as found:
        yield found


counted = cache(Resources.of)
"""The templates take seconds to make, and are the same for each test."""


def tried(commands: Played, folder: Path, *, destroy: bool = True, stage: str = STAGE) -> int:
    environment = {f"BOOKBOUND_{name.upper()}": value for name, value in commands.world.keys.items()}
    return run(stage, environment, commands, lambda name: destroy, folder, counts=counted)


def test_a_trial_goes_from_nothing_to_nothing(
    there: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every step in its order, the points of the book with the rest, and in the end times and a bill."""
    commands = Played(there)
    assert tried(commands, tmp_path) == 0
    assert commands.went == ALL
    assert collections(there.qdrant) == []
    assert list(tmp_path.iterdir()) == []
    said = capsys.readouterr().out
    assert "8 questions" in said
    assert "hours of what stands" in said
    assert "a version that fails readers" in said


def test_a_trial_goes_on_where_it_was(there: World, tmp_path: Path) -> None:
    """What is done is not done again; what failed is."""
    first = Played(there, failing=("doctor",))
    assert tried(first, tmp_path, destroy=False) == 1
    assert first.went == ["deploy", "ingest", "doctor"]
    second = Played(there)
    assert tried(second, tmp_path) == 0
    assert second.went == ALL[2:]


@pytest.mark.parametrize("failing", ["deploy", "ingest", "smoke", "audit erase"])
def test_whatever_fails_destroying_is_offered(there: World, tmp_path: Path, failing: str) -> None:
    """Nobody pays for a stage that was forgotten."""
    commands = Played(there, failing=(failing,))
    if failing == "deploy":
        deploy(STAGE)  # what a deploy that failed halfway leaves
        (tmp_path / f"{STAGE}.json").write_text(json.dumps({"account": ACCOUNT, "region": REGION}))
    assert tried(commands, tmp_path) == 1
    assert commands.went[-1] == "destroy"
    assert boto3.client("cloudformation").describe_stacks()["Stacks"] == []


def test_a_broken_version_that_goes_out_fails_the_trial(
    there: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The release gate is what is tried here."""
    assert tried(Played(there, out=True), tmp_path) == 1
    assert "a version that fails always went out; nothing took it back" in capsys.readouterr().err


def test_a_deploy_that_fails_for_another_reason_proves_nothing(
    there: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command failed before CloudFormation was asked, or something else in the stack did."""
    assert tried(Played(there, failing=("deploy always",)), tmp_path, destroy=False) == 1
    assert "nothing failed, and not AWS::Lambda::Alias" in capsys.readouterr().err
    other = Played(there, failed=(("AWS::IAM::Role", "no permission"), (ALIAS, CANCELLED)))
    assert tried(other, tmp_path) == 1
    assert "AWS::IAM::Role failed, and not AWS::Lambda::Alias" in capsys.readouterr().err


def test_each_release_is_judged_by_what_failed_since(
    there: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the first one left in the stack's history does not speak for the second one."""
    assert tried(Played(there, failing=("deploy readers",)), tmp_path) == 1
    assert "nothing failed" in capsys.readouterr().err


def test_records_that_come_late_are_waited_for_and_erased(
    there: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record that arrives behind the erasure is not left behind."""
    assert tried(Played(there, records=[3, 1]), tmp_path, destroy=False) == 1
    assert "1 records of client trial are left" in capsys.readouterr().err
    again = Played(there, records=[0])
    assert tried(again, tmp_path) == 0
    assert again.went == ["audit erase", "audit query", "destroy"]


def test_a_stage_that_holds_anything_else_is_refused(there: World, tmp_path: Path) -> None:
    """One that stands already, one that keeps its data, and one that somebody began to use."""
    with pytest.raises(Refused, match="prod keeps its data"):
        tried(Played(there), tmp_path, stage="prod")
    with pytest.raises(ConfigError, match="unknown stage"):
        tried(Played(there), tmp_path, stage="nonesuch")
    assert tried(Played(there, failing=("doctor",)), tmp_path, destroy=False) == 1
    with pytest.raises(Refused, match="stands already, and no trial from here made it"):
        tried(Played(there), tmp_path / "elsewhere")
    ClientRegistry(boto3.client("dynamodb"), "table").add(Client("school", "0" * 64))
    boto3.client("s3").put_object(Bucket="books", Key="books/ros/current", Body=b"v1\n")
    commands = Played(there)
    with pytest.raises(Refused, match="book ros, client school"):
        tried(commands, tmp_path)
    assert commands.went == []


def test_a_trial_of_another_account_is_not_gone_on_with(there: World, tmp_path: Path) -> None:
    """Two accounts may have a stage of one name each."""
    left = {"account": "999999999999", "region": REGION}
    (tmp_path / f"{STAGE}.json").write_text(json.dumps(left))
    with pytest.raises(Refused, match="under way in account 999999999999"):
        tried(Played(there), tmp_path)


def test_without_the_vendors_keys_nothing_is_deployed(there: World, tmp_path: Path) -> None:
    """Which ones are missing is said at once, not after half an hour."""
    commands = Played(there)
    with pytest.raises(Refused, match=r"set BOOKBOUND_CLAUDE_API_KEY, .*BOOKBOUND_QDRANT_API_KEY"):
        run(STAGE, {}, commands, lambda name: True, tmp_path)
    assert commands.went == []


def test_questions_flow_while_a_release_goes_out() -> None:
    """Each with the trial's key; a version that fails them stops none."""
    seen: list[Any] = []

    def respond(asked: Asked) -> Reply:
        seen.append(json.loads(asked.body))
        return 500 if len(seen) % 2 else 200, {}, b"{}"

    with answering(respond) as url:
        traffic = Traffic(url, "bb_trial_key", "What is a node?", pause=0.01)
        with traffic.flowing():
            while len(seen) < 3:
                pass
    assert traffic.asked >= len(seen) >= 3
    assert seen[0] == {"question": "What is a node?"}
