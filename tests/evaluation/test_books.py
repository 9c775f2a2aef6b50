"""The measure on open books: what is kept of a run, and the page that it comes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bookbound.evaluation.curves import UNANSWERED
from bookbound.evaluation.judging import Run, judge
from evaluation import books_page
from evaluation.asked_books import BookRuns, Outcome, Shown
from evaluation.books import outcome
from tests.evaluation.responses import answered, refused
from tests.evaluation.runs import to_answer, to_refuse

RIGHT = Outcome(
    id="a",
    kind="fact",
    expect="answer",
    failed=False,
    answered=True,
    right=True,
    points=1,
    points_of=2,
    level="medium",
    evidence_rank=3,
    selected=False,
    scores={"sufficiency": 0.9, "cosine": 0.8, "bm25": 12.0},
)
REFUSED = replace(
    RIGHT, id="b", answered=False, right=None, points=0, points_of=0, level=None, evidence_rank=None,
    scores={"sufficiency": UNANSWERED, "cosine": 0.2, "bm25": 1.0},
)  # fmt: skip
DECEIVED = replace(RIGHT, id="c", kind="near_miss", expect="refuse", right=None, points=0, points_of=0)
FAR = replace(REFUSED, id="d", kind="far", expect="refuse")
BOOK = [RIGHT, REFUSED, DECEIVED, FAR]


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was kept comes back, a half-written line aside, and so do scores that no threshold reaches."""
    kept = [replace(RIGHT, shown=(Shown("It lasts.", "Intro"),)), REFUSED]
    BookRuns(tmp_path).add("astronomy", kept)
    with (tmp_path / "outcomes" / "astronomy.jsonl").open("a") as file:
        file.write('{"id": "c", "ki')
    assert BookRuns(tmp_path).outcomes("astronomy") == kept


def test_outcomes_of_another_model_are_forgotten(tmp_path: Path) -> None:
    """Figures are of one model, and a run with the same one still goes on; peers were asked all the same."""
    runs = BookRuns(tmp_path)
    runs.of("one reader")
    runs.add("astronomy", BOOK)
    runs.keep_peer("Haystack", "astronomy", {"a": 0.5})
    runs.of("one reader")
    assert runs.outcomes("astronomy") == BOOK
    runs.of("another")
    assert (runs.outcomes("astronomy"), runs.peer_scores("Haystack", "astronomy")) == ([], {"a": 0.5})


def test_questions_that_left_the_set_are_dropped(tmp_path: Path) -> None:
    """And the others stand in the order of the set."""
    runs = BookRuns(tmp_path)
    runs.add("astronomy", BOOK)
    runs.keep_only("astronomy", ["d", "a", "new"])
    assert runs.outcomes("astronomy") == [FAR, RIGHT]


def test_near_misses_are_counted_apart_from_other_questions_to_refuse() -> None:
    """An answer to either is wrong, and lowers what its level promises."""
    found = books_page.figures({"cooking": BOOK}, {}, {})
    summary = found["groups"]["training"]
    assert (summary["answered"]["hits"], summary["answered"]["n"]) == (1, 2)
    assert (summary["near_misses"]["hits"], summary["near_misses"]["n"]) == (1, 1)
    assert (summary["others"]["hits"], summary["others"]["n"]) == (0, 1)
    assert found["levels"]["training"]["medium"]["right"]["rate"] == 0.5
    assert found["cut_offs"] == {}


def test_sentences_are_to_the_point_that_are_evidence() -> None:
    """One that holds a quote, or is a part of it; what merely stands next to it is not."""
    quote = "The battery lasts for 90 minutes."
    told = [("It is blue.", False), (f"In walking, {quote}", True), ("The battery lasts.", True)]
    response = answered(quote, quote, sentences=[{"text": text, "source_ids": ["S1"]} for text, _ in told])
    assert judge(to_answer(), Run("a", response), None).to_the_point == tuple(told)
    refusal = judge(to_answer(), Run("a", refused("insufficient_context")), None)
    assert refusal.to_the_point == judge(to_refuse(), Run("r", response), None).to_the_point == ()
    kept = outcome(judge(to_answer(), Run("a", response), None), None)
    assert (kept.to_the_point, kept.sentences) == (2, 3)
    assert kept.shown == tuple(Shown(text, "Intro") for text, _ in told)
    shown = books_page.figures({"cooking": [kept, REFUSED]}, {}, {})["groups"]["training"]["to_the_point"]
    assert (shown["hits"], shown["n"]) == (2, 3)


def test_a_peer_is_cut_at_a_threshold_of_the_other_books_and_at_as_many_answers() -> None:
    """Fitted without the book itself; and at the product's answered rate, book by book."""
    books = {"astronomy": BOOK, "philosophy": BOOK}
    scores = {"a": 0.9, "b": 0.7, "c": 0.5, "d": 0.1}
    found = books_page.figures(books, {"Peer": dict.fromkeys(books, scores)}, {})["cut_offs"]
    assert found["Peer"]["fitted"]["answered"]["rate"] == 1.0
    assert found["Peer"]["fitted"]["near_misses"]["rate"] == 0.0
    assert found["Peer"]["same"]["near_misses"]["rate"] == 0.0
    assert found["Bookbound as shipped"]["fitted"]["near_misses"]["rate"] == 1.0
    assert found["Peer"]["auroc"] == 1.0


def test_the_page_shows_counts_and_intervals() -> None:
    """As Markdown tables, one row per book."""
    page = books_page.page(books_page.figures({"astronomy": BOOK, "philosophy": BOOK}, {}, {}))
    assert "| astronomy | 4 | 50 % (1/2; 9–91) | 100 % (1/1; 21–100) | 100 % (1/1; 21–100) |" in page
    assert "| the five judging books | 8 |" in page
    assert "| Bookbound as shipped | 50 % (2/4; 15–85) |" in page
