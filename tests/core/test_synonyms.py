"""Word knowledge: a paraphrase's words stand for the book's, opposites and neighbours of one kind do not."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.claims.synonyms import meaning, opposite
from bookbound.text.terms import stem

DATA = resources.files("bookbound") / "data" / "synonyms"
STEMS = [
    line.split("\t")[0]
    for line in (DATA / "meaning.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def weight(claim: str, passage: str) -> float:
    return meaning(stem(claim)).get(stem(passage), 0.0)


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("ran", "run"),
        ("run", "ran"),
        ("built", "build"),
        ("wrote", "written"),
        ("children", "child"),
        ("colour", "color"),
        ("localisation", "localization"),
        ("analyse", "analyze"),
        ("two", "2"),
        ("matrices", "matrix"),
        ("milliseconds", "ms"),
    ],
)
def test_another_form_or_spelling_is_the_same_word(claim: str, passage: str) -> None:
    """Irregular forms, British spelling, number words and units count in full, or nearly so."""
    assert weight(claim, passage) >= 0.9


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("employ", "use"),
        ("halts", "stops"),
        ("halted", "stop"),
        ("quicker", "faster"),
        ("depleted", "empty"),
        ("purchase", "buy"),
        ("bought", "purchased"),
        ("verify", "check"),
        ("velocity", "speed"),
        ("prediction", "forecast"),
        ("automobile", "car"),
    ],
)
def test_a_close_synonym_stands_for_the_word(claim: str, passage: str) -> None:
    """Other words in a faithful paraphrase weigh at least 0.8, but less than the word itself."""
    assert 0.8 <= weight(claim, passage) < 1.0


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("pack", "battery"),
        ("faster", "rapid"),
        ("fast", "quickest"),
        ("vehicle", "car"),
        ("reset", "restart"),
    ],
)
def test_a_looser_word_weighs_less(claim: str, passage: str) -> None:
    """A loose synonym, a narrower word, or another degree of a synonym counts for half to three quarters."""
    assert 0.5 <= weight(claim, passage) <= 0.75


def test_a_narrower_word_bears_the_broader_one_out_better_than_the_reverse() -> None:
    """The word "vehicle" for a car says less than the book; "car" for a vehicle says more."""
    assert weight("vehicle", "automobile") < weight("automobile", "car")
    assert weight("footpath", "path") < weight("path", "footpath")


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("monday", "tuesday"),
        ("two", "three"),
        ("hour", "minute"),
        ("red", "blue"),
        ("north", "south"),
        ("paris", "london"),
        ("metre", "kilometre"),
        ("first", "second"),
        ("sensor", "actuator"),
        ("lidar", "camera"),
        ("voltage", "current"),
        ("cat", "dog"),
        ("client", "server"),
        ("input", "output"),
    ],
)
def test_words_of_one_kind_do_not_stand_for_each_other(a: str, b: str) -> None:
    """Near in subject is not the same in meaning: such a swap is what a wrong claim looks like."""
    assert weight(a, b) == weight(b, a) == 0.0


@pytest.mark.rule("P4")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("increase", "decrease"),
        ("more", "less"),
        ("higher", "lower"),
        ("before", "after"),
        ("open", "close"),
        ("enable", "disable"),
        ("maximum", "minimum"),
        ("rose", "fell"),
        ("longest", "shortest"),
        ("easier", "harder"),
        ("faster", "slow"),
        ("known", "unknown"),
        ("install", "uninstall"),
        ("encode", "decode"),
        ("allows", "prevents"),
        ("left", "right"),
    ],
)
def test_opposites_oppose_each_other_either_way_round(a: str, b: str) -> None:
    """Antonyms, direction words and negating prefixes, in all their forms."""
    assert opposite(stem(a), stem(b))
    assert opposite(stem(b), stem(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [("fast", "quick"), ("use", "employ"), ("one", "first"), ("robot", "battery"), ("open", "open")],
)
def test_words_that_agree_or_have_nothing_to_do_with_each_other_are_no_opposites(a: str, b: str) -> None:
    """Synonyms, numbers with their ordinals, and unrelated words do not oppose."""
    assert not opposite(stem(a), stem(b))


@pytest.mark.rule("P4")
@given(st.sampled_from(STEMS))
def test_no_stem_stands_for_itself_or_its_opposite(one: str) -> None:
    """Every weight is in (0, 1], and no pair is both a meaning and an opposite."""
    near = meaning(one)
    assert near
    assert one not in near
    assert all(0 < value <= 1 for value in near.values())
    assert not any(opposite(one, other) for other in near)


@given(st.text(max_size=12))
def test_any_text_may_be_asked_for(word: str) -> None:
    """An unknown stem stands alone: it has no meaning except itself, and no opposite."""
    if word not in STEMS:
        assert meaning(word) == {}
        assert not opposite(word, word)


@pytest.mark.parametrize("name", ["meaning.txt", "opposites.txt"])
def test_the_data_tells_where_it_comes_from(name: str) -> None:
    """A header names sources, licence, command and date, and WordNet's licence lies next to it."""
    header = (DATA / name).read_text("utf-8").split("\n", 4)[:4]
    assert all(line.startswith("# ") for line in header)
    assert all(
        word in " ".join(header) for word in ("sources:", "licence:", "command:", "date:", "WordNet 3")
    )
    assert "Princeton University" in (DATA / "wordnet-license.txt").read_text("utf-8")
