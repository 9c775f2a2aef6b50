"""The fits behind the numbers that ship."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound import wiring
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.evaluation.fitting import logistic, score_map_knots, standardised_logistic, threshold_keeping
from bookbound.evaluation.questions import Labelled, Quote
from bookbound.evaluation.retrieved import cosine_pairs, provenance, retrieve_all
from bookbound.evidence.sufficiency import CONFIRMED, FEATURES, shipped
from bookbound.text.scoring import ScoreMap
from testing.builders import book, hit, passage
from testing.fakes import FakeEmbedder


def test_a_logistic_fit_finds_the_curve_that_made_the_data() -> None:
    """Slope and intercept come back from plenty of examples."""
    rng = np.random.default_rng(7)
    x = rng.uniform(-2, 2, size=(4000, 1))
    labels = (rng.uniform(size=4000) < 1 / (1 + np.exp(-(3 * x[:, 0] - 1)))).astype(float)
    slope, intercept = logistic(x, labels, np.ones(4000), ridge=1e-6)
    assert slope == pytest.approx(3, abs=0.3)
    assert intercept == pytest.approx(-1, abs=0.2)


def test_standardising_changes_the_penalty_not_the_meaning() -> None:
    """A feature in other units gives the same predictions."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 2))
    labels = (x[:, 0] + rng.normal(size=200) > 0).astype(float)
    plain = standardised_logistic(x, labels, ridge=5.0)
    scaled = standardised_logistic(x * [1000.0, 1.0], labels, ridge=5.0)
    assert scaled[0] * 1000 == pytest.approx(plain[0])
    assert scaled[1:] == pytest.approx(plain[1:])


@given(
    st.lists(st.floats(0.4, 0.9), min_size=5, max_size=40),
    st.lists(st.floats(0.0, 0.5), min_size=5, max_size=80),
)
def test_knots_make_a_score_map(positives: list[float], negatives: list[float]) -> None:
    """Evidence that is nearer than the rest gives a rising map within [0, 1]."""
    knots = score_map_knots([cosine + 0.05 for cosine in positives], negatives)
    fitted = ScoreMap("m", knots, "fit")
    assert fitted(1.0) >= fitted(0.0)


def test_both_sides_weigh_alike_however_many_there_are() -> None:
    """A hundred times as many other candidates don't push the half-way point up."""
    few = ScoreMap("m", score_map_knots([0.6] * 10 + [0.5], [0.2] * 10 + [0.3]), "fit")
    many = ScoreMap("m", score_map_knots([0.6] * 10 + [0.5], ([0.2] * 10 + [0.3]) * 100), "fit")
    assert few(0.4) == pytest.approx(many(0.4), abs=0.02)


def test_a_threshold_keeps_the_share_that_it_was_asked_to() -> None:
    """Nine of ten reach it, and a higher one would lose more."""
    scores = [number / 10 for number in range(1, 11)]
    assert threshold_keeping(scores, 0.9) == 0.2
    assert sum(score >= 0.2 for score in scores) == 9


async def test_pairs_are_the_evidence_windows_against_all_others() -> None:
    """The best evidence window is the positive; selections and questions to refuse give none."""
    answer, other = passage("The battery lasts for 90 minutes."), passage("Boots are green.", document="b.md")
    live = book(hit(answer, 0.7), hit(other, 0.2))
    evidence = (Quote("power/batteries.md", "battery lasts for **90 minutes**"),)
    labelled = [
        Labelled("1", "fact", "How long?", "answer", evidence=evidence),
        Labelled("2", "far", "Why?", "refuse"),
        Labelled("3", "selected_answer", "How long?", "answer", selected_text="x", evidence=evidence),
    ]
    found = cosine_pairs(await retrieve_all(labelled, live, FakeEmbedder()))
    assert (found.positives, sorted(found.negatives)) == ((0.7,), [0.2, 0.2, 0.7])


def test_a_fit_names_its_questions_by_their_content(tmp_path: Path) -> None:
    """Not by where they lay: another machine's copy is the same data, an edited one is not."""
    here, there = tmp_path / "questions.jsonl", tmp_path / "copy" / "questions.jsonl"
    there.parent.mkdir()
    labelled = [Labelled("1", "far", "Why?", "refuse")] * 3
    for file in (here, there):
        file.write_text("the same\n")
    assert provenance(here, labelled) == provenance(there, labelled)
    assert (provenance(here, labelled).name, provenance(here, labelled).count) == ("questions.jsonl", 3)
    there.write_text("edited\n")
    assert provenance(here, labelled) != provenance(there, labelled)


def test_what_ships_fits_the_code_and_names_its_data() -> None:
    """A model of other features, or a map of another embedder, would be nonsense."""
    assert set(shipped().weights) == {*FEATURES, CONFIRMED}
    assert shipped().fitted_on
    score_map = wiring.shipped_score_map(MiniLmEmbedder.model_id)
    assert score_map.model_id == MiniLmEmbedder.model_id
    assert all(entry.count and len(entry.sha256) == 64 for entry in score_map.fitted_on)
