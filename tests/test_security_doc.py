"""The threat model names only what is there, and leaves out none of the two lists' threats."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
CORE = ROOT / "layers" / "core" / "python" / "bookbound"

PROOFS = re.findall(r"\[\S+\]\(\.\./(tests/\S+\.py)\): ([\w, ]+)", DOCUMENT)
SECTIONS = {
    heading.partition(" ")[0]: text
    for heading, _, text in (
        one.partition("\n") for one in re.split(r"^#{2,3} ", DOCUMENT, flags=re.MULTILINE)
    )
    if re.match(r"(LLM|API)\d", heading)
}
COMMANDS = set(re.findall(r"`python -m ([\w.]+)", DOCUMENT))
TARGETS = set(re.findall(r"`make ([\w-]+)", DOCUMENT))
FILES = set(re.findall(r"`([\w/.-]+(?:/|\.py|\.txt|\.ts))`", DOCUMENT))
LINKS = set(re.findall(r"\]\((?!http)([^)#]+)\)", DOCUMENT))


def test_every_threat_of_both_lists_is_there() -> None:
    """With what it is here, what stands against it, what shows that, and what is left."""
    assert set(SECTIONS) == {*(f"LLM{n:02}" for n in range(1, 11)), *(f"API{n}" for n in range(1, 11))}
    for section in SECTIONS.values():
        labels = re.findall(r"^\*\*(\w+)\.\*\*", section, re.MULTILINE)
        assert labels == ["Threat", "Control", "Proof", "Open"]
        assert "](../tests/" in section


@pytest.mark.parametrize(("path", "names"), PROOFS)
def test_every_test_that_is_named_exists(path: str, names: str) -> None:
    """In the file that is linked, by the name without its `test_`."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert [name for name in names.split(", ") if f"test_{name}" not in tests] == []


def test_every_file_link_and_command_that_is_named_exists() -> None:
    """Files of the core stand without their folder."""
    assert [name for name in FILES if not (ROOT / name).exists() and not (CORE / name).exists()] == []
    assert [link for link in LINKS if not (ROOT / "docs" / link).exists()] == []
    assert [name for name in COMMANDS if find_spec(name) is None] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [name for name in TARGETS if f"\n{name}:" not in makefile] == []
