"""A change that makes answers worse does not pass, and one that does not passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from bookbound.evaluation import baseline
from bookbound.evaluation.judging import Run
from bookbound.evaluation.metrics import summarise
from bookbound.evaluation.questions import Labelled
from bookbound.local.evaluating import Evaluation, evaluation
from bookbound.settings import Settings
from evaluation.gate import AsShipped, faults, main
from tests.evaluation.responses import answered, refused
from tests.evaluation.runs import to_answer, to_refuse

RIGHT = "The battery lasts for 90 minutes."
LABELLED = [to_answer(id=f"a{number}") for number in range(8)] + [
    to_refuse(id=f"r{number}") for number in range(8)
]
"""Questions, as many to answer as to refuse."""


def runs(wrong: tuple[str, ...] = (), level: str = "low") -> list[Run]:
    """Every question right but these: refused where an answer was due, answered where a refusal was."""
    said = answered(RIGHT, RIGHT, confidence_level=level)
    return [
        Run(one.id, said if (one.expect == "answer") is (one.id not in wrong) else refused("out_of_scope"), 1)
        for one in LABELLED
    ]


def found(now: list[Run], before: list[Run] | None = None, labelled: list[Labelled] = LABELLED) -> Evaluation:
    earlier = summarise(LABELLED, before or runs())
    kept = baseline.Baseline(baseline.figures(earlier), earlier["outcomes"])
    return evaluation(labelled, now, None, "extractive", kept)


def named(evaluated: Evaluation) -> list[str]:
    return [fault.splitlines()[0] for fault in faults(evaluated)]


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ((), []),
        (("a0", "a1", "a2", "a3", "r0", "r1", "r2", "r3"), []),
        (
            ("a0", "a1", "a2", "a3", "a4"),
            ["answered", "answered.fact", "right_source"],
        ),
        (("r0", "r1", "r2", "r3", "r4"), ["false_answer", "false_answer.near_miss"]),
    ],
)
def test_what_is_worse_beyond_noise_fails_by_its_name(wrong: tuple[str, ...], names: list[str]) -> None:
    """Five of a rate's questions are too many, four may be chance."""
    assert named(found(runs(wrong))) == [f"{name} is worse beyond noise" for name in names]


def test_the_same_questions_gone_wrong_before_are_no_fault_now() -> None:
    """A baseline that was taken is what counts from then on; better than it is no fault either."""
    wrong = ("a0", "a1", "a2", "a3", "a4")
    assert named(found(runs(wrong), before=runs(wrong))) == []
    assert named(found(runs(), before=runs(wrong))) == []


def test_a_question_without_a_response_cannot_be_judged() -> None:
    """One is too many: it is a defect, or a machine that is far too busy."""
    failed = [*runs()[1:], Run("a0", None, error="Unavailable: down")]
    assert named(found(failed)) == ["errors: 1 questions got no response"]


def test_other_questions_than_the_baselines_are_named() -> None:
    """Renamed questions would be compared with nothing, and anything would pass."""
    fresh = [to_answer(id="new"), *LABELLED[1:]]
    asked = [Run("new", answered(RIGHT, RIGHT, confidence_level="low")), *runs()[1:]]
    assert named(found(asked, labelled=fresh)) == ["questions: they are not the baseline's"]


@pytest.mark.rule("F3")
def test_a_level_that_breaks_its_promise_fails_whatever_the_baseline_says() -> None:
    """Medium is to be right nine times in ten; eight of sixteen cannot be that."""
    half = runs(("r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"), level="medium")
    assert named(found(half, before=half)) == ["reliability.medium: misses its 90%"]


def test_the_environment_of_whoever_runs_it_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator, a book or a store from the environment is not what ships."""
    monkeypatch.setenv("BOOKBOUND_GENERATOR", "ollama")
    monkeypatch.setenv("BOOKBOUND_QDRANT_URL", "http://127.0.0.1:9")
    assert Settings().generator == "ollama"
    shipped = AsShipped()
    assert (shipped.generator, shipped.qdrant_url) == ("extractive", None)


FACTS = {
    "lidar": "The lidar of Kestrel scans at 12 Hz.",
    "battery": "The battery of Kestrel lasts for 90 minutes.",
    "camera": "The camera of Kestrel has a resolution of 640 by 480 pixels.",
    "gripper": "The gripper of Kestrel closes with a force of 40 newtons.",
    "mass": "The mass of Kestrel is 24 kilograms.",
    "speed": "The top speed of Kestrel is 3 kilometres an hour.",
}
ASKED = {
    "lidar": "At how many hertz does the lidar of Kestrel scan?",
    "battery": "For how many minutes does the battery of Kestrel last?",
    "camera": "What resolution does the camera of Kestrel have?",
    "gripper": "With which force does the gripper of Kestrel close?",
    "mass": "What is the mass of Kestrel?",
    "speed": "What is the top speed of Kestrel?",
}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate")
    (folder / "docs").mkdir()
    lines = (
        {"id": name, "kind": "fact", "question": ASKED[name], "expect": "answer"}
        | {"evidence": [{"file": f"{name}.md", "quote": fact}]}
        for name, fact in FACTS.items()
    )
    (folder / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def run_gate(folder: Path, facts: dict[str, str], *, write: bool = False) -> None:
    for name in FACTS:
        (folder / "docs" / f"{name}.md").write_text(f"# {name}\n\n{facts.get(name, 'Nothing is known.')}\n")
    main(
        folder / "docs",
        folder / "questions.jsonl",
        folder / "baseline.json",
        folder / "build",
        write=write,
    )


@pytest.mark.rule("E2")
def test_the_gate_takes_a_baseline_passes_it_and_fails_what_is_worse(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A real book, asked for real: the same again passes, and one that lost its facts does not."""
    run_gate(workplace, FACTS, write=True)
    assert json.loads((workplace / "baseline.json").read_text())["answered_rate"] == 1
    run_gate(workplace, FACTS)
    assert "every question came to what it came to in the baseline" in capsys.readouterr().out
    with pytest.raises(typer.Exit) as ended:
        run_gate(workplace, {"lidar": FACTS["lidar"]})
    assert ended.value.exit_code == 1
    said = capsys.readouterr().err
    assert "answered is worse beyond noise" in said
    assert "5 questions worse, 0 better" in said
    assert "worse: battery camera gripper mass speed" in said
    assert "python -m evaluation.gate --write" in said
    assert "Against the baseline" in (workplace / "build" / "report.html").read_text()
