"""The step for a book's own repository: its shape, and its script run as GitHub would."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from bookbound.adapters.book_archive import BookArchive
from bookbound.adapters.docs_folder import DocsFolder
from bookbound.ingesting import read
from bookbound.reporting import RUN_REPORT_JSON, Outcome, RunReport

ACTION = Path(__file__).parents[2] / ".github" / "actions" / "publish-book"
DEPLOY = Path(__file__).parents[2] / "docs" / "deploy.md"
SAMPLE = Path(__file__).parents[2] / "sample_book"
STANDS_IN = Path(__file__).with_name("aws.py")
RUN = "github-17-2-kestrel"


@dataclass
class Runner:
    """A machine of GitHub's with the book's repository, and what is in its account."""

    folder: Path

    @property
    def account(self) -> Path:
        return self.folder / "account"

    def play(self, outcome: Outcome | None, *statuses: str) -> None:
        """What the run's status is from look to look, and which report it leaves, if any."""
        (self.account / "statuses").write_text(" ".join(statuses))
        if outcome:
            error = "canary question 'What?' is refused" if outcome == "failed" else None
            report = RunReport("kestrel", RUN, outcome, error, "uploads/kestrel/c0ffee.zip", None, 61.0)
            (self.account / "report.json").write_bytes(RUN_REPORT_JSON.dump_json(report))

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """The action's script, with these inputs."""
        environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "FAKE_AWS": str(self.account),
            "GITHUB_SHA": "c0ffee",
            "GITHUB_RUN_ID": "17",
            "GITHUB_RUN_ATTEMPT": "2",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "STAGE": "prod",
            "BOOK": "",
            "DOCS": "site/docs",
            "POLL_SECONDS": "0",
            **inputs,
        }
        script = str(ACTION / "publish.sh")
        return subprocess.run(
            ["bash", script], env=environment, cwd=self.folder, capture_output=True, text=True, check=False
        )

    def calls(self, *command: str) -> list[list[str]]:
        """The arguments of each call of a command of `aws`."""
        lines = (self.account / "calls.jsonl").read_text().splitlines()
        return [call for call in map(json.loads, lines) if call[: len(command)] == list(command)]


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """With the sample book checked out."""
    if missing := [tool for tool in ("bash", "zip", "jq") if not shutil.which(tool)]:
        pytest.skip(f"GitHub's runners have {', '.join(missing)}, and this machine does not")
    (tmp_path / "account" / "sent").mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    stand_in = tmp_path / "bin" / "aws"
    stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STANDS_IN}" "$@"\n')
    stand_in.chmod(0o755)
    shutil.copytree(SAMPLE, tmp_path / "site")
    return Runner(tmp_path)


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


def test_the_script_gets_every_variable_that_it_reads() -> None:
    """From the step, or from GitHub."""
    script = (ACTION / "publish.sh").read_text()
    read_ones = set(re.findall(r"\$\{?([A-Z][A-Z_]+)", script))
    given = set(action()["runs"]["steps"][-1]["env"])
    assert {name for name in read_ones if not name.startswith("GITHUB_")} == given


def test_the_documented_workflow_gives_the_step_what_it_needs() -> None:
    """As an author copies it."""
    [text] = re.findall(r"```yaml\n(.*?)```", DEPLOY.read_text(), re.DOTALL)
    [step] = [
        step for step in yaml.safe_load(text)["jobs"]["publish"]["steps"] if "publish-book" in step["uses"]
    ]
    inputs = action()["inputs"]
    assert {name for name, one in inputs.items() if one.get("required")} <= set(step["with"]) <= set(inputs)


@pytest.mark.rule("I4")
def test_the_whole_book_is_sent_and_its_report_shown(runner: Runner) -> None:
    """The same book that a docs folder is; the step ends when the run does."""
    runner.play("published", "RUNNING", "RUNNING", "SUCCEEDED")
    done = runner.run()
    assert done.returncode == 0, done.stderr
    archive, folder = BookArchive(runner.account / "sent" / "c0ffee.zip"), DocsFolder(SAMPLE / "docs")
    assert archive.policy() == folder.policy()
    assert read(archive, archive.policy(), "b") == read(folder, folder.policy(), "b")
    [started] = runner.calls("stepfunctions", "start-execution")
    assert started[started.index("--name") + 1] == RUN
    asked = {"book_id": "kestrel", "key": "uploads/kestrel/c0ffee.zip"}
    assert json.loads(started[-1]) == asked
    [upload, report] = runner.calls("s3", "cp")
    assert upload[-1] == "s3://books/uploads/kestrel/c0ffee.zip"
    assert report[-2] == f"s3://books/runs/kestrel/{RUN}/report.json"
    assert len(runner.calls("stepfunctions", "describe-execution")) == 3
    assert '"outcome": "published"' in (runner.folder / "summary.md").read_text()


def test_another_book_and_folder_are_named_by_inputs(runner: Runner) -> None:
    """A run's name has no dot, whatever the book's has."""
    (runner.folder / "site" / "docs").rename(runner.folder / "site" / "documentation")
    runner.play("unchanged", "SUCCEEDED")
    done = runner.run(BOOK="ros2.humble", DOCS="site/documentation")
    assert done.returncode == 0, done.stderr
    [started] = runner.calls("stepfunctions", "start-execution")
    assert started[started.index("--name") + 1] == "github-17-2-ros2-humble"
    assert json.loads(started[-1])["book_id"] == "ros2.humble"
    assert len(BookArchive(runner.account / "sent" / "c0ffee.zip").read()[0]) > 20


def test_no_more_than_a_book_is_sent(runner: Runner) -> None:
    """Neither the site's other files nor what is no picture."""
    (runner.folder / "site" / "static" / "film.mp4").write_bytes(b"0" * 1000)
    (runner.folder / "site" / "docs" / "link.md").symlink_to("/etc/hostname")
    runner.play("published", "SUCCEEDED")
    assert runner.run().returncode == 0
    sent = runner.account / "sent" / "c0ffee.zip"
    with zipfile.ZipFile(sent) as archive:
        listed = archive.namelist()
    assert {path.partition("/")[0] for path in listed} == {"docs", "static", "bookbound.yaml"}
    assert "static/film.mp4" not in listed
    skipped = {one.path: one.reason for one in BookArchive(sent).read()[1]}
    assert skipped["link.md"].startswith("a symlink")


@pytest.mark.parametrize(
    ("outcome", "status", "told"),
    [
        ("failed", "FAILED", "::error::canary question 'What?' is refused"),
        (None, "TIMED_OUT", f"::error::the run {RUN} ended as TIMED_OUT, without a report"),
    ],
)
def test_a_run_that_failed_fails_the_step(
    runner: Runner, outcome: Outcome | None, status: str, told: str
) -> None:
    """With the reason where GitHub shows it."""
    runner.play(outcome, "RUNNING", status)
    done = runner.run()
    assert (done.returncode, told in done.stdout) == (1, True)


def test_a_docs_folder_that_is_not_there_ends_the_step_at_once(runner: Runner) -> None:
    """As in a repository of another layout."""
    done = runner.run(DOCS="handbook")
    assert (done.returncode, "::error::there is no folder handbook" in done.stdout) == (1, True)
    assert not (runner.account / "calls.jsonl").exists()
