"""A system prompt as a model sees it: its passages, their sentences, and the words that carry meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_PASSAGE = re.compile(
    r"<passage (?P<key>[0-9a-f]{16}) id=(?P<id>S\d+)>\n(?P<text>.*?)\n</passage (?P=key)>", re.DOTALL
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"'“‘(]?[A-Z0-9])")
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?:ing|ed|es|s)$")

_FUNCTION_WORDS = """
a an the and or but of in on at to for from by with as than then so if into about is are was were be been
it its this that these those do does did can could will would should may might must has have had not no
what which who whom whose when where why how i you we they he she there me my your our their
"""
_EMPTY_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage in a prompt: its id, its place line, and its text unchanged."""

    id: str
    place: str
    text: str

    @property
    def sentences(self) -> list[str]:
        """Sentences of prose, and each item, row or heading that stands on a separate line."""
        lines = (line.strip() for line in self.text.splitlines())
        return [sentence for line in lines if line for sentence in _SENTENCE_END.split(line)]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a passage, and the id of the passage."""

    text: str
    id: str


def shown(system: str) -> list[Shown]:
    """The passages of a system prompt, in its order."""
    return [_passage(found["id"], found["text"]) for found in _PASSAGE.finditer(system)]


def _passage(source_id: str, inside: str) -> Shown:
    place, _, text = inside.partition("\n\n")
    return Shown(source_id, place, text)


def nearest(passages: Iterable[Shown], question: str) -> list[tuple[int, Said]]:
    """Every sentence with the number of content words that it shares with the question, most first."""
    wanted = content_words(question)
    counted = [
        (len(wanted & content_words(sentence)), Said(sentence, passage.id))
        for passage in passages
        for sentence in passage.sentences
    ]
    return sorted(counted, key=lambda entry: -entry[0])


def content_words(text: str) -> set[str]:
    """The stems of a text's words, those left out that every sentence has."""
    words = (word.lower() for word in _WORD.findall(text))
    return {_ENDING.sub("", word) for word in words if word not in _EMPTY_WORDS}
