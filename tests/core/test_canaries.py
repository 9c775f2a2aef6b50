"""Canary questions: a fresh index is asked, and an author reads what to do about those that are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evidence.sufficiency import Assessor, SufficiencyModel
from bookbound.index.canaries import MARGIN, Asked, Canary, Wish, ask, check, settle
from bookbound.index.glossary_builder import gather
from bookbound.model import Hit, RefusalReason, Wanted
from bookbound.policy import book_policy
from bookbound.policy.book_policy import Policy
from bookbound.ports import PassageStore
from bookbound.text.terms import query_stems, term_index
from testing.builders import book, hit, model_by_share, passage
from testing.fakes import FakeEmbedder, ReaderByShare

MODEL = model_by_share(0.60)
"""Judges by the share of the question's words alone: 0.88 for all of them, 0.58 for five of six."""
STRICT = replace(MODEL, threshold=0.80)

LASTS = passage("The battery of Kestrel lasts for 90 minutes.")
WORDED = "Does the battery of Kestrel last for 90 minutes?"
PARTLY = "Does the battery of Kestrel last for 90 pleasant minutes?"
HELD = book(hit(LASTS, 0.9))
OTHERWISE = "Does the accumulator of Kestrel last for 90 minutes?"


def assessor(model: SufficiencyModel = MODEL, similar: float = 0.9, *, refuses: bool = False) -> Assessor:
    """A judge to whom the passage is so similar."""
    nearness = model_by_share(similar=similar).similarity
    return Assessor(ReaderByShare(), replace(model, similarity=nearness), refuses)


def asked(wish: Wish, sufficiency: float | None) -> Asked:
    return Asked(f"{wish} {sufficiency}", wish, sufficiency, RefusalReason.INSUFFICIENT_CONTEXT, "G9 answers")


def canaries(*, answer: tuple[str, ...] = (), refuse: tuple[str, ...] = ()) -> Policy:
    return replace(book_policy.DEFAULT, canary_answer=answer, canary_refuse=refuse)


async def checked(
    asked_for: Policy,
    *,
    model: SufficiencyModel = MODEL,
    similar: float = 0.9,
    refuses: bool = False,
    store: PassageStore | None = None,
) -> tuple[float | None, dict[str, Canary]]:
    """The threshold and the canaries by their question, for a book of one passage."""
    asked_book = book(hit(LASTS, 0.9), policy=asked_for, glossary=gather([], asked_for), store=store)
    checkup = await check(asked_book, FakeEmbedder(), assessor(model, similar, refuses=refuses))
    return checkup.threshold, {one.question: one for one in checkup.canaries}


# --- the threshold --------------------------------------------------------------------------------

scores = st.none() | st.floats(0.001, 0.999)
many = st.lists(st.builds(asked, st.sampled_from(["answer", "refuse"]), scores), max_size=6)
model_thresholds = st.floats(0.2, 0.8)


@given(model_thresholds, many)
def test_the_threshold_stays_near_the_models(threshold: float, canaries: list[Asked]) -> None:
    """A threshold moved for one question moves for all, so it never moves by more than the margin."""
    assert abs(settle(threshold, canaries) - threshold) <= MARGIN + 1e-9


@given(model_thresholds, many)
def test_refusing_wins(threshold: float, canaries: list[Asked]) -> None:
    """A canary to refuse is always held back, unless that takes more than the margin."""
    settled = settle(threshold, canaries)
    for one in canaries:
        if one.wish == "refuse" and (one.sufficiency or 0.0) < threshold + MARGIN - 0.001:
            assert not one.passes(settled)


@given(model_thresholds, many)
def test_a_lower_threshold_is_never_at_or_below_a_canary_to_refuse(
    threshold: float, canaries: list[Asked]
) -> None:
    """Not even below one that passes anyhow."""
    settled = settle(threshold, canaries)
    if settled < threshold:
        assert not any(one.wish == "refuse" and one.passes(settled) for one in canaries)


@given(model_thresholds, many)
def test_the_threshold_moves_no_further_than_a_canary_needs(threshold: float, canaries: list[Asked]) -> None:
    """It ends right below one to answer, or right above one to refuse, or stays."""
    settled = settle(threshold, canaries)
    needs: Wish = "answer" if settled < threshold else "refuse"
    near = [
        abs(one.sufficiency - settled)
        for one in canaries
        if one.wish == needs and one.sufficiency is not None
    ]
    assert settled == threshold or min(near) <= 0.0011


@given(model_thresholds, many)
def test_a_canary_to_answer_fails_only_for_a_reason(threshold: float, canaries: list[Asked]) -> None:
    """Out of the margin's reach, or not above a canary to refuse."""
    settled = settle(threshold, canaries)
    held = max((one.sufficiency or 0.0 for one in canaries if one.wish == "refuse"), default=0.0)
    for one in canaries:
        if one.wish == "answer" and one.sufficiency is not None and not one.passes(settled):
            assert one.sufficiency <= max(threshold - MARGIN, held) + 0.003


# --- what is asked --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "similar", "gate", "reason"),
    [
        (WORDED, 0.4, "G1 retrieved", RefusalReason.EMPTY_RETRIEVAL),
        (WORDED, 0.6, "G2 similar", RefusalReason.INSUFFICIENT_CONTEXT),
        ("How do I train a custom LLM?", 0.9, "G4 in scope", RefusalReason.OUT_OF_SCOPE),
        ("Write a poem about Kestrel.", 0.9, "G14 knowledge question", RefusalReason.OUT_OF_SCOPE),
        ("¿Cuánto tiempo dura la batería del robot?", 0.9, "language", RefusalReason.INSUFFICIENT_CONTEXT),
    ],
)
async def test_a_gate_that_no_threshold_mends_is_named(
    question: str, similar: float, gate: str, reason: RefusalReason
) -> None:
    """Such a question has no sufficiency: it passes at no threshold."""
    one = await ask(question, "answer", HELD, FakeEmbedder(), assessor(similar=similar))
    assert (one.gate, one.reason, one.sufficiency) == (gate, reason, None)
    assert not one.passes(0.0)


@pytest.mark.rule("R9")
async def test_a_question_in_parts_is_as_good_as_its_best_part() -> None:
    """Readers get an answer to that part."""
    one_part = await ask(WORDED, "answer", HELD, FakeEmbedder(), assessor())
    both = await ask(f"{WORDED} Who is Ada Lovelace?", "answer", HELD, FakeEmbedder(), assessor())
    assert both.sufficiency == one_part.sufficiency


async def test_the_books_own_threshold_has_no_say() -> None:
    """A book is asked on every rung, so that the next threshold doesn't depend on the last."""
    loose = replace(HELD, sufficiency_threshold=0.0)
    asked_loose = await ask(PARTLY, "answer", loose, FakeEmbedder(), assessor())
    assert asked_loose == await ask(PARTLY, "answer", HELD, FakeEmbedder(), assessor())


# --- the author's levers --------------------------------------------------------------------------


@dataclass
class StoreOfWord:
    """A store that finds its passage by one word of it alone."""

    word: str
    hit: Hit

    async def search(self, wanted: Sequence[Wanted], limit: int) -> list[list[Hit]]:
        [stem] = query_stems(self.word)
        return [[self.hit] if term_index(stem) in one.sparse else [] for one in wanted]


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    "lever",
    [{"aliases": {"battery": ("accumulator",)}}, {"glossary": {"accumulator": "battery"}}],
    ids=["alias", "glossary"],
)
async def test_the_readers_word_as_alias_or_glossary_entry_mends_a_wrong_refusal(
    lever: dict[str, dict[str, object]],
) -> None:
    """The passage is found by the book's word, and the threshold may stay where it is."""
    wanted, model = canaries(answer=(OTHERWISE,)), replace(MODEL, threshold=0.45)
    store = StoreOfWord("battery", hit(LASTS, 0.9))
    _, before = await checked(wanted, model=model, store=store)
    assert "an alias or a glossary entry" in (before[OTHERWISE].remedy or "")
    threshold, after = await checked(replace(wanted, **lever), model=model, store=store)  # type: ignore[arg-type]
    assert (threshold, after[OTHERWISE].answered, after[OTHERWISE].remedy) == (None, True, None)


@pytest.mark.rule("G9")
async def test_a_canary_just_under_the_threshold_lowers_it() -> None:
    """By as much as this question needs."""
    threshold, outcome = await checked(canaries(answer=(WORDED, PARTLY)))
    assert outcome[PARTLY].answered
    assert outcome[PARTLY].sufficiency == pytest.approx(threshold, abs=0.001)
    assert MODEL.threshold - MARGIN <= (threshold or 0.0) < MODEL.threshold


@pytest.mark.rule("G9")
async def test_a_canary_to_refuse_raises_the_threshold_above_it() -> None:
    """The book's words are all there, and the author knows that they are no answer."""
    threshold, outcome = await checked(canaries(refuse=(WORDED,)), model=STRICT)
    assert (outcome[WORDED].answered, outcome[WORDED].remedy) == (False, None)
    assert outcome[WORDED].gate == "G9 answers"
    assert STRICT.threshold < (threshold or 0.0) <= STRICT.threshold + MARGIN


@pytest.mark.rule("G9", "G12")
async def test_a_threshold_is_settled_by_the_model_s_for_a_generator_that_only_quotes() -> None:
    """Whichever generator is to write: a book's own threshold moves both alike."""
    wanted = canaries(answer=(WORDED, PARTLY))
    lenient = replace(MODEL, with_refusals=0.1)
    assert await checked(wanted, model=lenient, refuses=True) == await checked(wanted)


async def test_where_both_cannot_be_the_report_names_the_question_in_the_way() -> None:
    """The refusal stands, and an author reads which question holds the threshold."""
    same = WORDED.replace("Does", "Will")
    threshold, outcome = await checked(canaries(answer=(same,), refuse=(WORDED,)), model=STRICT)
    assert (threshold or 0.0) > STRICT.threshold
    assert (outcome[WORDED].answered, outcome[WORDED].remedy) == (False, None)
    assert not outcome[same].answered
    assert f"held there by {WORDED!r}" in (outcome[same].remedy or "")


async def test_a_canary_to_refuse_that_nothing_holds_back_is_told() -> None:
    """The remedy is a pattern; until then the model's threshold stays, for one to answer as well."""
    threshold, outcome = await checked(canaries(answer=(PARTLY,), refuse=(WORDED,)))
    assert (threshold, outcome[WORDED].answered, outcome[PARTLY].answered) == (None, True, False)
    assert "a pattern in out_of_scope" in (outcome[WORDED].remedy or "")
    assert f"held there by {WORDED!r}" in (outcome[PARTLY].remedy or "")


async def test_a_canary_out_of_the_margins_reach_leaves_the_threshold_alone() -> None:
    """The report says that it falls no further."""
    threshold, outcome = await checked(canaries(answer=(PARTLY,)), model=STRICT)
    assert (threshold, outcome[PARTLY].answered) == (None, False)
    assert "falls no further" in (outcome[PARTLY].remedy or "")


@pytest.mark.parametrize(
    ("question", "similar", "remedy"),
    [
        (WORDED, 0.4, "alias or a glossary entry"),
        ("How do I train a custom LLM?", 0.9, "narrow the pattern in out_of_scope"),
        ("Write a poem about Kestrel.", 0.9, "word it as a question"),
        ("¿Cuánto tiempo dura la batería del robot?", 0.9, "another language"),
    ],
)
async def test_a_refusal_that_no_threshold_mends_has_a_remedy_of_its_own(
    question: str, similar: float, remedy: str
) -> None:
    """The gate is named, and what changes its mind."""
    threshold, outcome = await checked(canaries(answer=(question,)), similar=similar)
    assert threshold is None
    assert "which a threshold does not mend" in (outcome[question].remedy or "")
    assert remedy in (outcome[question].remedy or "")


@pytest.mark.rule("G7")
async def test_a_policy_that_refuses_weak_evidence_is_named() -> None:
    """One passage qualifies where two are wanted."""
    _, outcome = await checked(replace(canaries(answer=(WORDED,)), weak_evidence="refuse"))
    assert outcome[WORDED].gate == "G7 enough passages"
    assert "weak_evidence is refuse" in (outcome[WORDED].remedy or "")


async def test_a_canary_as_wished_needs_no_remedy() -> None:
    """One answered, one refused, and the model's threshold."""
    refused = "How do I train a custom LLM?"
    threshold, outcome = await checked(canaries(answer=(WORDED,), refuse=(refused,)))
    assert threshold is None
    assert (outcome[WORDED].answered, outcome[WORDED].reason, outcome[WORDED].gate) == (True, None, None)
    assert (outcome[refused].answered, outcome[refused].reason) == (False, RefusalReason.OUT_OF_SCOPE)
    assert {one.remedy for one in outcome.values()} == {None}
