"""Least privilege of the ingest's steps: their rights are what they do, no less and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from infra.stages import DEV
from testing.small_book import PAGES
from tests.infra.conftest import Synthesised, synthesised
from tests.infra.watched_job import STEPS, Call, WatchedJob, watched

pytestmark = pytest.mark.long

POLICY = "title: Kestrel\ncanary_questions:\n  refuse:\n    - What is the capital of Portugal?\n"
FAILS = "title: Kestrel\ncanary_questions:\n  answer:\n    - What is the capital of Portugal?\n"

BESIDE = {"s3:AbortMultipartUpload", "s3:ListBucket", "secretsmanager:DescribeSecret"}
"""Granted actions in addition to the right used; a caller who may list learns of missing objects."""


@dataclass(frozen=True)
class Right:
    """A right of a step: an action, on keys of this pattern where it is on objects or items."""

    step: str
    action: str
    keys: str | None

    def allows(self, call: Call) -> bool:
        if (self.step, self.action) != (call.step, call.action):
            return False
        return self.keys is None or fnmatchcase(call.on or "", self.keys)


def rights(stack: Synthesised) -> Iterator[Right]:
    """Yield all rights of the steps, except for logs and traces."""
    for step in STEPS:
        start = f"Steps{step.capitalize()}Role"
        policies = stack.resources("ingest", "AWS::IAM::Policy")
        (policy,) = [one for one in policies if one["PolicyName"].startswith(start)]
        for statement in policy["PolicyDocument"]["Statement"]:
            yield from _rights(step, statement)


def _rights(step: str, statement: dict[str, Any]) -> Iterator[Right]:
    actions = [statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"]
    conditions = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
    for action in actions:
        if action.startswith(("logs:", "xray:")):
            continue
        patterns = conditions.get("dynamodb:LeadingKeys", _patterns(statement["Resource"]))
        yield from (Right(step, action, keys) for keys in patterns)


def _patterns(resource: Any) -> list[str | None]:
    """The keys of a bucket's objects that a statement is about; None for what has no keys."""
    if isinstance(resource, list):
        return [pattern for one in resource for pattern in _patterns(one)]
    parts = resource.get("Fn::Join", ["", []])[1]
    last = parts[-1] if parts else ""
    return [last.removeprefix("/") if isinstance(last, str) and last.startswith("/") else None]


@pytest.fixture(scope="module")
def granted(assembly: Any) -> list[Right]:
    """The rights in the template of a stage."""
    return list(rights(synthesised(DEV, assembly)))


def book(folder: Path, metres: int, policy: str = POLICY) -> Path:
    """Build a docs folder with its policy next to it; the metres change one of its pages."""
    docs = folder / str(metres) / "docs"
    docs.mkdir(parents=True)
    for name, text in PAGES.items():
        (docs / name).write_text(text.replace("within 2 m", f"within {metres} m"))
    (docs.parent / "bookbound.yaml").write_text(policy)
    return docs


def runs(job: WatchedJob, folder: Path) -> list[str]:
    """Do runs of every kind and return how each ended.

    Four versions go live, so that the first is deleted: one has a page that cannot be indexed, one is
    uploaded by hand. Another fails its canary question. Two days later the live one is rebuilt from its
    snapshot.
    """
    uploads = [job.upload(book(folder, metres), f"{metres}") for metres in range(2, 5)]
    job.is_deadly("run-1", "safety.md")
    outcomes = [job.run(f"run-{number}", event) for number, event in enumerate(uploads)]
    outcomes.append(job.run("by-hand", job.by_hand(book(folder, 5), "hand")))
    outcomes.append(job.run("fails", job.upload(book(folder, 6, FAILS), "fails")))
    job.let_two_days_pass()
    outcomes.append(job.run("anew", {"book_id": "kestrel", "rebuild": True}))
    return outcomes


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[Call]:
    """Return the calls of the steps in all these runs."""
    with watched() as job:
        outcomes = runs(job, tmp_path_factory.mktemp("books"))
    assert outcomes == ["published"] * 4 + ["failed", "published"]
    return job.calls


@pytest.mark.rule("S5", "I4")
@pytest.mark.parametrize("step", STEPS)
def test_a_step_may_do_what_it_does(granted: list[Right], calls: list[Call], step: str) -> None:
    """Every call that it made is allowed, on the exact object or item."""
    refused = {
        (call.action, call.on)
        for call in calls
        if call.step == step and not any(right.allows(call) for right in granted)
    }
    assert not refused


@pytest.mark.rule("S5", "I4")
@pytest.mark.parametrize("step", STEPS)
def test_a_step_may_do_nothing_that_it_does_not_do(
    granted: list[Right], calls: list[Call], step: str
) -> None:
    """No right is there that none of the runs took."""
    idle = {
        (right.action, right.keys)
        for right in granted
        if right.step == step and right.action not in BESIDE and not any(map(right.allows, calls))
    }
    assert not idle
