"""The audit report in HTML, and the figures in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bookbound.authoring.gaps import Group, groups, wordings
from bookbound.local.auditing import figures, report
from bookbound.local.auditing.nearest import Section
from bookbound.local.auditing.trail import opened
from infra.stages import PROD
from tests.local.audit_lines import answered, failed, refused, verdict, write

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
HERE = Section("<b>Joints</b>", "joints.md", 4, "/docs/joints", 0.61)


def gathered(root: Path) -> tuple[dict[str, Any], list[Group]]:
    """The figures of a trail, and its open questions, each a group."""
    with opened(root) as trail:
        found = figures.gather(trail)
        asked = wordings(figures.not_answered(trail))
    return found, groups(asked, [[place] for place in range(len(asked))])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Five questions in three days, one of them kept twice."""
    third = "2026-03-03T10:00:00.000Z"
    scope = refused(4, "How do I train a custom LLM?", refusal_reason="out_of_scope")
    records = [answered(1), answered(1), answered(2, timestamp=third), refused(3, HOSTILE), scope, failed(5)]
    write(tmp_path, records, [verdict(1, "correct"), verdict(2, "incorrect"), verdict(3, "incorrect")])
    return tmp_path


@pytest.mark.rule("E1", "E2", "G13")
def test_the_figures_of_a_period(root: Path) -> None:
    """Each question counts once, a day without any is listed, and faults are no refusals."""
    found, _ = gathered(root)
    assert (found["period"]["questions"], found["period"]["answered"], found["sessions"]) == (5, 2, 1)
    days = [(row["day"][-2:], row["answered"], row["refused"], row["failed"]) for row in found["days"]]
    assert days == [("01", 1, 2, 1), ("02", 0, 0, 0), ("03", 1, 0, 0)]
    reasons = [(row["name"], row["n"], row["refusal"]) for row in found["reasons"]]
    assert reasons == [
        ("insufficient_context", 1, True),
        ("out_of_scope", 1, True),
        ("Unavailable", 1, False),
    ]
    assert found["latency"]["latency"]["p50"] == 120


@pytest.mark.rule("E2", "E3", "F3")
def test_confidence_is_held_against_what_readers_say(root: Path) -> None:
    """By level and by tenth of the score, answers alone."""
    found, _ = gathered(root)
    [level], [band] = found["levels"], found["reliability"]
    assert (level["name"], level["answers"], level["hits"], level["n"]) == ("high", 2, 1, 2)
    assert (band["mean_confidence"], band["accuracy"]) == (pytest.approx(0.9), 0.5)
    assert {row["name"]: row["incorrect"] for row in found["feedback"]} == {"answers": 1, "refusals": 1}


@pytest.mark.rule("E2")
def test_tokens_have_their_price(root: Path) -> None:
    """The price is the dashboard's for its model; another model's is unknown, and reported so."""
    found, _ = gathered(root)
    [month] = found["costs"]
    assert (month["questions"], month["tokens_in"], month["tokens_out"]) == (3, 3600, 120)
    assert month["dollars"] == pytest.approx((3600 * PROD.input_price + 120 * PROD.output_price) / 1e6)
    assert figures.costed(month | {"model": "another"})["dollars"] is None


@pytest.mark.rule("E2")
def test_only_what_the_book_lacks_is_listed(root: Path) -> None:
    """No question that was answered, out of scope or about a selection; in a group with its count."""
    write(root, [refused(6, "Of a selection?", source_mode="context-restricted")])
    found, unanswered = gathered(root)
    assert [(group.question, group.count) for group in unanswered] == [(HOSTILE, 1)]
    page = report.render(found, unanswered, [None], "Questions")
    assert "How many joints has Wren?" not in page
    assert "custom LLM" not in page


@pytest.mark.rule("E2", "V4")
def test_hostile_questions_stay_text(root: Path) -> None:
    """Text from readers and books is escaped; the page loads nothing and runs nothing."""
    found, unanswered = gathered(root)
    page = report.render(found, unanswered, [HERE], "Questions")
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;b&gt;Joints" in page
    assert not re.search(r"<(script|img|link|iframe)|https?://", page)


@pytest.mark.rule("E2", "S5")
def test_the_page_says_first_what_it_holds(root: Path) -> None:
    """Before any figure: readers' own questions, for the author."""
    page = report.render(*gathered(root), [None], "Questions")
    assert page.index("holds questions that readers asked") < page.index("<dl")


def test_a_period_without_questions_is_a_page_as_well(tmp_path: Path) -> None:
    """No plot of nothing, no division by it."""
    page = report.render(*gathered(tmp_path), [], "Questions")
    assert "No question is on record." in page
    assert "<svg" not in page


@pytest.mark.rule("A2")
def test_lines_that_are_no_record_are_told(root: Path) -> None:
    """At the top of the page."""
    [path] = [one for one in root.rglob("*.jsonl") if "records" in one.parts and "day=03" in one.parts]
    path.write_text(path.read_text() + "torn")
    page = report.render(*gathered(root), [None], "Questions")
    assert "1 lines of the records" in page
