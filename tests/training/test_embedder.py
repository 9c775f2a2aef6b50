"""What the embedder learns from, and how it is told where a search puts what answers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.windowing import windows
from testing.builders import passage
from training.embedder.asked import Passage, answering, batches, mistyped, of_books
from training.embedder.places import Searched, score_map, table
from training.lines import FITTING, JUDGING

QUESTIONS = st.text(st.characters(max_codepoint=0x17E, categories=["Ll", "N", "P", "Zs"]), min_size=3)

PAGE = passage(
    "The battery holds nine ampere hours.", "It lasts for ninety minutes of walking.", "Keep it dry."
)


@pytest.mark.parametrize("book", [*JUDGING, FITTING])
def test_a_book_that_judges_or_fits_teaches_nothing(book: str, tmp_path: Path) -> None:
    """It is refused before it is read."""
    with pytest.raises(ValueError, match="never train"):
        of_books(tmp_path, [book], tmp_path)


def test_a_window_answers_where_it_holds_the_evidence() -> None:
    """Another place with the same answer counts too, another page with the same words does not."""
    found = windows(PAGE, max_tokens=8, count_tokens=lambda text: len(text.split()))
    here, there = (
        {"evidence": [{"file": file, "quote": "Keep it **dry**."}], "also_in": []}
        for file in (PAGE.document, "other.md")
    )
    [at] = answering(found, here)
    assert "Keep it dry." in found[at].embedded_text
    assert answering(found, there) == []
    assert answering(found, {"evidence": [], "also_in": here["evidence"]}) == [at]


@given(st.lists(st.integers(0, 6), max_size=80), st.integers(1, 9), st.integers())
def test_every_passage_is_in_one_batch(groups: list[int], size: int, seed: int) -> None:
    """None is lost or seen twice, and no batch is larger than it may be."""
    made = [Passage(str(group), "", str(at), ("?",)) for at, group in enumerate(groups)]
    found = batches(made, size, seed)
    assert sorted(one.text for batch in found for one in batch) == sorted(one.text for one in made)
    assert all(len(batch) <= size for batch in found)


def test_passages_of_a_book_are_told_apart_from_each_other() -> None:
    """A batch holds few books: what lies near is what a question is to be apart from."""
    made = [Passage(str(at % 4), "", str(at), ("?",)) for at in range(64)]
    assert max(len({one.group for one in batch}) for batch in batches(made, 16, 1)) == 1


@given(QUESTIONS, st.integers())
def test_a_mistyped_question_stays_nearly_as_it_was(question: str, seed: int) -> None:
    """At most three slips, each of a letter: what is no letter stands as it stood."""
    typed = mistyped(question, random.Random(seed))
    assert abs(len(typed) - len(question)) <= 3
    kept = [mark for mark in question if not mark.isalpha()]
    assert sorted(kept) == sorted(mark for mark in typed if not mark.isalpha())


def test_slips_do_happen() -> None:
    """A question with letters is hardly ever left alone."""
    asked = "How long does the battery last?"
    typed = [mistyped(asked, random.Random(seed)) for seed in range(50)]
    assert sum(one.lower() != asked.lower() for one in typed) > 40


SEARCHED = [
    Searched("fact", 0, 0.7, (0.2, 0.3)),
    Searched("fact", 9, 0.5, (0.4, 0.1)),
    Searched("paraphrase", 30, 0.4, (0.3, 0.35)),
]


def test_the_table_counts_evidence_by_its_place() -> None:
    """The first place counts as the first, and all kinds together have a row."""
    head, _, *rows = table(SEARCHED).split("\n")
    cells = {row.split(" | ")[0].strip("| "): row.strip("|").split(" | ")[1:] for row in rows}
    first = [name.strip(" |") for name in head.split(" | ")].index("first 1") - 1
    assert [cells[kind][0].strip() for kind in ("fact", "paraphrase", "all")] == ["2", "1", "3"]
    assert [cells[kind][first].strip() for kind in ("fact", "paraphrase", "all")] == ["50%", "0%", "33%"]
    assert cells["all"][-1].strip(" |") == "100%"


def test_the_score_map_rises_from_what_a_search_finds_to_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named by the embedder's weights, and by the questions that it is fitted on."""
    monkeypatch.setattr("sys.argv", ["places", "books", "--write"])
    fitted = score_map(SEARCHED)
    assert fitted(0.7) > 0.8
    assert fitted(0.2) < 0.5
    assert [(one.name, one.count) for one in fitted.fitted_on] == [("fitting.jsonl", 3)]
