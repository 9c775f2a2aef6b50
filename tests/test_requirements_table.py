from __future__ import annotations

from pathlib import Path

import pytest

from tests.requirements_table import contradictions, proofs, rewritten

MARKED = """
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.rule("V1")]


@pytest.mark.rule("G1", "G2")
def test_one(): ...


@pytest.mark.rule("G1")
class TestGroup:
    @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("G3"))])
    async def test_two(self, n): ...


def helper(): ...
"""

DOCUMENT = """\
# Rules

| id | rule | code | tests | state |
|---|---|---|---|---|
| V1 | length | `validation.py` | stale | done |
| G9 | judged | `judging.py` | — | {state} |

Text stays."""


@pytest.fixture
def tests_folder(tmp_path: Path) -> Path:
    """A folder with one marked test file."""
    folder = tmp_path / "tests"
    (folder / "core").mkdir(parents=True)
    (folder / "core" / "test_a.py").write_text(MARKED)
    return folder


def test_markers_are_found_wherever_pytest_takes_them(tests_folder: Path) -> None:
    """On a module, a class, a test or a parameter."""
    file = "tests/core/test_a.py"
    assert proofs(tests_folder) == {
        "V1": {file: ["test_one", "test_two"]},
        "G1": {file: ["test_one", "test_two"]},
        "G2": {file: ["test_one"]},
        "G3": {file: ["test_two"]},
    }


def test_only_the_tests_column_is_rewritten(tests_folder: Path) -> None:
    """A row names its tests, a rule without one has a dash, and all else stays as it was written."""
    before = DOCUMENT.format(state="later")
    after = rewritten(before, proofs(tests_folder))
    assert after == before.replace("stale", "[core/test_a.py](../tests/core/test_a.py): one, two")


def test_a_rule_without_test_is_not_done(tests_folder: Path) -> None:
    """The table can't claim what no test shows, nor a test a rule that does not exist."""
    claims = contradictions(DOCUMENT.format(state="done"), {"V1": {}, "X1": {}})
    assert claims == [
        "tests name the rule X1, which the table does not hold",
        "G9 is called done, and no test proves it",
    ]


def test_a_rule_of_the_future_needs_no_test() -> None:
    """A rule that is partly done or comes later may lack a test."""
    assert contradictions(DOCUMENT.format(state="later"), {"V1": {}}) == []
