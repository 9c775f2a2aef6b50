"""Planted inventions: found in the book, judged in pairs, counted by kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bookbound.evaluation.claims import Checked, Claim, measure
from bookbound.evaluation.records import InputError
from evaluation.alterations import altered
from evaluation.fit_support import fit, planted_examples, ruled_examples, split
from evaluation.inventions import Invention, Planted, check, load, rates
from testing.builders import passage
from testing.fakes import FakeReader

PAGE = passage("The battery lasts for 90 minutes.", "Charge it daily.", document="power.md")
ENTRY = {
    "id": "a",
    "document": "power.md",
    "quote": "lasts for 90  minutes",
    "claim": "It lasts 90 minutes.",
    "paraphrase": True,
    "kind": "number",
    "altered": "It lasts 80 minutes.",
}


def written(folder: Path, **changes: object) -> Path:
    path = folder / "inventions.jsonl"
    path.write_text(json.dumps(ENTRY | changes) + "\n", encoding="utf-8")
    return path


def planted(kind: str, claim: str, other: str, *, paraphrase: bool = True) -> Planted:
    return Planted(Invention(kind, "power.md", "", claim, paraphrase, kind, other), PAGE.text)


def test_an_invention_finds_its_passage_by_the_quote(tmp_path: Path) -> None:
    """White space aside, on its own page."""
    [found] = load(written(tmp_path), [passage("Something else."), PAGE])
    assert found.passage == PAGE.text


def test_a_quote_that_is_nowhere_is_named(tmp_path: Path) -> None:
    """A book that has changed gives a clear error, not a wrong figure."""
    with pytest.raises(InputError, match=r"inventions.jsonl: a: no passage of power.md"):
        load(written(tmp_path, quote="lasts for 70 minutes"), [PAGE])


@pytest.mark.rule("P4")
async def test_both_claims_of_an_invention_are_judged_and_counted_by_kind() -> None:
    """An altered claim should fall, an unaltered one should stay."""
    entries = [
        planted("number", "It lasts 90 minutes.", "It lasts 80 minutes."),
        planted("name", "Fill it up.", "Charge it daily.", paraphrase=False),
    ]
    outcomes = await check(entries, FakeReader())
    found = {name: (rate["hits"], rate["n"]) for name, rate in rates(outcomes).items()}
    assert found == {
        "caught": (1, 2),
        "caught name": (0, 1),
        "caught number": (1, 1),
        "kept": (1, 2),
        "kept paraphrases": (1, 1),
        "kept others": (0, 1),
    }


@pytest.mark.parametrize(
    ("claim", "others"),
    [
        ("It lasts 90 minutes.", {"It lasts 93 minutes."}),
        ("It runs from the lab to the hall.", {"It runs from the hall to the lab."}),
        ("It is called Wren.", {"It is called Zandovar."}),
        ("Pass --sim_time first.", {"Pass --sim_time_v2 first."}),
        ("It takes 5 or 7 days.", {"It takes 8 or 7 days.", "It takes 7 or 5 days."}),
        ("It walks.", set()),
    ],
)
def test_rules_alter_one_thing(claim: str, others: set[str]) -> None:
    """A number, two numbers, a direction, a name, an identifier; or nothing where there is none."""
    assert set(altered(claim, PAGE.text)) == others


def test_claims_are_split_by_their_id_alone() -> None:
    """The halves are the same in any order and hold nothing without a label."""
    claims = [Claim(str(number), "x", (), label=True) for number in range(40)]
    learned, judged = split([*claims, Claim("unlabelled", "x", ())])
    assert {one.id for one in learned} | {one.id for one in judged} == {one.id for one in claims}
    assert min(len(learned), len(judged)) > 5
    assert split(claims[::-1])[0] == learned[::-1]


@pytest.mark.rule("P4")
def test_a_fit_learns_what_falls() -> None:
    """It scores a true claim above an invented one, with every sign as it should be."""
    entries = [
        planted("number", "The pack lasts 90 minutes.", "The pack lasts 95 minutes."),
        planted("outside", "It is charged every day, daily.", "Lithium was found in Sweden."),
    ]
    examples = planted_examples(entries, FakeReader())
    model = fit([(1.0, examples), (0.5, ruled_examples(entries, FakeReader()))])
    scores = [(model.score(example.features), example.label) for example in examples]
    assert min(score for score, label in scores if label) > max(score for score, label in scores if not label)
    assert all(discount >= 0 for discount in model.discounts.values())


def test_labelled_claims_are_measured_beside_plain_coverage() -> None:
    """Measured are true claims that outscore all except the worst others, and plain word counting."""
    rows = [("It lasts.", True, 0.9), ("It flies.", True, 0.2), ("It swims.", False, 0.3)]
    checked = [Checked(Claim(text, text, ("It lasts.",), label), True, score) for text, label, score in rows]
    figures = measure(checked)
    assert figures is not None
    assert figures["strict_recall"]["hits"] == 1
    assert figures["coverage_auroc"] == 0.75
    assert figures["coverage_balanced_accuracy"] == 0.75
