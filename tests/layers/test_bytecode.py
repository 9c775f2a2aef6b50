"""Bytecode that the runtime takes as it is: it never looks for a source, and never compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from layers.deps.build import Built
from layers.deps.parts import Part
from layers.deps.tools import ROOT, run
from tests.layers.conftest import BUILDING

UNCHECKED_HASH = (0b01).to_bytes(4, "little")

pytestmark = [pytest.mark.long, pytest.mark.timeout(BUILDING)]


def bytecode(part: Part) -> list[Path]:
    return list(part.path.rglob("*.pyc"))


def test_all_of_it_is_of_the_runtimes_own_python_and_never_compared_with_a_source(
    built: Built, python: str
) -> None:
    """The magic number is Python 3.13's; the flags say that the header's hash is not to be checked."""
    script = "import importlib.util; print(importlib.util.MAGIC_NUMBER.hex())"
    header = bytes.fromhex(run(python, "-c", script, failure="no magic number")) + UNCHECKED_HASH
    for part in built.parts.values():
        files = bytecode(part)
        assert files
        assert {file.read_bytes()[:8] for file in files} == {header}


def test_dependencies_are_bytecode_alone_and_our_own_sources_have_theirs_beside_them(built: Built) -> None:
    """A traceback shows our lines; third-party sources would not fit."""
    for name, part in built.parts.items():
        sources = list(part.path.rglob("*.py"))
        compiled = [source.parent / "__pycache__" / f"{source.stem}.cpython-313.pyc" for source in sources]
        if name in ("deps", "ingest-deps", "weekly-deps"):
            assert not sources
        else:
            assert sorted(compiled) == sorted(bytecode(part))


def test_tracebacks_name_paths_as_they_are_in_the_cloud(built: Built) -> None:
    """Not those of the machine that built it, nor of the folder that was filled aside."""
    for name, part in built.parts.items():
        mount = "/opt" if name in ("deps", "ingest-deps", "weekly-deps", "core") else "/var/task"
        for file in bytecode(part):
            code = file.read_bytes()
            home = file.parent.parent if file.parent.name == "__pycache__" else file.parent
            source = home.relative_to(part.path) / f"{file.name.split('.')[0]}.py"
            assert f"{mount}/{source.as_posix()}".encode() in code
            assert str(ROOT).encode() not in code
            assert b"/.new-" not in code
