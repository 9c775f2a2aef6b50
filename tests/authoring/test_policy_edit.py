"""Additions to bookbound.yaml that leave the rest of the file as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.authoring.mends import Abbreviation, Alias, AnsweredIn, Canary, Mend, addition, mended
from bookbound.errors import PolicyError
from bookbound.policy import policy_file
from bookbound.policy.policy_edit import added

ALIAS = Alias("emergency stop", "dead man's button")
NEW = Alias("battery pack", "accumulator")
SHORT = Abbreviation("FOV", "field of view")
ANSWER = Canary("answer", "How wide is it?")
STATED = AnsweredIn("soups/clear.md#broth", ("Is it clear?", "What's in it: bones?"))

FILE = """\
# The book's own policy.
title: 'Soups: of the World'   # quoted

aliases:
  emergency stop: [E-stop, kill switch]  # said in the lab
  # what the shop calls it
  parts list:
  - shopping list

# Questions that show whether an index is sound.
canary_questions:
  answer:
    - What is a soup?   # the first
  refuse: []
"""


def put(text: str, mend: Mend) -> str:
    return added(text, addition(policy_file.load(text), mend))


def test_an_alias_joins_the_names_of_its_term() -> None:
    """In the list where it stands, the comment behind it untouched."""
    assert put(FILE, ALIAS) == FILE.replace("kill switch]  # said", "kill switch, dead man's button]  # said")


def test_a_new_term_comes_behind_the_last_one() -> None:
    """Before the comment that belongs to what follows."""
    assert put(FILE, NEW) == FILE.replace(
        "  - shopping list\n", "  - shopping list\n  battery pack: [accumulator]\n"
    )


def test_an_item_joins_a_list_in_block_style() -> None:
    """Under the last one, as far in."""
    assert put(FILE, ANSWER) == FILE.replace("# the first\n", "# the first\n    - How wide is it?\n")
    assert put(FILE, Alias("parts list", "bill")) == FILE.replace(
        "  - shopping list\n", "  - shopping list\n  - bill\n"
    )


def test_an_empty_list_gets_its_first_item() -> None:
    """Where it stands."""
    assert put(FILE, Canary("refuse", "What: is it?")) == FILE.replace("[]", "['What: is it?']")


def test_several_questions_are_an_item_each() -> None:
    """Under their place."""
    assert put("title: A\n", STATED) == (
        "title: A\nanswered_in:\n  soups/clear.md#broth:\n    - Is it clear?\n    - 'What''s in it: bones?'\n"
    )


def test_a_key_that_is_missing_is_begun_at_the_end() -> None:
    """With the file's own line breaks, and one where the file ends without."""
    assert put(FILE, SHORT) == FILE + "glossary:\n  FOV: field of view\n"
    assert put("title: A\r\nlanguage: en", SHORT) == (
        "title: A\r\nlanguage: en\r\nglossary:\r\n  FOV: field of view\r\n"
    )
    assert put("", NEW) == "aliases:\n  battery pack: [accumulator]\n"
    assert put("# nothing yet\n", ANSWER) == (
        "# nothing yet\ncanary_questions:\n  answer:\n    - How wide is it?\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "aliases: {a: [b]}\n",
        "aliases: {}\ntitle: T\n",
        "title: |\n  Soups\n\n# the end\n",
        "aliases:\n    a:\n        - b\n    # c\n\n\ntitle: T\n",
        "aliases:\n  a: [\n    b,  # one\n    c,\n  ]\n",
        "aliases:\n  'emergency stop':\n  - E-stop\n",
        "answered_in: {soups/clear.md#broth: ['Is it clear?'], b: []}\n",
        "answered_in:\n  soups/clear.md#broth:\n  - Is it clear?  # often\n",
        "answered_in:\n  soups/clear.md#broth: []\n",
    ],
)
@pytest.mark.parametrize("mend", [ALIAS, NEW, SHORT, ANSWER, STATED], ids=str)
def test_any_style_takes_any_mend(text: str, mend: Mend) -> None:
    """What the file states then is the policy with the mend."""
    assert policy_file.load(put(text, mend)) == mended(policy_file.load(text), mend)


def test_a_place_that_holds_something_else_is_left_alone() -> None:
    """The lines are to be put there by hand."""
    for text in ("- a list\n", "aliases: text\n", "glossary:\n  FOV: something\n"):
        with pytest.raises(PolicyError, match="by hand"):
            added(text, addition(policy_file.load(""), SHORT if "FOV" in text else NEW))


CHARACTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"))
TEXT = st.text(CHARACTERS, min_size=1, max_size=30).map(lambda text: " ".join(text.split())).filter(bool)


@given(TEXT, TEXT, st.sampled_from([FILE, "", "aliases: {a: [b]}\n", "canary_questions:\n  answer: [a]\n"]))
def test_whatever_is_added_is_what_is_read(first: str, second: str, text: str) -> None:
    """Of any text; no line goes, and at most one changes."""
    before = policy_file.load(text)
    for mend in (
        Alias(first, second),
        Abbreviation(first, second),
        Canary("refuse", first),
        AnsweredIn(first, (second, f"{second}?")),
    ):
        if mended(before, mend) == before:
            continue
        after = put(text, mend)
        assert policy_file.load(after) == mended(before, mend)
        kept = set(after.splitlines())
        assert sum(line not in kept for line in text.splitlines()) <= 1
