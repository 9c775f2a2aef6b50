"""The programs that a build runs: uv, and a Python of the version that Lambda runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

PYTHON = "3.13"
"""Bytecode fits one version of Python alone: the runtime's."""

ROOT = Path(__file__).parents[2]

_VERSION = "import sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
_FRAMES = re.compile(r"[\s×╰─▶│├]+")


class BuildError(Exception):
    """A build cannot go on; one line says why and what to do."""


def run(*command: str | Path, failure: str) -> str:
    """Return a program's output. Raises BuildError: the failure, with the program's words in one line."""
    try:
        done = _run(command)
    except OSError as error:
        raise BuildError(f"{failure}: {command[0]} does not run ({error.strerror})") from error
    if done.returncode:
        words = _FRAMES.sub(" ", done.stderr or done.stdout).strip()
        raise BuildError(f"{failure}: {words or f'{command[0]} ended with {done.returncode}'}")
    return done.stdout


def find_uv(path: str | None = None) -> str:
    """The uv on a search path; by default the machine's, then what `make setup` installed.

    Raises BuildError.
    """
    ours = (ROOT / ".uv" / "bin", Path(sys.prefix) / "bin")
    places = path if path is not None else os.pathsep.join([os.environ.get("PATH", ""), *map(str, ours)])
    uv = shutil.which("uv", path=places)
    if uv is None:
        raise BuildError("uv is not on this machine; `make setup` installs it")
    return uv


def find_python(candidates: Iterable[str | Path]) -> str:
    """The first candidate that is a CPython of the runtime's version. Raises BuildError."""
    for candidate in candidates:
        if _speaks(candidate):
            return str(candidate)
    raise BuildError(f"no Python {PYTHON} on this machine, and uv cannot fetch one; install it and try again")


def pythons(uv: str) -> Iterator[str | Path]:
    """Yield paths where a Python of the runtime's version may be; the last resort is a uv download."""
    yield _known_to(uv)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob(f"versions/{PYTHON}*/bin/python"))
    yield f"python{PYTHON}"
    _run([uv, "python", "install", PYTHON])
    yield _known_to(uv)


def _known_to(uv: str) -> str:
    return _run([uv, "python", "find", "--no-project", PYTHON]).stdout.strip()


def _speaks(candidate: str | Path) -> bool:
    try:
        return _run([candidate, "-I", "-c", _VERSION]).stdout.strip() == f"cpython {PYTHON}"
    except OSError:
        return False


def _run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
