"""A stage at work in a separate process, and what it wrote there and elsewhere."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from layers.deps.tools import ROOT

RESULT = "result.pickle"
"""In the folder of a run, as `Run` by field."""


@dataclass
class Run:
    """Results of a run to look at afterwards.

    Attributes:
        secrets: by name.
        written: by place.
        statuses: by call.
    """

    secrets: dict[str, str] = field(default_factory=dict)
    written: dict[str, bytes] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)


def run(folder: Path, *, short: bool) -> Run:
    """All of a run, with what its functions logged; a short one has fewer faults of vendors."""
    command = [sys.executable, "-m", "tests.secrets_scan.stage_run", str(folder), *["--short"] * short]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise ChildProcessError(done.stderr.decode()[-2000:])
    seen = Run(**pickle.loads((folder / RESULT).read_bytes()))
    seen.written |= {"log": done.stdout, "errors": done.stderr}
    return seen
