import json

import pytest

from bookbound.evaluation import plots
from bookbound.evaluation.judging import Run, holds, says
from bookbound.evaluation.latency import by_stage
from bookbound.evaluation.metrics import summarise
from bookbound.evaluation.questions import Labelled, Quote
from bookbound.evaluation.report import level_verdict, render_html, render_json
from bookbound.local import tables
from bookbound.model import RefusalReason
from tests.evaluation.responses import answered, refused
from tests.evaluation.runs import sufficiency, to_answer, to_refuse, verdict

BOOK = {"a.md": "Wren is **1.2 m** tall.", "b.md": "Wren weighs 24 kg."}
TALL = Labelled(
    "tall",
    "fact",
    "How tall is Wren?",
    "answer",
    evidence=(Quote("a.md", "Wren is **1.2 m** tall."),),
    answer_points=("1.2 m",),
)
COST = Labelled(
    "cost",
    "near_miss",
    "What does Wren cost?",
    "refuse",
    refusal_reasons=(RefusalReason.INSUFFICIENT_CONTEXT,),
)
GOOD_ANSWER = answered("Wren is 1.2 m tall.", "Wren is 1.2 m tall.")
GOOD_REFUSAL = refused("insufficient_context")


def summary_of(labelled, response, calls=0):
    return summarise([labelled], [Run(labelled.id, response, calls)], BOOK)


def counts(figure):
    return figure["hits"], figure["n"]


def test_a_right_answer_and_a_right_refusal_leave_no_failure():
    """The figures of a system that does everything right."""
    figures = summarise([TALL, COST], [Run("cost", GOOD_REFUSAL), Run("tall", GOOD_ANSWER, 1)], BOOK)
    for key in ("answered_rate", "right_source_rate", "answer_points_rate", "every_sentence_cited_rate"):
        assert counts(figures[key]) == (1, 1), key
    assert counts(figures["literal_citation_rate"]) == (2, 2)
    assert counts(figures["reason_accuracy"]) == (1, 1)
    assert counts(figures["answered_rate_by_kind"]["fact"]) == (1, 1)
    assert counts(figures["false_answer_rate"]["near_miss"]) == (0, 1)
    assert figures["generator_calls_on_refusal"] == 0
    assert figures["failures"] == []
    assert figures["latency_ms"] == {"p50": 10.0, "p95": 20.0, "p99": 20.0}


@pytest.mark.parametrize(
    ("labelled", "response", "fault"),
    [
        (TALL, refused("empty_retrieval"), "refused: empty_retrieval"),
        (COST, GOOD_ANSWER, "answered, should refuse"),
        (COST, refused("out_of_scope"), "refused as out_of_scope, expected insufficient_context"),
        (TALL, answered("It has 26 joints.", "26 joints"), "no evidence quote in any excerpt or sentence"),
        (TALL, answered("Wren is 1.3 m tall.", "Wren is 1.2 m tall."), "point missing: 1.2 m"),
        (
            TALL,
            answered("Wren is 1.2 m tall.", "Wren is 1.2 m high."),
            "excerpt not in the book: Wren is 1.2 m high.",
        ),
        (
            TALL,
            answered("x", "x", sentences=[{"text": "Wren is 1.2 m tall.", "source_ids": []}]),
            "a sentence without a citation",
        ),
    ],
)
def test_each_kind_of_failure_is_listed_with_its_question(labelled, response, fault):
    """A reader of the report sees what to look at."""
    [failure] = summary_of(labelled, response)["failures"]
    assert (failure["id"], failure["kind"], failure["question"]) == (
        labelled.id,
        labelled.kind,
        labelled.question,
    )
    assert fault in failure["wrong"]


def test_a_system_failure_counts_as_no_answer_and_is_listed():
    """A timeout must not improve a rate by being left out."""
    figures = summarise([TALL], [Run("tall", None, error="DeadlineExceeded: too slow")], BOOK)
    assert figures["errors"] == 1
    assert counts(figures["answered_rate"]) == (0, 1)
    assert figures["failures"][0]["wrong"] == ["failed: DeadlineExceeded: too slow"]
    assert figures["latency_ms"]["p50"] is None


def test_a_question_without_a_run_is_an_error():
    """A summary over fewer questions than were labelled would mislead."""
    with pytest.raises(ValueError, match="'cost'"):
        summarise([TALL, COST], [Run("tall", GOOD_ANSWER)], BOOK)


@pytest.mark.rule("G8")
def test_generator_calls_on_refused_questions_are_counted():
    """Only refusals count: an answer needs its call."""
    figures = summarise([TALL, COST], [Run("tall", GOOD_ANSWER, 1), Run("cost", GOOD_REFUSAL, 2)])
    assert figures["generator_calls_on_refusal"] == 2


@pytest.mark.rule("F3")
def test_a_confident_false_answer_counts_against_its_level():
    """Reliability is over everything that was answered, asked for or not."""
    figures = summarise([TALL, COST], [Run("tall", GOOD_ANSWER), Run("cost", GOOD_ANSWER)], BOOK)
    high = figures["reliability"]["high"]
    assert (high["n"], high["accuracy"], high["mean_confidence"]) == (2, 0.5, 0.9)
    assert figures["reliability"]["low"]["n"] == 0


def test_an_excerpt_of_another_page_is_not_literal_there():
    """A source's excerpt must stand in its own document; only inline ones may be of any cited page."""
    figures = summary_of(TALL, answered("Wren weighs 24 kg.", "Wren weighs 24 kg."))
    assert counts(figures["literal_citation_rate"]) == (0, 2)


def test_without_the_books_text_no_excerpt_is_judged():
    """Unknown is not wrong."""
    figures = summarise([TALL], [Run("tall", GOOD_ANSWER)])
    assert counts(figures["literal_citation_rate"]) == (0, 0)


def test_also_in_counts_as_evidence():
    """An equivalent passage is as good a source."""
    label = Labelled("t", "fact", "?", "answer", also_in=(Quote("b.md", "Wren weighs 24 kg."),))
    assert counts(summary_of(label, answered("x", "Wren weighs 24 kg."))["right_source_rate"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "held"),
    [("one two three", True), ("**one** [two](x.md) `three`", True), ("one two", False), ("", False)],
)
def test_a_quote_is_held_from_three_of_five_words_on(text, held):
    """60 % of the quote's distinct words, marks aside."""
    assert holds(text, "One two *three* four five one") is held


@pytest.mark.parametrize(
    ("text", "point", "said"),
    [
        ("The maximum latency is 50 ms.", "50 ms maximum", True),
        ("The maximum latency is 40 ms.", "50 ms maximum", False),
        ("Queues buffer many messages", "how many messages are buffered", True),
        ("Nothing of the kind", "queue size", False),
        ("No, never.", "no", True),
        ("Yes.", "no", False),
    ],
)
def test_a_point_is_made_by_its_stems_and_its_exact_numbers(text, point, said):
    """Inflection does not matter; a number always does."""
    assert says(text, point) is said


@pytest.mark.rule("E2")
def test_the_report_is_one_file_that_escapes_what_it_shows():
    """Questions are untrusted text; nothing is loaded from elsewhere."""
    label = Labelled("x", "near_miss", "<script>alert(1)</script>", "refuse")
    runs = [Run("tall", GOOD_ANSWER), Run("x", GOOD_ANSWER)]
    page = render_html(summarise([TALL, label], runs, BOOK), by_stage(runs), "Evaluation <of> x")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "Evaluation &lt;of&gt; x" in page
    assert page.count("<svg") == 7
    assert "http" not in page
    assert "fact: 100.0% (1/1)" in page


@pytest.mark.rule("E2")
def test_the_report_renders_when_nothing_was_answered():
    """The worst evaluation has a report too."""
    runs = [Run("tall", None, error="Unavailable: down")]
    figures = summarise([TALL], runs)
    assert "Unavailable: down" in render_html(figures, by_stage(runs), "t")
    written = json.loads(render_json(figures))
    assert written["answered_rate"] == figures["answered_rate"]["rate"]
    assert written["counts"]["answered_rate"] == figures["answered_rate"]
    assert written["false_answer_rate"] == {
        kind: rate["rate"] for kind, rate in figures["false_answer_rate"].items()
    }
    assert written["latency_ms"] == figures["latency_ms"]
    assert written.keys() == figures.keys() | {"counts"}


@pytest.mark.rule("E2")
def test_the_report_shows_the_curves_and_every_miss_with_its_trace():
    """Folded away, and the gate that decided is in it."""
    labelled = [to_answer(), to_refuse()]
    asked = [
        verdict(labelled[0], sufficiency(0.3)).run,
        verdict(labelled[1], sufficiency(0.7), answer="No.").run,
    ]
    page = render_html(summarise(labelled, asked), by_stage(asked), "t")
    assert page.count("<svg") == 7
    assert page.count('<details class="miss') == 2
    assert "2 candidates, evidence at place 1" in page
    assert "<td>G9 answers</td>" in page
    assert "barred by sufficiency (G9)" in page


@pytest.mark.rule("E2")
def test_counts_and_intervals_stand_under_the_same_keys_as_their_rates():
    """However deep a rate lies; a curve's points are shares alone."""
    labelled = [to_answer(), to_refuse()]
    asked = [verdict(each, sufficiency(0.3)).run for each in labelled]
    written = json.loads(render_json(summarise(labelled, asked)))
    assert written["retrieval"] == {"top1": 1, "top5": 1}
    assert written["caught"] == {"near_miss": {"G9 answers": 1}}
    assert written["counts"]["caught"]["near_miss"]["G9 answers"]["n"] == 1
    assert written["curves"]["all"]["sufficiency"]["chosen"]["answered"] == 0
    assert written["counts"]["curves"]["all"]["sufficiency"]["chosen"]["answered"]["hits"] == 0
    assert written["curves"]["all"]["cosine"]["points"] == [
        {"threshold": 0.8, "answered": 1, "false_answers": 1}
    ]


@pytest.mark.rule("F3")
@pytest.mark.parametrize(
    ("low", "high", "n", "verdict"),
    [
        (0.991, 1.0, 500, "shown to be right 99% of the time"),
        (0.90, 0.97, 100, "misses its 99%"),
        (0.90, 1.0, 30, "too few answers to show 99%"),
        (0.0, 1.0, 0, "no answers, 99% not shown"),
    ],
)
def test_the_report_says_whether_the_data_carry_a_level(low, high, n, verdict):
    """Too few answers is another thing than too many errors."""
    level = {"target": 0.99, "low": low, "high": high, "n": n, "withheld": False}
    assert level_verdict(level) == verdict


@pytest.mark.rule("F3")
def test_a_withheld_level_is_said_in_words():
    """In summary, report and terminal; a level that was given all the same is judged by its answers."""
    sure = GOOD_ANSWER | {"confidence_level": "medium"}
    runs = [Run("tall", sure)]
    figures = summarise([TALL], runs)
    assert [figures["reliability"][level]["withheld"] for level in ("high", "medium", "low")] == [
        True,
        True,
        False,
    ]
    verdict = "withheld: never given, until enough answers show 99%"
    assert level_verdict(figures["reliability"]["high"]) == verdict
    assert verdict in render_html(figures, by_stage(runs), "t")
    rows = list(tables.summary(figures).columns[1].cells)
    assert "withheld" in [str(cell) for cell in rows]
    given = summarise([TALL], [Run("tall", GOOD_ANSWER)])["reliability"]["high"]
    assert level_verdict(given) == "too few answers to show 99%"


@pytest.mark.rule("F3")
def test_confidence_is_held_against_accuracy_in_tenths_of_the_score():
    """Every answer in one of them, a score of 1.0 in the last; each with its interval and mean."""
    scores = {"a": 0.7, "b": 0.79, "c": 0.8, "d": 1.0}
    labels = [Labelled(one, "fact", "How tall?", "answer", evidence=TALL.evidence) for one in scores]
    labels[1] = Labelled("b", "near_miss", "How wide?", "refuse")
    runs = [Run(one, GOOD_ANSWER | {"confidence_score": score}) for one, score in scores.items()]
    bands = summarise(labels, runs)["reliability_by_score"]
    assert [band["score_from"] for band in bands] == [tenth / 10 for tenth in range(10)]
    assert [band["n"] for band in bands] == [0, 0, 0, 0, 0, 0, 0, 2, 1, 1]
    assert (bands[7]["hits"], bands[7]["accuracy"]) == (1, 0.5)
    assert bands[7]["mean_confidence"] == pytest.approx(0.745)
    assert bands[7]["low"] < 0.5 < bands[7]["high"]
    assert bands[0]["accuracy"] is bands[0]["mean_confidence"] is None


@pytest.mark.rule("F3")
def test_the_reliability_diagram_has_a_point_for_each_tenth_that_has_answers():
    """Each point has its interval, next to the line that shows what a score stands for."""
    rows = [
        {"n": 0, "hits": 0},
        {"n": 4, "hits": 3, "accuracy": 0.75, "low": 0.3, "high": 0.95, "mean_confidence": 0.72},
    ]
    drawn = plots.reliability(rows, "accuracy by confidence")
    assert drawn.count("<circle") == 1
    assert "3 of 4 right, mean confidence 0.72" in drawn
    assert drawn.count('class="promise"') == 1
