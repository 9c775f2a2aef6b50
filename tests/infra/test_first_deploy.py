"""The first deploy as docs/deploy.md tells it, in a fresh copy of the project, up to where AWS is called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from testing.loopback import Asked, Reply, answering

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "deploy.md").read_text("utf-8")
FIRST = GUIDE[GUIDE.index("## The first deploy") : GUIDE.index("## From the book's own repository")]

BEFORE_AWS = re.findall(r"^\d+\. \*\*[^*]+\*\*[^`]*`(make [^`]+)`", FIRST, re.MULTILINE)
"""The steps that are one command of make, in their order."""

DENIED = (
    b"<ErrorResponse><Error><Code>AccessDenied</Code><Message>no account</Message></Error></ErrorResponse>"
)

AT_MOST = 300
"""Seconds that one step may take: it installs everything, from registries that may be slow."""


@dataclass
class NoAws:
    """Stands where AWS would: refuses everything, and remembers what was asked."""

    asked: list[str] = field(default_factory=list)

    def respond(self, asked: Asked) -> Reply:
        """What AWS says to somebody without rights."""
        actions = parse_qs(asked.body.decode("latin-1")).get("Action", [asked.path])
        self.asked.append(actions[0])
        return 403, {"Content-Type": "text/xml"}, DENIED


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The project's own files in a new folder, without anything that a command made."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_guide_has_the_steps_that_are_walked() -> None:
    """Bootstrap comes before deploy, and publishing after it."""
    assert [step.split()[1] for step in BEFORE_AWS] == ["bootstrap", "deploy", "ingest", "doctor", "smoke"]


@pytest.mark.long
@pytest.mark.timeout(2 * AT_MOST + 60)  # two steps, each with a limit that says what it printed
def test_a_fresh_clone_comes_as_far_as_aws(clone: Path) -> None:
    """The first command installs what it needs, each synthesises the stage, and AWS alone says no."""
    bootstrap, deploy = BEFORE_AWS[:2]
    as_far_as_aws(bootstrap, clone)
    assert (clone / ".venv" / "bin" / "python").exists()
    assert "make bootstrap" in as_far_as_aws(deploy, clone)


def as_far_as_aws(step: str, clone: Path) -> str:
    """Run a step, which has to come that far, and return what it says."""
    aws = NoAws()
    with answering(aws.respond) as url:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "VIRTUAL"))},
            "AWS_ENDPOINT_URL": url,
            "AWS_REGION": "eu-central-1",
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        ran = subprocess.run(
            step.split(),
            cwd=clone,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=AT_MOST,
            check=False,
        )
    said = ran.stdout + ran.stderr
    assert ran.returncode != 0
    assert "not found" not in said
    assert "Traceback" not in said
    assert aws.asked, said
    return said
