"""The step for a book's own repository: its shape, and the command that it runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bookbound.local.cli import run

ACTION = Path(__file__).parents[2] / ".github" / "actions" / "publish-book"
DEPLOY = Path(__file__).parents[2] / "docs" / "deploy.md"


def action() -> Any:
    return yaml.safe_load((ACTION / "action.yml").read_text())


def test_the_step_hands_its_inputs_over_as_variables_alone() -> None:
    """None stands in a script, where its text would be run; other people's actions are pinned by commit."""
    steps = action()["runs"]["steps"]
    assert action()["runs"]["using"] == "composite"
    for step in steps:
        assert "${{" not in step.get("run", "")
        assert "uses" not in step or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
    used = re.findall(r"\$\{\{ inputs\.(\w+) \}\}", json.dumps(steps))
    assert sorted(used) == sorted(action()["inputs"])


def test_the_step_runs_the_command_with_options_that_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    """The options exist, and every variable is given by the step or by GitHub."""
    step = action()["runs"]["steps"][-1]
    assert run(["publish", "--help"]) == 0
    known = capsys.readouterr().out
    [command] = re.findall(r"bookbound\" publish (.*)", step["run"])
    assert all(option in known for option in re.findall(r"--[a-z-]+", command))
    read = set(re.findall(r"\$\{?([A-Z][A-Z_]+)", step["run"]))
    assert {name for name in read if not name.startswith(("GITHUB_", "RUNNER_"))} == set(step["env"])


def test_the_documented_workflow_gives_the_step_what_it_needs() -> None:
    """The workflow is tested as an author copies it."""
    [text] = re.findall(r"```yaml\n(.*?)```", DEPLOY.read_text(), re.DOTALL)
    [step] = [
        step for step in yaml.safe_load(text)["jobs"]["publish"]["steps"] if "publish-book" in step["uses"]
    ]
    inputs = action()["inputs"]
    assert {name for name, one in inputs.items() if one.get("required")} <= set(step["with"]) <= set(inputs)
