"""Building of the word knowledge: the files that are read, and the result."""

from __future__ import annotations

from pathlib import Path

import pytest

from bookbound.evaluation.records import InputError
from evaluation.synonyms import Form, expanded, write
from evaluation.word_forms import degrees, spellings
from evaluation.word_list import read_by_hand
from evaluation.wordnet import WordNet, read_wordnet

LICENCE = "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n"
ADJECTIVES = (
    "00000001 00 a 02 fast 0 quick 0 002 ! 00000002 a 0101 & 00000003 a 0000 | moving fast\n"
    "00000002 00 a 01 slow 0 001 ! 00000001 a 0101 | not fast\n"
    "00000003 00 s 01 rapid(p) 0 001 & 00000001 a 0000 | done fast\n"
)
ADJECTIVE_INDEX = "".join(
    f"{word} a 1 1 & 1 0 {synset}\n"
    for word, synset in [
        ("fast", "00000001"),
        ("quick", "00000001"),
        ("slow", "00000002"),
        ("rapid", "00000003"),
    ]
)
NOUNS = "00000009 06 n 02 color 0 colour 0 000 | a hue\n"
NOUN_INDEX = "color n 1 0 1 0 00000009\ncolour n 1 0 1 0 00000009\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A WordNet of six words."""
    files = {
        name: ""
        for part in ("noun", "verb", "adj", "adv")
        for name in (f"data.{part}", f"index.{part}", f"{part}.exc")
    }
    files |= {"data.adj": ADJECTIVES, "index.adj": ADJECTIVE_INDEX, "index.noun": NOUN_INDEX}
    files |= {"data.noun": LICENCE + NOUNS, "noun.exc": "mice mouse\n", "cntlist.rev": "fast%3:00:00:: 1 7\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "ascii")
    return tmp_path


@pytest.fixture
def wordnet(folder: Path) -> WordNet:
    return read_wordnet(folder)


def test_wordnet_tells_how_words_relate(wordnet: WordNet) -> None:
    """Words of one synset are synonyms, antonyms hold between words, kin between synsets."""
    found = {(relation, a, b) for relation, a, _, b, _ in wordnet.related()}
    assert {("synonym", "fast", "quick"), ("synonym", "color", "colour")} <= found
    assert ("opposite", "fast", "slow") in found
    assert ("opposite", "quick", "slow") not in found
    assert {("kin", "fast", "rapid"), ("kin", "quick", "rapid")} <= found


def test_wordnet_tells_its_licence_and_its_irregular_forms(wordnet: WordNet) -> None:
    """The licence comes without its line numbers, a form with its base and part of speech."""
    assert wordnet.name == "WordNet 3.0 Copyright 2006 by Princeton University"
    assert wordnet.irregular == [("mice", "mouse", "n")]


def test_a_folder_that_is_no_wordnet_is_named(tmp_path: Path) -> None:
    """Files that are missing, or hold something else, give a reason and no traceback."""
    with pytest.raises(InputError, match="no WordNet in"):
        read_wordnet(tmp_path)
    (tmp_path / "cntlist.rev").write_text("x", "ascii")
    with pytest.raises(InputError, match="not WordNet 3's database"):
        read_wordnet(tmp_path)


def test_spellings_and_degrees_come_from_the_words_themselves(wordnet: WordNet) -> None:
    """ "colour" is "color" where both share a meaning; "faster" is a degree of "fast"."""
    assert ("color", "colour", 1.0) in set(spellings(wordnet))
    assert {("fast", "faster"), ("fast", "fastest")} <= set(degrees(wordnet, lambda a, b: 0.0))


def test_weights_carry_over_to_forms() -> None:
    """Forms of the same degree keep the weight, others lose a part of it."""
    found = expanded(
        {("quick", "fast"): 0.8},
        {"fast": {Form("faster", degree="er")}, "quick": {Form("quicker", degree="er")}},
    )
    assert found["quicker", "faster"] == pytest.approx(0.8)
    assert found["quicker", "fast"] == found["quick", "faster"] == pytest.approx(0.68)
    assert found["fast", "faster"] == pytest.approx(0.85)


def test_the_list_by_hand_names_the_line_that_does_not_fit(tmp_path: Path) -> None:
    """A line outside of any section, or without the slash of opposites, is an error with its number."""
    path = tmp_path / "by_hand.txt"
    path.write_text("# a note\n[same 0.8]\nuse employ\n[opposites]\nup rise / down\n", "utf-8")
    read = read_by_hand(path)
    assert (read.same, read.opposites) == ([(0.8, ["use", "employ"])], [(["up", "rise"], ["down"])])
    for text in ("use employ\n", "[opposites]\nup down\n", "[same much]\nuse employ\n"):
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=r"by_hand\.txt:\d: "):
            read_by_hand(path)


def test_what_is_written_is_grouped_by_stem_and_weight(tmp_path: Path) -> None:
    """A stem a line, the greatest weight first, the same bytes for the same input."""
    write(
        tmp_path, {("use", "appli"): 0.6, ("use", "employ"): 0.85, ("use", "util"): 0.85}, {("a", "b")}, "X"
    )
    lines = (tmp_path / "meaning.txt").read_text("utf-8").splitlines()
    assert lines[-1] == "use\t85 employ util\t60 appli"
    assert (tmp_path / "opposites.txt").read_text("utf-8").splitlines()[-1] == "a\tb"
