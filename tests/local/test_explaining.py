"""Reasons for an answer or a refusal, as `ask --explain` shows them; over the real decisions."""

import io
import math
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rich.console import Console

from bookbound.answering import Deps, answer
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence.sufficiency import FEATURES
from bookbound.local import asking, tables
from bookbound.local.explaining import Explained, as_json, reading
from bookbound.model import Draft, DraftSentence
from bookbound.question.question_plan import plan
from bookbound.text.glossary import Glossary
from testing.builders import book, hit, part, passage, plain_model, question
from testing.fakes import FakeAudit, FakeEmbedder, FakeGenerator, FakeLibrary, FakeReader

MODEL = replace(plain_model(answers=0.5, usual=0.25, names=4.0), intercept=-3.0)
LASTS = "The battery of Kestrel lasts for 90 minutes."
BATTERY = passage("It is charged every evening.", LASTS)
POWER = passage("The battery of Kestrel feeds the motors.", document="power/motors.md", section="Motors")
ANSWERABLE = "How long does the battery of Kestrel last?"
OTHER = "Who won the football world cup of 1998?"
TASK = "Translate this chapter to Urdu."


def deps(kestrel: Book, reader: FakeReader, draft: str = LASTS) -> Deps:
    return Deps(
        library=FakeLibrary(kestrel),
        embedder=FakeEmbedder(),
        reader=reader,
        generator=FakeGenerator([Draft((DraftSentence(draft, ("S1",)),), 0.9, "prompt", "raw")]),
        audit=FakeAudit(),
        sufficiency=MODEL,
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
    )


async def outcome(text: str, built: Deps, selected_text: str | None = None) -> Explained:
    opened = await built.library.open(None)
    result = await answer(question(text, selected_text), None, Deadline(), built)
    return Explained(result, plan(text, opened.glossary), MODEL)


async def explained(text: str, selected_text: str | None = None, draft: str = LASTS) -> Explained:
    """The outcome over a book of two passages, with what explains it."""
    kestrel = book(hit(BATTERY, 0.9), hit(POWER, 0.8))
    reader = FakeReader({BATTERY.chunk_id: 0.9, POWER.chunk_id: 0.8})
    return await outcome(text, deps(kestrel, reader, draft), selected_text)


def printed(one: Explained, width: int = 100) -> str:
    """Return the output at a terminal of that width."""
    screen = io.StringIO()
    Console(file=screen, width=width).print(*tables.explanation(one), sep="\n", highlight=False)
    return screen.getvalue()


def row(text: str, *first: str) -> list[str]:
    """The other cells of the first row that begins with these."""
    rows = (re.split(r" {2,}", line.strip()) for line in text.splitlines())
    return next(cells[len(first) :] for cells in rows if tuple(cells[: len(first)]) == first)


@pytest.mark.rule("R4")
def test_how_a_question_was_read_is_told_in_its_own_words():
    """The kind of answer, the names, what was set right, and what else the book calls it."""
    glossary = Glossary(
        equivalents={"imu": ("inertial measurement unit",)}, words={"battery": 9, "kestrel": 5, "measures": 2}
    )
    read = reading(part("At what rate does the IMU of Kestrel's battry measure?", glossary))
    assert read["kind"] == "quantity"
    assert read["names"] == ["imu", "kestrel's"]
    assert read["corrections"] == [["battry", "battery"]]
    assert read["equivalents"] == [["IMU", "inertial measurement unit"]]
    assert [wording.count("(inertial measurement unit)") for wording in read["wordings"]] == [0, 1]


@pytest.mark.rule("R9")
async def test_each_part_has_its_own_attempts_and_findings():
    """The parts stand in the order of the question, no matter how they ended."""
    one = await explained(f"{ANSWERABLE} {OTHER} {TASK}")
    assert [found.text for found in one.parts] == [ANSWERABLE, OTHER, TASK]
    assert [[each.outcome for each in one.attempts(found)][-1:] for found in one.parts] == [
        ["sufficient"],
        ["insufficient_context"],
        [],
    ]
    assert [found[0].value for found in one.findings()] == [ANSWERABLE, OTHER, TASK]
    assert [found[-1].gate for found in one.findings()] == [
        "G9 answers",
        "G9 answers",
        "G14 knowledge question",
    ]


@pytest.mark.rule("G9")
@pytest.mark.parametrize("text", [ANSWERABLE, OTHER])
async def test_the_features_add_up_to_the_sufficiency(text: str):
    """Weight times value, plus the constant, is the logit of the exact score that was judged."""
    one = await explained(text)
    [found] = one.findings()
    added = [share for finding in found if (share := one.part_of_score(finding)) is not None]
    assert len(added) == len(FEATURES)
    logit = MODEL.intercept + math.fsum(added)
    assert found[-1].value == pytest.approx(1 / (1 + math.exp(-logit)))


async def test_the_json_is_the_response_with_all_that_explains_it():
    """The API's own response stays unchanged."""
    one = await explained(OTHER)
    told = as_json(one)
    assert asking.response(one.result).items() <= told.items()
    assert [attempt["part"] for attempt in told["attempts"]] == [OTHER] * len(one.result.attempts)
    added = {finding["figure"]: finding["part_of_score"] for finding in told["findings"]}
    assert (added["names"], added["sufficiency"]) == (0.0, None)
    assert told["sufficiency"] == {"weights": MODEL.weights, "intercept": -3.0}
    assert (told["parts"][0]["part"], len(told["candidates"]), told["generator_calls"]) == (OTHER, 2, 0)


@pytest.mark.rule("G9", "R6")
async def test_a_reader_sees_which_feature_pulled_the_score_down():
    """Each stands with what it added; the sum stands next to the score."""
    text = printed(await explained(OTHER))
    assert row(text, "kind of answer") == ["person"]
    assert row(text, "as asked", "table")[-1] == "empty retrieval"
    assert row(text, "as asked", "table, prose")[-1] == "insufficient context"
    assert row(text, "G9 feature", "usual") == ["1.792", "–", "–", "+0.45"]
    assert row(text, "G9 feature", "constant")[-1] == "-3.00"
    assert row(text, "G9 answers")[2:4] == ["0.5", "no"]
    assert row(text, "G9 answers")[-1].startswith("= -")


@pytest.mark.rule("G9")
async def test_a_reader_sees_what_was_found_best_and_how_sure_that_is():
    """Where it stands, its first words, the sentence that is pointed at, the score and what was needed."""
    one = await explained(ANSWERABLE)
    text = printed(one)
    assert row(text, "stands in") == ["power/batteries.md, “Batteries”"]
    assert row(text, "begins") == ["It is charged every evening. The battery of Kestrel lasts f…"]
    assert row(text, "points at") == [LASTS]
    assert row(text, "on the question") == ["0.9"]
    sufficient = one.result.findings[-1].value
    assert row(text, "answers") == [f"{sufficient:.3f}, 0.500 needed"]
    [read] = as_json(one)["read"]
    assert (read["text"], read["points_at"]) == (BATTERY.text, LASTS)
    assert (read["sufficiency"], read["threshold"]) == (sufficient, 0.5)
    assert (read["similarity"], read["pointed"]) == (pytest.approx(0.9), pytest.approx(0.998, abs=0.001))


@pytest.mark.rule("R9")
async def test_each_part_has_its_own_reading_and_work_has_none():
    """What was read for one question says nothing of another."""
    read = as_json(await explained(f"{ANSWERABLE} {OTHER} {TASK}"))["read"]
    assert [one and one["sufficiency"] and one["sufficiency"] >= 0.5 for one in read] == [True, False, None]


async def test_where_a_gate_came_before_the_best_that_was_read_is_shown():
    """Without a score: that it is too far from the question decided."""
    kestrel = book(hit(POWER, 0.9))
    built = deps(kestrel, FakeReader({POWER.chunk_id: 0.3}))
    one = await outcome(OTHER, built)
    assert {finding.gate for finding in one.result.findings}.isdisjoint({"G9 answers"})
    [read] = as_json(one)["read"]
    assert (read["document"], read["sufficiency"], read["threshold"]) == ("power/motors.md", None, None)
    assert row(printed(one), "on the question") == ["0.3"]


async def test_nothing_is_shown_where_nothing_was_read():
    """A book without a passage near the question."""
    one = await outcome(OTHER, deps(book(), FakeReader()))
    assert as_json(one)["read"] == [None]
    assert "What the reader found best" not in printed(one)


async def test_what_came_after_the_gates_is_told_too():
    """A draft that the book does not support is the reason of a refusal which no gate gave."""
    text = printed(await explained(ANSWERABLE, draft="It lasts for 40 hours."))
    assert "Written by extractive in 2 calls; 0.0% of it supported, 90% needed" in text
    assert row(text, "It lasts for 40 hours.")[-1].startswith("number 40")
    assert row(text, "G9 answers")[-2] == "yes"
    assert "Written by" not in printed(await explained(OTHER))


@pytest.mark.rule("G5", "S6")
async def test_a_selection_is_explained_without_a_ladder():
    """It is the only source; one that is not the book's stops at the first gate."""
    own, foreign = [printed(await explained(ANSWERABLE, text)) for text in (LASTS, "It stands nowhere.")]
    assert row(own, "as asked")[0] == row(foreign, "as asked")[0] == "selection"
    assert row(own, "G9 answers")[-2] == "yes"
    assert row(foreign, "S6 in the book")[-2] == "no"


@pytest.mark.rule("G14")
async def test_work_that_was_asked_for_is_named():
    """No search was made for it."""
    text = printed(await explained(TASK))
    assert row(text, "work asked for") == ["translation"]
    assert "What was tried" not in text


@pytest.mark.parametrize("width", [80, 100, 200])
async def test_an_explanation_fits_the_terminal(width: int):
    """No line is broken in two by the terminal; nothing is cut but the passages' own text."""
    text = printed(await explained(f"{ANSWERABLE} {OTHER} {TASK}"), width)
    assert max(map(len, text.splitlines())) <= width
    cut = [line for line in text.partition("Best candidates")[0].splitlines() if "…" in line]
    assert all(line.startswith(("begins ", "points at ")) for line in cut)
    assert all(heading in text for heading in ("sufficiency", "threshold", "lexical", "passage"))
    assert [line for line in text.splitlines() if line.startswith("Part ")] == [
        "Part 1 of 3, passed",
        "Part 2 of 3, not passed",
        "Part 3 of 3, not passed",
    ]
