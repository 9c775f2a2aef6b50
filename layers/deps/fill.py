"""Contents of the parts: packages that are installed for another machine, and copies of our own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from layers.deps.tools import PYTHON, find_python, find_uv, pythons, run
from layers.deps.trim import UNUSED_PACKAGES, trim

Progress = Callable[[str], None]
"""Called with what the build is at."""

LAYER, TASK = "/opt", "/var/task"
"""Folders where Lambda puts layers, all into one, and the function."""


def dependencies(
    platform: str,
    fresh: Path,
    progress: Progress,
    *extras: str,
    groups: Sequence[str] = (),
    without: Sequence[str] = (),
) -> None:
    """A layer of what pyproject.toml names, with these extras and groups, and uv.lock pins, as bytecode.

    Packages of `without` stay out. Raises BuildError.
    """
    uv, packages, wanted = find_uv(), fresh / "python", fresh / "requirements.txt"
    progress("reading uv.lock")
    wanted.write_text(_requirements(uv, extras, groups, without), "utf-8")
    progress(f"installing for {platform}")
    install(uv, wanted, platform, packages)
    wanted.unlink()
    trim(packages)
    progress(f"compiling for Python {PYTHON}")
    _compile(fresh, LAYER, "-b")
    for source in packages.rglob("*.py"):
        source.unlink()


def copy_of(package: Path, files: Sequence[Path], fresh: Path, mounted: str, below: str) -> None:
    """Files of one of our packages, sources too, below a folder of that name. Raises BuildError.

    `mounted` is where Lambda puts all of it: LAYER or TASK.
    """
    for file in files:
        target = fresh / below / file.relative_to(package.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    _compile(fresh, mounted)


def install(uv: str, wanted: Path, platform: str, packages: Path) -> None:
    """Wheels alone, as a requirements file pins them by hash, for another machine. Raises BuildError."""
    target = ("--python", _python(), "--python-platform", platform, "--python-version", PYTHON)
    pinned = ("--only-binary", ":all:", "--no-deps", "--require-hashes", "--link-mode", "copy")
    run(
        *(uv, "pip", "install", "--quiet", *target, *pinned),
        *("--target", str(packages), "--requirements", str(wanted)),
        failure=f"the dependencies cannot be installed for {platform}",
    )


def sources(package: Path, without: Sequence[str] = ()) -> list[Path]:
    """Every file of a package of ours, some folders aside, and the module that makes its parent a package."""
    left_out = [package / folder for folder in without]
    inside = [
        path
        for path in package.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__" and not {*left_out} & {*path.parents}
    ]
    return [*package.parent.glob("__init__.py"), *inside]


def _requirements(uv: str, extras: Sequence[str], groups: Sequence[str], without: Sequence[str]) -> str:
    locked = ("--locked", "--no-default-groups", "--no-emit-project", "--format=requirements.txt")
    unused = [f"--no-emit-package={name}" for name in (*UNUSED_PACKAGES, *without)]
    chosen = [f"--extra={name}" for name in extras] + [f"--group={name}" for name in groups]
    return run(
        *(uv, "export", "--quiet", "--no-header", "--no-annotate", *locked, *chosen, *unused),
        failure="uv.lock cannot be read",
    )


def _compile(fresh: Path, mounted: str, *layout: str) -> None:
    """Bytecode that is never compared with a source's time, which a zip file does not keep."""
    run(
        *(_python(), "-I", "-W", "ignore", "-m", "compileall", "-q", "-f", "-j", "0", *layout),
        *("--invalidation-mode", "unchecked-hash", "-s", str(fresh), "-p", mounted, str(fresh)),
        failure="the code cannot be compiled",
    )


@cache
def _python() -> str:
    return find_python(pythons(find_uv()))
