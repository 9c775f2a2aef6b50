"""Reading of the tutorial: its steps, and the output that counts as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutorial import TUTORIAL, Failed, Step, follow, steps, told

DOCUMENT = """\
Type:

```sh
cd folder
```

```text
here …
```

<!-- browser -->

```sh background
serve
```
"""


def test_steps_are_found_in_their_order() -> None:
    """The steps are what is typed, what is seen, and what is done in the browser."""
    assert steps(DOCUMENT) == [
        Step("sh", "cd folder\n", 3),
        Step("text", "here …\n", 7),
        Step("browser", "", 11),
        Step("sh background", "serve\n", 13),
    ]


def test_no_block_is_passed_over() -> None:
    """A block that would be neither done nor compared could say anything."""
    with pytest.raises(ValueError, match="line 1: a block of 'bash'"):
        steps("```bash\nls\n```\n")


@pytest.mark.parametrize(
    ("expected", "is_told"),
    [
        ("two 2\n", True),
        ("one\ntwo 2\n", True),
        ("one\n…\nthree\n", True),
        ("…\nthree\n", True),
        ("two …\n", True),
        ("one\nthree\n", False),
        ("two\n", False),
        ("wo 2\n", False),
        ("three\n…\none\n", False),
    ],
)
def test_what_is_told_stands_line_by_line(expected: str, is_told: bool) -> None:
    """Only what `…` leaves out may lie between."""
    assert told(expected, "npm warns\none\ntwo 2  \n\nthree") is is_told


def test_a_terminal_keeps_its_folder_and_its_variables(tmp_path: Path) -> None:
    """It does so from block to block, like the reader's."""
    (tmp_path / "below").mkdir()
    plan = [
        Step("sh", "cd below\nexport WORD=hive", 1),
        Step("sh", 'echo "$WORD in ${PWD##*/}"', 2),
        Step("text", "hive in below", 3),
    ]
    assert [step for step, _ in follow(plan, tmp_path)] == plan


def test_a_server_serves_until_the_end(tmp_path: Path) -> None:
    """The run waits until it prints the expected lines, and ends it afterwards."""
    plan = [
        Step("sh background", "echo $$ > pid; echo ready; sleep 600", 1),
        Step("text", "ready", 2),
        Step("sh", 'kill -0 "$(cat pid)"', 3),
    ]
    assert len(list(follow(plan, tmp_path))) == len(plan)
    pid = (tmp_path / "pid").read_text().strip()
    assert not Path("/proc", pid).exists()


@pytest.mark.parametrize("wrong", [Step("sh", "false\ntrue", 1), Step("text", "something else", 1)])
def test_what_is_not_as_told_is_found(tmp_path: Path, wrong: Step) -> None:
    """A command that fails, and one that prints something else."""
    with pytest.raises(Failed):
        list(follow([Step("sh", "echo something", 1), wrong], tmp_path))


def test_the_tutorial_goes_all_the_way() -> None:
    """From the site to the figures: it starts two servers, asks in the browser, and shows what is printed."""
    kinds = [step.kind for step in steps(TUTORIAL.read_text(encoding="utf-8"))]
    assert kinds.count("sh background") == 2
    assert kinds.index("browser") > kinds.index("sh background")
    assert kinds.count("text") >= 8
