"""A generator's own words never speak from elsewhere than the passages."""

from __future__ import annotations

import pytest

from bookbound.answer.own_voice import own_voice

PASSAGES = ["A node is a process. Nodes usually talk over topics. He wrote: I think, therefore I am."]

PROHIBITED = (
    "in general",
    "typically",
    "I believe",
    "I believe that",
    "based on my understanding",
    "you might also consider",
    "as a best practice",
    "I think",
    "in my opinion",
    "in my humble opinion",
    "in my view",
    "to my mind",
    "from my experience",
    "in our experience",
    "from my point of view",
    "as far as I know",
    "to the best of my knowledge",
    "based on my training",
    "I would say",
    "I'd argue",
    "I suspect",
    "I assume",
    "I have found",
    "I've seen",
    "I'm sure",
    "if you ask me",
    "it seems to me",
    "my guess is",
    "generally",
    "generally speaking",
    "as best practice",
    "as a rule of thumb",
    "it is well known",
    "most experts agree",
    "you may want to",
    "I'd recommend",
    "we recommend",
    "it is a good idea to",
    "probably",
    "presumably",
    "experience shows",
    "from general knowledge",
)


@pytest.mark.rule("G11")
@pytest.mark.parametrize("words", PROHIBITED)
@pytest.mark.parametrize(
    "sentence", ["{}, a node is a process.", "A node, {}, is a process.", "A node is a process, {}."]
)
def test_words_from_elsewhere_are_found_anywhere_in_a_sentence(words: str, sentence: str) -> None:
    """Opinion, speculation, experience, outside knowledge and advice, at the start, inside and at the end."""
    told = sentence.format(words)
    assert own_voice(told[0].upper() + told[1:], PASSAGES)


@pytest.mark.rule("G11")
@pytest.mark.parametrize(
    "sentence",
    [
        "A node is a process.",
        "Nodes usually talk over topics.",
        'He wrote "I think, therefore I am".',
        "World War I began in 1914.",
        "Article I describes Congress.",
        "The court must consider the intent.",
        "You can start two nodes.",
        "Type I errors are rarer.",
        "Mr. Smith's opinion prevailed.",
    ],
)
def test_the_books_own_words_stay(sentence: str) -> None:
    """Facts, quotations, a word of frequency that the passage uses, and an I that is a numeral."""
    assert own_voice(sentence, PASSAGES) is None


@pytest.mark.rule("G11")
def test_a_locked_pattern_falls_even_where_a_passage_uses_it() -> None:
    """The generator may not say it; only whole quoted sentences of the book may, and those come elsewhere."""
    assert own_voice("In general, a node is a process.", ["In general, charge it slowly."])
