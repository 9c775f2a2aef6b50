"""The runbook of docs/operations.md against the alarms and log lines of a stage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.infra.conftest import Synthesised
from tests.infra.test_observability_stack import alarms

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"


def sections() -> dict[str, str]:
    """Return the runbook's text on each alarm, by its heading."""
    text = OPERATIONS.read_text(encoding="utf-8")
    runbook = text.partition("\n## Alarms\n")[2].partition("\n## ")[0]
    _, *parts = re.split(r"^### (.+)$", runbook, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_each_alarm_has_a_section_and_each_section_an_alarm(stack: Synthesised) -> None:
    """An alarm's description points to its section; one that went takes its section along."""
    assert {heading.lower() for heading in sections()} == set(alarms(stack))


@pytest.mark.parametrize("alarm", sections())
def test_a_section_says_what_it_means_where_to_look_what_to_do_and_when_it_is_over(alarm: str) -> None:
    """The parts are in this order, so that a person called at night finds them."""
    meaning, *rest = re.split(
        r"^\*\*(Look\.|Do\.|Look, do\.|Over)\*\*", sections()[alarm], flags=re.MULTILINE
    )
    assert meaning.strip()
    assert " ".join(rest[::2]).lower().replace("look, do.", "look. do.") == "look. do. over"
    assert all(len(text.split()) >= 2 for text in rest[1::2])


def test_the_log_lines_that_the_runbook_looks_for_are_those_that_are_counted(stack: Synthesised) -> None:
    """Word for word, or the search would find nothing."""
    counted = {one["FilterPattern"] for one in stack.resources("observability", "AWS::Logs::MetricFilter")}
    looked_for = re.findall(r"`api_log '(\$\.message = .+?)'`", OPERATIONS.read_text(encoding="utf-8"))
    assert looked_for
    assert {f"{{ {pattern} }}" for pattern in looked_for} <= counted


def test_the_outputs_that_the_runbook_asks_for_are_there(stack: Synthesised) -> None:
    """Each by the stack that has it."""
    asked = re.findall(r"\boutput (\w+) (\w+)", OPERATIONS.read_text(encoding="utf-8"))
    assert asked
    assert [name for part, name in asked if name not in stack.templates[part]["Outputs"]] == []
