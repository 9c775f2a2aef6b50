"""Contents of the parts, and their sizes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from layers.deps.build import ALLOWED, HERE_ALONE, INGEST, LIMIT, WEEKLY, Built, within_limit
from layers.deps.parts import files_of
from layers.deps.tools import ROOT, BuildError
from layers.deps.trim import AWS_SERVICES
from tests.layers.conftest import BUILDING

EMBEDDER = "bookbound_embedder"
ELF_MACHINES = {"x86_64": 62, "arm64": 183}

pytestmark = [pytest.mark.long, pytest.mark.timeout(BUILDING)]


def test_layers_and_functions_hold_247_megabytes_at_most(built: Built) -> None:
    """By the bytes that lie there, for each function over its own dependencies; 1 MB is 1,048,576 bytes."""
    assert ALLOWED == 247 * 1_048_576 < LIMIT
    sizes = {
        name: sum(file.stat().st_size for file in files_of(part.path)) for name, part in built.parts.items()
    }
    assert sizes == {name: part.bytes for name, part in built.parts.items()}
    assert (
        sizes["deps"]
        + sizes["core"]
        + max(sizes["api"], sizes["authorizer"], sizes["digest"], sizes["release"])
        <= ALLOWED
    )
    assert sizes["ingest-deps"] + sizes["core"] + sizes["ingest"] <= ALLOWED
    assert sizes["weekly-deps"] + sizes["core"] + sizes["weekly"] <= ALLOWED


def test_what_is_too_large_is_an_error_that_names_the_largest_packages(here: Built) -> None:
    """One byte over is over."""
    largest = max(
        (name for name in here.bytes if name not in (INGEST, WEEKLY)), key=lambda name: here.bytes[name]
    )
    grown = here.deps.bytes + ALLOWED - here.bytes[largest]
    within_limit(replace(here, deps=replace(here.deps, bytes=grown)))
    too_large = rf"x86_64: {largest} .* {ALLOWED + 1:,} bytes, .* largest: numpy, "
    with pytest.raises(BuildError, match=too_large):
        within_limit(replace(here, deps=replace(here.deps, bytes=grown + 1)))
    with pytest.raises(BuildError, match=r"x86_64: ingest .* largest: numpy, onnxruntime, "):
        within_limit(replace(here, ingest_deps=replace(here.ingest_deps, bytes=ALLOWED)))


def test_every_native_library_is_of_the_functions_architecture(built: Built) -> None:
    """The machine's number stands at byte 18 of an ELF file."""
    layers = (built.deps, built.ingest_deps, built.weekly_deps)
    libraries = [file for part in layers for file in files_of(part.path) if ".so" in file.suffixes]
    assert {"_pydantic_core", "cygrpc"} <= {library.name.partition(".")[0] for library in libraries}
    for library in libraries:
        head = library.read_bytes()[:20]
        assert head[:4] == b"\x7fELF"
        assert int.from_bytes(head[18:20], "little") == ELF_MACHINES[built.architecture]


def contents(root: Path, package: str, left_out: Sequence[Path] = ()) -> dict[Path, bytes]:
    files = [
        file
        for file in files_of(root / package)
        if file.parent.name != "__pycache__" and not {*left_out} & {*file.parents}
    ]
    return {file.relative_to(root): file.read_bytes() for file in files}


def test_core_and_functions_are_there_as_they_lie(built: Built) -> None:
    """Byte for byte, data and pages too, where handlers and imports expect them."""
    homes = {
        "core": (ROOT / "layers/core", "python/bookbound"),
        "api": (ROOT, "functions/api"),
        "authorizer": (ROOT, "functions/authorizer"),
        "digest": (ROOT, "functions/digest"),
        "release": (ROOT, "functions/release"),
        "weekly": (ROOT, "functions/weekly"),
        "ingest": (ROOT, "ingest_job"),
    }
    for name, (root, package) in homes.items():
        copies = built.parts[name].path
        left_out = [root / package / folder for folder in HERE_ALONE] if name == "core" else []
        assert contents(copies, package) == contents(root, package, left_out)
    assert (built.functions["api"].path / "functions/__init__.py").is_file()
    assert (built.core.path / "python/bookbound/data/prompt.txt").is_file()
    assert (built.core.path / "python/bookbound/api/page/index.html").is_file()
    assert (built.functions["authorizer"].path / "functions/authorizer/handler.py").is_file()


def test_the_embedder_is_deployed_with_the_weekly_report_alone(built: Built) -> None:
    """No other function embeds by itself, and none has room for weights that it does not read."""
    home = ROOT / "layers/core/python"
    assert contents(built.functions["weekly"].path, EMBEDDER) == contents(home, EMBEDDER)
    others = [part for name, part in built.parts.items() if name != "weekly"]
    assert not [part for part in others if EMBEDDER in part.packages]


def test_licences_and_versions_stay_and_what_nobody_reads_is_gone(built: Built) -> None:
    """Packages look their versions up; tests, stubs, C sources and foreign services are not read."""
    for packages in (built.deps.path / "python", built.ingest_deps.path / "python"):
        names = {file.name for file in files_of(packages)}
        assert {"METADATA", "entry_points.txt", "LICENSE"} <= names
        assert not {"RECORD", "INSTALLER", "WHEEL"} & names
        assert not {file.suffix for file in files_of(packages)} & {".pyi", ".c", ".h", ".pyx"}
        assert not [path for path in packages.rglob("tests") if path.is_dir()]
        services = {path.name for path in (packages / "botocore/data").iterdir() if path.is_dir()}
        assert services == AWS_SERVICES


def test_all_is_readable_by_everyone_and_of_no_particular_day(built: Built) -> None:
    """A function runs as another user than the one who built it."""
    for part in built.parts.values():
        for file in files_of(part.path):
            assert (file.stat().st_mode & 0o777, file.stat().st_mtime) == (0o644, 315532800)
        assert {path.stat().st_mode & 0o777 for path in part.path.rglob("*") if path.is_dir()} == {0o755}


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "layers.deps", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_prints_a_size_for_every_part_and_for_the_largest_packages(here: Built) -> None:
    """And for each function the sum against the limit."""
    done = command("--architecture", here.architecture)
    assert done.returncode == 0, done.stderr
    for name in (*here.parts, *list(here.deps.packages)[:10], *list(here.ingest_deps.packages)[:10]):
        assert name in done.stdout
    for function, size in here.bytes.items():
        assert f"{function} and its layers" in done.stdout
        assert f"{size / LIMIT:.1%}" in done.stdout


def test_the_command_says_in_one_line_why_it_cannot_build(tmp_path: Path) -> None:
    """Here a file stands where the folder is to be; an architecture that is none is bad usage."""
    (tmp_path / "taken").write_text("")
    done = command("--out", str(tmp_path / "taken"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert command("--architecture", "riscv").returncode == 2
