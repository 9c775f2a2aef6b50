"""A language model's plain text as a draft: sentences, the ids that each cites, confidence (P2, P5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bookbound.errors import Unavailable
from bookbound.model import DraftSentence
from bookbound.text.sentences import sentence_spans

MAX_CHARACTERS = 8_000
"""Characters that a model may write; an answer of six sentences has a fifth of that."""

_MARK = re.compile(
    r"(?<!\s)\s*[\[(【]\s*(?:sources?:?\s*)?(S\d+(?:(?:\s*[,;&/]\s*|\s+(?:and\s+)?)S\d+)*)\s*(?:,\s*)?[\])】]",
    re.IGNORECASE,
)
_ID = re.compile(r"S\d+")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_LIST_MARK = re.compile(r"^\s*(?:[-*•–]|#{1,6}|>)\s+")
# Pairs around whole words alone: 2**3, **options and __init__ are code.
_EMPHASIS = re.compile(
    r"(?<![\w*])(\*{1,3})(?=\S)([^*]+)(?<=\S)\1(?![\w*])|(?<!\w)__(?=\S)([^_]*\s[^_]*)(?<=\S)__(?!\w)"
)
_CONFIDENCE = re.compile(
    r"(?:^|(?<=[.!?\])】]))[ \t*_#>-]*\bconfidence(?: (?:estimate|score|level))?"
    r"(?:\W{1,6}?(?P<number>-?(?:\d+(?:[.,]\d+)?|\.\d+))\s*(?P<percent>%?)(?:/1(?:\.0)?)?(?:\s*\([a-z]+\))?"
    r"|[*_ ]*[:=]\W*(?:very )?(?:high|medium|moderate|low))\W*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_NO_TEXT = re.compile("[\ud800-\udfff]")
_STOPS = tuple(".!?")


@dataclass(frozen=True, slots=True)
class Written:
    """A model's output, parsed; `confidence` in [0, 1], None when it gave no valid one."""

    sentences: tuple[DraftSentence, ...]
    confidence: float | None


def read_draft(raw: str) -> Written:
    """Sentences with the ids that stand behind them, and the closing confidence line cut off (P5).

    Sentences of one line may share the mark behind the last of them: each is held against it (P4).

    Raises Unavailable when the model wrote more than an answer can be, or halves of characters.
    """
    if len(raw) > MAX_CHARACTERS:
        raise Unavailable(f"the model wrote {len(raw)} characters, more than any answer has")
    if _NO_TEXT.search(raw):
        raise Unavailable("the model wrote something that is no text")
    text, confidence = _cut_confidence(raw)
    sentences: list[DraftSentence] = []
    for block in _blocks(text):
        for sentence in _sentences(block):
            if sentence.text:
                sentences.append(sentence)
            elif sentences:  # ids alone belong to what stands before them
                sentences[-1] = _citing(sentences[-1], sentence.source_ids)
    return Written(tuple(sentences), confidence)


def _cut_confidence(raw: str) -> tuple[str, float | None]:
    found = _CONFIDENCE.search(raw)
    if found is None:
        return raw, None
    number = found["number"]
    value = float(number.replace(",", ".")) / (100 if found["percent"] else 1) if number else -1
    return raw[: found.start()], value if 0 <= value <= 1 else None


@dataclass(frozen=True, slots=True)
class _Block:
    """A line of prose, or a block of code whole."""

    text: str
    is_code: bool = False


def _blocks(text: str) -> Iterator[_Block]:
    for number, part in enumerate(_FENCE.split(text)):
        if number % 2:
            language, _, code = part.partition("\n")
            yield _Block(code.strip("\n") or language.strip(), is_code=True)
        else:
            yield from (_Block(line) for line in part.splitlines() if line.strip())


def _sentences(block: _Block) -> Iterator[DraftSentence]:
    """The block's sentences; with an empty text where it holds ids alone."""
    text, cited = _unmarked(block.text if block.is_code else _plain(block.text))
    whole = [(0, len(text))] if text.strip() else []
    spans = whole if block.is_code else sentence_spans(text)
    if not spans:
        yield DraftSentence("", tuple(dict.fromkeys(one for _, ids in cited for one in ids)))
        return
    starts = [start for start, _ in spans]
    ids_of: dict[int, dict[str, None]] = {number: {} for number in range(len(spans))}
    for place, ids in cited:
        owner = max((number for number, start in enumerate(starts) if start < place), default=0)
        ids_of[owner].update(dict.fromkeys(ids))
    for number in reversed(range(len(spans) - 1)):
        ids_of[number] = ids_of[number] or ids_of[number + 1]
    for number, (start, end) in enumerate(spans):
        yield DraftSentence(text[start:end], tuple(ids_of[number]))


def _plain(line: str) -> str:
    """The line without list marks and emphasis: passages are plain text, and so are answers."""
    return _EMPHASIS.sub(r"\2\3", _LIST_MARK.sub("", line)).replace("`", "")


def _unmarked(text: str) -> tuple[str, list[tuple[int, tuple[str, ...]]]]:
    """The text without its citation marks, and at which offset of it which ids stood."""
    cited: list[tuple[int, tuple[str, ...]]] = []
    while mark := _MARK.search(text):
        start, end = mark.span()
        # "It lasts. [S1]." has a full stop too many.
        end += text[:start].endswith(_STOPS) and text[end : end + 1] == "."
        # What a removal joins may be a mark itself, around the places of those before.
        cited = [(min(place, start), ids) for place, ids in cited]
        cited.append((start, tuple(_ID.findall(mark[1].upper()))))
        text = text[:start] + text[end:]
    return text, cited


def _citing(sentence: DraftSentence, source_ids: tuple[str, ...]) -> DraftSentence:
    return DraftSentence(sentence.text, tuple(dict.fromkeys((*sentence.source_ids, *source_ids))))
