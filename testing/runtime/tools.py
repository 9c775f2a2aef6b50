"""Tools to run a function here as Lambda does: its emulator, runtime client and Python. Fetched once."""

from __future__ import annotations

import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from layers.deps.tools import BuildError, find_python, find_uv, pythons, run

EMULATOR = "aws-sam-cli==1.170.0"
"""Its wheel carries the runtime interface emulator."""

CLIENT = "awslambdaric==4.2.2"
"""The runtime's own loop, in Lambda a part of the image."""

ARCHITECTURE = "x86_64"

_EMULATOR_FILE = Path("samcli", "local", "rapid", f"aws-lambda-rie-{ARCHITECTURE}")


@dataclass(frozen=True, slots=True)
class Tools:
    """Paths: two programs, and the folder that holds the runtime client's packages."""

    emulator: Path
    python: Path
    client: Path


def obstacle() -> str | None:
    """Return why this machine can never run the emulator, None when it can."""
    machine = platform.system(), platform.machine()
    if machine == ("Linux", ARCHITECTURE):
        return None
    return f"the emulator runs on Linux {ARCHITECTURE}, and this is {' '.join(machine)}"


def fetch(folder: Path) -> Tools:
    """The tools, below `folder`; what lacks is installed. Raises BuildError."""
    if reason := obstacle():
        raise BuildError(reason)
    uv = find_uv()
    python = find_python(pythons(uv))
    emulator = _installed(EMULATOR, folder, uv, python, "--no-deps") / _EMULATOR_FILE
    return Tools(emulator, Path(python), _installed(CLIENT, folder, uv, python))


def _installed(requirement: str, folder: Path, uv: str, python: str, *options: str) -> Path:
    target = folder / requirement
    if target.is_dir():
        return target
    # Under another name until it is whole: an interrupted install is none.
    fresh = folder / f".{requirement}"
    shutil.rmtree(fresh, ignore_errors=True)
    failure = f"{requirement} cannot be installed into {target}"
    run(uv, "pip", "install", "--python", python, "--target", fresh, *options, requirement, failure=failure)
    return fresh.rename(target)
