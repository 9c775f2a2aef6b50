"""A language model's text taken apart: sentences, the ids that each cites, the confidence at its end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.answer.drafting import MAX_CHARACTERS, read_draft
from bookbound.errors import Unavailable


def cited(raw: str) -> list[tuple[str, str]]:
    """Each sentence with its ids in a row."""
    return [(one.text, " ".join(one.source_ids)) for one in read_draft(raw).sentences]


@pytest.mark.rule("P2")
@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        ("The battery lasts. [S1]", "S1"),
        ("The battery lasts [S1].", "S1"),
        ("The battery lasts.[S1]", "S1"),
        ("The battery lasts. [S1].", "S1"),
        ("The battery lasts. [ S1 ]", "S1"),
        ("The battery lasts. [s1]", "S1"),
        ("The battery lasts. (S1)", "S1"),
        ("The battery lasts. 【S1】", "S1"),
        ("The battery lasts. [Source: S1]", "S1"),
        ("The battery lasts. [S1][S2]", "S1 S2"),
        ("The battery lasts. [S1] [S2].", "S1 S2"),
        ("The battery lasts [S2], [S1].", "S2 S1"),
        ("The battery lasts. [S1, S2]", "S1 S2"),
        ("The battery lasts. [S1; S2 & S10]", "S1 S2 S10"),
        ("The battery lasts. [S1 and S2]", "S1 S2"),
        ("The battery lasts. [S1 S2,]", "S1 S2"),
        ("The battery lasts. [S1][S1]", "S1"),
        ("The battery lasts.\n[S1]", "S1"),
        ("The battery lasts. [S1]\n[S2][S1]", "S1 S2"),
        ("The battery lasts. [S[S2]1]", "S2 S1"),
        ("The battery lasts.", ""),
    ],
)
def test_a_sentence_has_the_ids_that_stand_at_its_end(raw: str, ids: str) -> None:
    """Before or behind the full stop, in any brackets, several at once, on a line below."""
    [(text, found)] = cited(raw)
    assert text.rstrip(",.") == "The battery lasts"
    assert found == ids


@pytest.mark.rule("P2")
@pytest.mark.parametrize(
    ("raw", "sentences"),
    [
        ("It lasts. [S1] It is heavy. [S2]", [("It lasts.", "S1"), ("It is heavy.", "S2")]),
        ("It lasts [S1]. It is heavy [S2].", [("It lasts.", "S1"), ("It is heavy.", "S2")]),
        ("It lasts.[S1]It is heavy. [S2]", [("It lasts.", "S1"), ("It is heavy.", "S2")]),
        ("It lasts. It is heavy. [S2]", [("It lasts.", "S2"), ("It is heavy.", "S2")]),
        ("It lasts. [S1] It is heavy.", [("It lasts.", "S1"), ("It is heavy.", "")]),
        ("It lasts.\nIt is heavy. [S2]", [("It lasts.", ""), ("It is heavy.", "S2")]),
        ("See Fig. 3 for it. [S1] Stop. [S2]", [("See Fig. 3 for it.", "S1"), ("Stop.", "S2")]),
        ("Use e.g. a motor. [S1] Stop. [S2]", [("Use e.g. a motor.", "S1"), ("Stop.", "S2")]),
        ("It runs ROS 2. [S1] It is open. [S2]", [("It runs ROS 2.", "S1"), ("It is open.", "S2")]),
        (
            "See https://a.org/b.c?d=e. [S1] Stop. [S2]",
            [("See https://a.org/b.c?d=e.", "S1"), ("Stop.", "S2")],
        ),
        ("Is it? [S1] Yes! [S2]", [("Is it?", "S1"), ("Yes!", "S2")]),
        ("The voltage is 54.6 V. [S1]", [("The voltage is 54.6 V.", "S1")]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(raw: str, sentences: list[tuple[str, str]]) -> None:
    """No abbreviation, version, figure or address cuts one; those of a line share the mark behind them."""
    assert cited(raw) == sentences


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "– ", "> ", "  - "])
def test_each_item_of_a_list_is_a_sentence(mark: str) -> None:
    """Its mark gone, its id its own."""
    assert cited(f"{mark}Knee joint [S1]\n{mark}Hip joint (S2)") == [
        ("Knee joint", "S1"),
        ("Hip joint", "S2"),
    ]


def test_the_number_of_a_step_stays() -> None:
    """The book's steps carry theirs too."""
    assert cited("1. Charge it. [S1]\n2. Start it. [S2]") == [("1. Charge it.", "S1"), ("2. Start it.", "S2")]


@pytest.mark.parametrize("fence", ["```", "~~~"])
@pytest.mark.parametrize("place", ["{fence}\n[S1]", "{fence} [S1]"])
def test_a_block_of_code_is_one_sentence(fence: str, place: str) -> None:
    """It is kept as is, without its fences and the name of its language."""
    end = place.format(fence=fence)
    assert cited(f"Run this. [S2]\n{fence}bash\npip install **x**\nros2 run y\n{end}\nDone. [S2]") == [
        ("Run this.", "S2"),
        ("pip install **x**\nros2 run y", "S1"),
        ("Done.", "S2"),
    ]


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("**Passive compliance** helps.", "Passive compliance helps."),
        ("*Passive* `compliance` helps.", "Passive compliance helps."),
        ("__Passive compliance__ helps.", "Passive compliance helps."),
        ("**Passive compliance helps. [S1]**", "Passive compliance helps."),
        ("Call `__init__` with `**options`.", "Call __init__ with **options."),
        ("It is 2**3 and 4**5.", "It is 2**3 and 4**5."),
        ("The snake_case __name__ stays.", "The snake_case __name__ stays."),
        ("## Batteries", "Batteries"),
    ],
)
def test_a_sentence_is_plain_text(raw: str, plain: str) -> None:
    """Emphasis goes, since passages have none; what only looks like it is code, and stays."""
    assert [text for text, _ in cited(raw)] == [plain]


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    ("line", "confidence"),
    [
        ("Confidence: 0.93", 0.93),
        ("confidence: 1", 1.0),
        ("Confidence: 0.0", 0.0),
        ("**Confidence:** 0.93", 0.93),
        ("**Confidence: 0.93**", 0.93),
        ("- Confidence: 0.93.", 0.93),
        ("Confidence score: 0.93", 0.93),
        ("Confidence = .93", 0.93),
        ("Confidence: 0,93", 0.93),
        ("Confidence: 0.93/1.0", 0.93),
        ("Confidence: 0.93 (high)", 0.93),
        ("Confidence: 93%", 0.93),
        ("Confidence: 93 %", 0.93),
        ("Confidence: high", None),
        ("Confidence: 1.7", None),
        ("Confidence: -0.3", None),
        ("Confidence: 930%", None),
        ("", None),
    ],
)
def test_the_confidence_line_is_read_and_cut_off(line: str, confidence: float | None) -> None:
    """A share or per cent counts, bold or not; all except a number in [0, 1] counts as none."""
    for raw in (f"It lasts. [S1]\n{line}", f"It lasts. [S1]\n\n{line}\n", f"It lasts. [S1] {line}"):
        written = read_draft(raw)
        assert [one.text for one in written.sentences] == ["It lasts."]
        assert written.confidence == (None if confidence is None else pytest.approx(confidence))


@pytest.mark.rule("P5")
@pytest.mark.parametrize(
    "raw",
    [
        "The filter reports confidence 0.95",
        "The detector has a confidence of 0.95. [S1]",
        "A confidence: 0.5 is the filter's threshold. [S1]",
        "Confidence 0.5 is its threshold. [S1]",
        "Confidence: how sure the detector is. [S1]",
        "Confidence: 0.5 [S1]",
    ],
)
def test_a_sentence_about_confidence_is_a_sentence(raw: str) -> None:
    """The word alone is no closing line."""
    written = read_draft(raw)
    assert [one.text for one in written.sentences] == [raw.removesuffix(" [S1]")]
    assert written.confidence is None


@pytest.mark.parametrize(
    "raw", ["", " \n\t ", "[S1]", "[S1]\n[S2]", "Confidence: 0.9", "***", "...", "```\n  \n```"]
)
def test_a_text_that_says_nothing_has_no_sentences(raw: str) -> None:
    """An empty draft, not an error: the verifier refuses it."""
    assert read_draft(raw).sentences == ()


def test_a_text_that_is_too_long_is_no_draft() -> None:
    """The limit itself is one."""
    assert read_draft("a" * MAX_CHARACTERS).sentences
    with pytest.raises(Unavailable, match=f"{MAX_CHARACTERS + 1} characters"):
        read_draft("a" * (MAX_CHARACTERS + 1))


def test_half_a_character_is_no_text() -> None:
    """A text that cannot be stored or sent on is no draft."""
    with pytest.raises(Unavailable, match="no text"):
        read_draft("It lasts \ud83d. [S1]")


PIECES = ["[", "]", "(", ")", "S1", "S2", " ", "\n", ".", ",", "*", "`", "```", "It lasts", "Confidence: 0.9"]
TEXTS = st.text(max_size=400) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(TEXTS)
def test_any_text_is_read(raw: str) -> None:
    """No model output gives errors, empty sentences, or a confidence outside [0, 1]."""
    written = read_draft(raw)
    assert all(one.text.strip() for one in written.sentences)
    assert written.confidence is None or 0 <= written.confidence <= 1


@pytest.mark.rule("P2")
@given(TEXTS)
def test_no_mark_is_left_in_a_sentence(raw: str) -> None:
    """A reader sees citations of ours alone."""
    assert not any(re.search(r"\[S\d+\]", one.text) for one in read_draft(raw).sentences)


WORDS = st.lists(st.from_regex(r"[a-z]{1,8}[.,?]?", fullmatch=True), min_size=1, max_size=12).map(" ".join)


@given(
    st.lists(
        st.tuples(WORDS, st.sampled_from(["", " [S1]", " [S2][S3].", " (S1, S2)"])), min_size=1, max_size=6
    )
)
def test_every_word_is_kept_in_its_order(lines: list[tuple[str, str]]) -> None:
    """However the text is cut into sentences, none of it is lost or told twice."""
    raw = "".join(f"{words}{mark}\n" for words, mark in lines)
    kept = " ".join(one.text for one in read_draft(raw).sentences)
    assert re.findall("[a-z]+", kept) == re.findall("[a-z]+", " ".join(words for words, _ in lines))
