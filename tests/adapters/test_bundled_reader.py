"""The bundled reader model: what it is given of a question and an excerpt, and what it makes of it."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bookbound.adapters.bundled.reader import (
    CUT_OFF,
    LONGEST,
    LONGEST_ABOVE,
    LONGEST_QUESTION,
    BundledReader,
    Pieces,
    encoded,
)
from bookbound.adapters.bundled.tokenizer import load_tokenizer
from bookbound.claims.support import judged
from bookbound.evidence.reading import excerpts
from bookbound.evidence.table_reading import ENDS
from bookbound.model import Excerpt
from testing.builders import passage

TOKENIZER = load_tokenizer()
END = TOKENIZER.token_to_id("[SEP]")
"""The mark that ends a part."""

QUESTION = "How long does the battery last?"
LASTS, CHARGED = "The battery lasts for 90 minutes.", "It is charged every evening."
MARKS = 3
"""Marks that end the question, what stands above, and the text; one more begins it all."""


def words(count: int, word: str = "node") -> str:
    """A text of as many word pieces."""
    return " ".join([word] * count)


def excerpt(*texts: str, above: str = "Power > Batteries") -> Excerpt:
    """Units of these texts; the passage is not looked at."""
    return Excerpt(passage(LASTS), above, tuple(range(len(texts))), texts)


def shown(pieces: Pieces) -> str:
    """Return the text that the model is given."""
    return str(TOKENIZER.decode(pieces.ids, skip_special_tokens=False))


def unit_texts(pieces: Pieces) -> list[str]:
    return [TOKENIZER.decode(pieces.ids[start:end]) for start, end in pieces.units]


class Noting:
    """A session that remembers what it was given and what it returned."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.runs: list[tuple[Mapping[str, Any], Any]] = []

    def run(self, names: list[str], inputs: Mapping[str, Any]) -> Any:
        outputs = self._session.run(names, inputs)
        self.runs.append((inputs, outputs))
        return outputs


@pytest.fixture(scope="module")
def reader() -> BundledReader:
    return BundledReader()


@pytest.fixture
def noting(reader: BundledReader) -> Iterator[Noting]:
    """The runs of the model during a test; what was read before is not forgotten."""
    before = reader._session
    reader._session = session = Noting(before)
    yield session
    reader._session = before


# --- what it is given -----------------------------------------------------------------------------


def test_question_headings_and_text_are_given_in_this_order() -> None:
    """A mark begins it all, and one ends each; the question is told from what is read by its segment."""
    pieces = encoded(TOKENIZER, QUESTION, "Power > Batteries", (LASTS, CHARGED))
    assert shown(pieces) == (
        f"[CLS] {QUESTION.lower()} [SEP] power > batteries [SEP] {LASTS.lower()} {CHARGED.lower()} [SEP]"
    )
    assert END is not None
    asked = pieces.ids.index(END) + 1
    assert pieces.segments == [0] * asked + [1] * (len(pieces.ids) - asked)
    assert unit_texts(pieces) == [LASTS.lower(), CHARGED.lower()]


def test_a_piece_knows_its_characters_in_its_own_unit() -> None:
    """So that examples of answers, which are marked by characters, can be told by pieces."""
    pieces = encoded(TOKENIZER, QUESTION, "", (LASTS, CHARGED))
    spelled = [
        [text[slice(*pieces.offsets[at])] for at in range(start, end)]
        for text, (start, end) in zip((LASTS, CHARGED), pieces.units, strict=True)
    ]
    assert spelled[0] == ["The", "battery", "lasts", "for", "90", "minutes", "."]
    assert "".join(spelled[1]) == CHARGED.replace(" ", "")


def test_a_long_question_is_cut_at_its_end() -> None:
    """What follows has its room all the same."""
    short, long = words(LONGEST_QUESTION), words(LONGEST_QUESTION) + " battery"
    assert encoded(TOKENIZER, long, "Power", (LASTS,)) == encoded(TOKENIZER, short, "Power", (LASTS,))
    fewer = words(LONGEST_QUESTION - 1)
    assert encoded(TOKENIZER, fewer, "Power", (LASTS,)) != encoded(TOKENIZER, short, "Power", (LASTS,))


def test_of_what_stands_above_the_last_headings_stay() -> None:
    """They say most of what the text is about."""
    long, short = "battery " + words(LONGEST_ABOVE), words(LONGEST_ABOVE)
    assert encoded(TOKENIZER, QUESTION, long, (LASTS,)) == encoded(TOKENIZER, QUESTION, short, (LASTS,))


def test_text_is_cut_where_the_room_ends() -> None:
    """The unit there keeps its beginning, those after it have no pieces."""
    taken = 1 + LONGEST_QUESTION + LONGEST_ABOVE + MARKS
    room = LONGEST - taken
    units = (words(room - 5), words(20, "hook"), LASTS)
    pieces = encoded(TOKENIZER, words(LONGEST_QUESTION), words(LONGEST_ABOVE), units)
    assert len(pieces.ids) == LONGEST
    assert unit_texts(pieces) == [words(room - 5), words(5, "hook"), ""]
    assert pieces.ids[-1] == END


@settings(max_examples=60, deadline=None)
@given(
    question=st.text(max_size=600),
    above=st.text(max_size=400),
    texts=st.lists(st.text(max_size=500), min_size=1, max_size=12),
)
def test_whatever_is_read_fits(question: str, above: str, texts: list[str]) -> None:
    """Never more pieces than the model takes; a range for each unit, one after the other."""
    pieces = encoded(TOKENIZER, question, above, texts)
    assert len(pieces.ids) == len(pieces.segments) == len(pieces.offsets) <= LONGEST
    assert len(pieces.units) == len(texts)
    assert all(start <= end < len(pieces.ids) for start, end in pieces.units)
    assert all(before[1] == after[0] for before, after in pairwise(pieces.units))


# --- what it makes of it --------------------------------------------------------------------------


@pytest.mark.rule("G9")
async def test_an_excerpt_has_a_logit_and_each_of_its_units_has_one(
    reader: BundledReader, noting: Noting
) -> None:
    """The unit's is the mean of its word pieces'."""
    [read] = await reader.read(QUESTION, [excerpt(LASTS, CHARGED, above="Means")])
    [(inputs, (answers, where))] = noting.runs
    pieces = encoded(TOKENIZER, QUESTION, "Means", (LASTS, CHARGED))
    assert inputs["ids"].tolist() == [pieces.ids]
    assert inputs["segments"].tolist() == [pieces.segments]
    assert read.answers == float(answers[0])
    assert read.units == tuple(float(np.mean(where[0][start:end])) for start, end in pieces.units)


@pytest.mark.rule("G9")
async def test_a_unit_for_which_there_is_no_room_belongs_to_no_answer(reader: BundledReader) -> None:
    """Its logit is as low as can be, so that it is never pointed at."""
    [read] = await reader.read(QUESTION, [excerpt(words(LONGEST), LASTS, "")])
    assert read.units[1:] == (CUT_OFF, CUT_OFF)
    assert read.units[0] > CUT_OFF


async def test_closing_lets_the_threads_go() -> None:
    """One process may build several apps, one after the other."""
    one, before = BundledReader(), threading.active_count()
    await one.read(QUESTION, [excerpt(words(3)), excerpt(words(4))])
    assert threading.active_count() > before
    await one.aclose()
    for thread in one._threads._threads:
        await asyncio.to_thread(thread.join, 10)
        assert not thread.is_alive()


async def test_readings_come_in_the_order_of_the_excerpts(reader: BundledReader) -> None:
    """Several are read at a time, short and long ones."""
    several = [excerpt(f"{words(1 + 37 * n % 90)} joint {n}", LASTS) for n in range(12)]
    together = await reader.read(QUESTION, several)
    assert [read.excerpt for read in together] == several
    assert {read.question for read in together} == {QUESTION}
    alone = [(await reader.read(QUESTION, [one]))[0] for one in several]
    assert together == alone
    assert len({read.answers for read in together}) == len(several)


@pytest.mark.rule("P3")
async def test_the_same_is_read_the_same(reader: BundledReader) -> None:
    """To the last bit: by another reader, in another order, by several at once."""
    of_a_passage = [*excerpts(passage(LASTS, CHARGED), 0, 100), excerpt(words(200), CHARGED)]
    first = await reader.read(QUESTION, of_a_passage)
    another = BundledReader()
    assert await another.read(QUESTION, of_a_passage[::-1]) == first[::-1]
    readers = [BundledReader() for _ in range(2)]
    assert await asyncio.gather(*(one.read(QUESTION, of_a_passage) for one in readers)) == [first] * 2


async def test_what_was_read_for_a_question_is_not_read_again(reader: BundledReader, noting: Noting) -> None:
    """The rungs of a question, and readers who ask the same, come to the same excerpts."""
    one, other = excerpt(LASTS, above="Again"), excerpt(CHARGED, above="Again")
    first = await reader.read(QUESTION, [one, other])
    assert len(noting.runs) == 2
    assert await reader.read(QUESTION, [other, one]) == first[::-1]
    assert len(noting.runs) == 2
    [asked_otherwise] = await reader.read("When is it charged?", [one])
    assert len(noting.runs) == 3
    assert asked_otherwise.answers != first[0].answers


async def test_the_same_words_at_another_place_keep_their_place(reader: BundledReader) -> None:
    """A reading names the excerpt that it is of, even where its figures were known."""
    here, there = passage(LASTS), passage(LASTS, document="power/copy.md")
    [one], [other] = excerpts(here, 0, 100), excerpts(there, 0, 100)
    first, second = await reader.read(QUESTION, [one, other])
    assert (first.excerpt.passage, second.excerpt.passage) == (here, there)
    assert (first.answers, first.units) == (second.answers, second.units)


@pytest.mark.parametrize(
    ("question", "above", "texts"),
    [
        ("", "", ("",)),
        (QUESTION, "", ("", "")),
        (" \n\t", "\u200b", (" ",)),
        ("電池は何分もちますか。", "電源", ("電池は90分もちます。",)),
        ("كم تدوم البطارية؟", "الطاقة", ("تدوم البطارية 90 دقيقة.", "🔋 ✓ — μ")),
        (QUESTION, "[SEP] [CLS]", ("[SEP]", "[UNK] [PAD]", "\x00\ufffd")),
        (words(1000), words(1000), (words(1000), "x" * 8000)),
    ],
)
async def test_any_text_can_be_read(
    reader: BundledReader, question: str, above: str, texts: tuple[str, ...]
) -> None:
    """Nothing at all, letters of other scripts, marks of the model itself: figures, and no error."""
    [read] = await reader.read(question, [excerpt(*texts, above=above)])
    assert len(read.units) == len(texts)
    assert all(map(math.isfinite, (read.answers, *read.units)))


async def test_nothing_to_read_is_nothing_read(reader: BundledReader) -> None:
    """An empty list is answered by an empty list."""
    assert await reader.read(QUESTION, []) == []


@pytest.mark.rule("T1")
async def test_a_tables_columns_are_read(reader: BundledReader) -> None:
    """Which one holds what is asked for in other words, and whether any does."""
    columns = excerpt(
        *ENDS,
        "Part: Lidar; Camera; Battery pack",
        "Unit price (EUR): 1,465.50; 385; 265",
        "Supplier: Optivane; Halden Drives; Ostermark",
        "Unit mass (g): 190; 72; 2650",
        above="columns of Parts",
    )
    asked = {"What do I pay for the lidar?": 1, "Who sells the camera?": 2, "How heavy is the lidar?": 3}
    found = [(await reader.read_tables(question, [columns]))[0] for question in asked]
    [lacking] = await reader.read_tables("What year was the lidar made?", [columns])
    assert [one.units.index(max(one.units)) - len(ENDS) for one in found] == [*asked.values()]
    assert min(one.answers for one in found) > lacking.answers


@pytest.mark.rule("T1")
async def test_the_end_of_a_columns_values_that_is_asked_for_is_read_with_the_columns(
    reader: BundledReader,
) -> None:
    """The lowest, the highest, and neither where a value is asked for."""
    columns = excerpt(*ENDS, "Name: A; B; C", "Price (EUR): 12; 14; 19", above="columns of a list")
    asked = ("Which is the cheapest?", "what costs the most", "What does B cost?")
    cheapest, dearest, neither = [
        (await reader.read_tables(question, [columns]))[0].units[: len(ENDS)] for question in asked
    ]
    assert cheapest[0] > 0.0 > cheapest[1]
    assert dearest[1] > 0.0 > dearest[0]
    assert max(neither) < 0.0


@pytest.mark.rule("T1")
async def test_rows_for_which_there_is_no_room_are_read_by_themselves(
    reader: BundledReader, noting: Noting
) -> None:
    """A row that nobody read would never be meant; one that is cut is read again, from its beginning."""
    row = " | ".join(["left_wrist_camera_link", "/wren/left_wrist/image", "0.05-2.0 m"])
    rows = [f"{row} | {number}" for number in range(16)]
    [read] = await reader.read_tables("Which sensor is number 15?", [excerpt(*rows, above="rows of sensors")])
    of_runs = [len(inputs["ids"][0]) for inputs, _ in noting.runs]
    assert len(of_runs) > 1
    assert max(of_runs) <= LONGEST
    assert len(read.units) == len(rows)
    assert min(read.units) > CUT_OFF


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    "claim",
    [
        "The battery explodes.",
        "The battery is red.",
        "The zorbium battery is blue.",
        "The robot can fly.",
        "The battery of the robot sings and the lidar dreams of chocolate.",
    ],
)
async def test_words_that_no_passage_says_are_not_made_good_by_those_around_them(claim: str) -> None:
    """However few and plain they are: the rest of a short sentence is soon the book's."""
    passage = "The battery of the robot holds 9 Ah. The robot walks at 1.4 m/s. The lidar is on its head."
    assert not (await judged(claim, [passage], BundledReader())).supported


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("A full battery is good for 90 minutes.", "A full battery is good for 50 minutes."),
        ("Each evening somebody charges the battery.", "Each morning somebody charges the battery."),
        ("It is in the evening that the battery gets charged.", "The battery is never charged."),
    ],
)
def test_what_is_borne_out_is_told_from_what_is_altered(true: str, false: str) -> None:
    """A number, a time of day, a denial."""
    reader = BundledReader()
    texts = (LASTS, CHARGED)
    assert reader.support(true, "Power", texts) > reader.support(false, "Power", texts)


@pytest.mark.rule("G9")
@pytest.mark.parametrize(
    ("answered", "near"),
    [
        (QUESTION, "How long does the battery take to charge?"),
        ("How often is the battery charged?", "How often is the battery replaced?"),
        ("When is the battery charged?", "Where is the battery charged?"),
    ],
)
async def test_a_second_look_tells_an_answer_from_a_near_miss(answered: str, near: str) -> None:
    """It reads the question as a claim is read: one that the text leaves open has the lower logit."""
    read = [excerpt(LASTS, CHARGED)]
    [yes], [no] = [await BundledReader().confirm(asked, read) for asked in (answered, near)]
    assert yes > no
