"""The same inputs give the same bytes, wherever and by how many at once they are built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from layers.deps.build import Built, build
from layers.deps.tools import ROOT
from tests.layers.conftest import BUILDING

pytestmark = pytest.mark.long


def hashes(built: Built) -> dict[str, str]:
    return {name: part.sha256 for name, part in built.parts.items()}


@pytest.mark.timeout(BUILDING)
def test_two_processes_that_build_elsewhere_get_the_same_hashes(tmp_path: Path) -> None:
    """Both succeed, one of them builds, and afterwards all is up to date."""
    command = [sys.executable, "-m", "layers.deps", "--architecture", "x86_64", "--out", str(tmp_path)]
    both = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    steps: list[str] = []
    elsewhere = build("x86_64", tmp_path, steps.append)
    assert not steps
    assert hashes(elsewhere) == hashes(build("x86_64"))
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == set(elsewhere.parts)
