"""Keeps the tests column of docs/requirements.md true: `python -m tests.requirements_table [--check]`.

The other columns are written by hand. A test proves a rule by the marker `@pytest.mark.rule("G4")`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "requirements.md"
TESTS = ROOT / "tests"

NO_TEST = "—"
_COLUMNS = ("id", "rule", "code", "tests", "state")

Proofs = Mapping[str, Mapping[str, list[str]]]
"""Rule id → test file → names of the tests that prove it."""


def proofs(tests: Path) -> dict[str, dict[str, list[str]]]:
    """All marked tests below a folder, by rule; files and names in their order."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        file = path.relative_to(tests.parent).as_posix()
        for rule, name in _marked(tree.body, _module_rules(tree)):
            found.setdefault(rule, {}).setdefault(file, []).append(name)
    return found


def rewritten(document: str, proved: Proofs) -> str:
    """Return the document with every row's tests column rebuilt."""
    return "\n".join(_row(line, proved) for line in document.split("\n"))


def contradictions(document: str, proved: Proofs) -> list[str]:
    """Return what no rewrite can fix: markers without a rule, and done rules without a test."""
    rows = {cells[0]: cells for line in document.split("\n") if (cells := _cells(line))}
    unknown = [
        f"tests name the rule {rule}, which the table does not hold" for rule in sorted(proved.keys() - rows)
    ]
    unproved = [
        f"{rule} is called done, and no test proves it"
        for rule, cells in rows.items()
        if cells[-1] == "done" and rule not in proved
    ]
    return unknown + unproved


def main(arguments: list[str]) -> int:
    """Rewrite the table, or with --check tell what is wrong with it; 0 when all is well."""
    proved = proofs(TESTS)
    before = TABLE.read_text(encoding="utf-8")
    after = rewritten(before, proved)
    faults = contradictions(after, proved)
    if arguments != ["--check"]:
        TABLE.write_text(after, encoding="utf-8")
    elif before != after:
        faults.append("docs/requirements.md is out of date: run python -m tests.requirements_table")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


def _marked(body: list[ast.stmt], inherited: list[str]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _marked(node.body, inherited + _rules_in(node.decorator_list))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            rules = dict.fromkeys(inherited + _rules_in(node.decorator_list))
            yield from ((rule, node.name) for rule in rules)


def _module_rules(tree: ast.Module) -> list[str]:
    values = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)
    ]
    return _rules_in(values)


def _rules_in(nodes: list[ast.expr]) -> list[str]:
    """The ids of every `….rule("…")` below the nodes."""
    calls = [call for node in nodes for call in ast.walk(node) if isinstance(call, ast.Call)]
    return [
        argument.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def _cells(line: str) -> list[str] | None:
    """The cells of a rule's row; None for any other line."""
    cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
    is_rule = len(cells) == len(_COLUMNS) and cells[0][:1].isupper() and cells[0][1:].isdigit()
    return cells if is_rule else None


def _row(line: str, proved: Proofs) -> str:
    cells = _cells(line)
    if cells is None:
        return line
    cells[_COLUMNS.index("tests")] = _tests(proved.get(cells[0], {}))
    return f"| {' | '.join(cells)} |"


def _tests(files: Mapping[str, list[str]]) -> str:
    return "<br>".join(_link(file, names) for file, names in files.items()) or NO_TEST


def _link(file: str, names: list[str]) -> str:
    short = ", ".join(name.removeprefix("test_") for name in names)
    return f"[{file.removeprefix('tests/')}](../{file}): {short}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
