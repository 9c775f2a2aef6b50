"""Sentence boundaries, found on a mask of the text so that code, addresses and abbreviations stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sentencex import segment

Span = tuple[int, int]

_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>]+[^\s<>.,;:!?)\]}'\"]")
# sentencex ends a sentence after these.
_ABBREVIATION = re.compile(r"\b(?i:approx|ca|eqs?|figs?|secs?|chap|tab|resp|incl)(\.)(?=\s+[\da-z(])")
# … and takes "5 m." and "0.2 s." for abbreviations that go on.
_UNIT = re.compile(r"\d\s?([A-Za-z]{1,3})\.(?=\s+[A-Z])")
_NUMBERING = re.compile(r"(?:^|(?<=[.!?:]\s))\(?\d{1,3}([.)])(?=\s)")


def sentence_spans(text: str, whole: Iterable[Span] = (), language: str = "en") -> list[Span]:
    """Offsets of the sentences of a text, without the white space around them, in reading order.

    Args:
        whole: spans in which no sentence may end, such as inline code.
        language: ISO 639-1 code; an unknown one is read by general rules.

    What holds neither letter nor digit belongs to the sentence before it; a text of nothing else has none.
    """
    spans: list[Span] = []
    start = 0
    for part in segment(language, _mask(text, whole)):
        end = start + len(part)
        sentence = text[start:end]
        if any(map(str.isalnum, sentence)):
            left = len(sentence) - len(sentence.lstrip())
            spans.append((start + left, start + len(sentence.rstrip())))
        elif spans and sentence.strip():
            spans[-1] = (spans[-1][0], start + len(sentence.rstrip()))
        start = end
    return spans


def _mask(text: str, whole: Iterable[Span]) -> str:
    """The text with everything that could mislead the segmenter replaced, character by character."""
    masked = list(text)
    spans = [*whole, *(found.span() for found in _ADDRESS.finditer(text))]
    for start, end in spans:
        masked[start:end] = "X" + "x" * (end - start - 1)
    for pattern, letter in ((_ABBREVIATION, "x"), (_UNIT, "0"), (_NUMBERING, "x")):
        for found in pattern.finditer(text):
            start, end = found.span(1)
            masked[start:end] = letter * (end - start)
    return "".join(masked)
