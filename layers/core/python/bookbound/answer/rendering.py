"""An outcome as plain text, for terminals and logs (C4)."""

from __future__ import annotations

from collections.abc import Iterator

from bookbound.answer.blocks import Block, BlockKind, Item, blocks
from bookbound.model import Answered, Outcome, Place, Refused, Source

HEADING = "Answer:"
WEAK_EVIDENCE_HEADING = "Answer (LOW CONFIDENCE — limited source coverage):"
LOW_CONFIDENCE_HEADING = "Answer (LOW CONFIDENCE):"


def plain_text(outcome: Outcome) -> str:
    """The answer with its citations and sources (C1, C4), or the refusal's message; no final newline."""
    return "\n\n".join(_refusal(outcome) if isinstance(outcome, Refused) else _answer(outcome))


def _refusal(refused: Refused) -> Iterator[str]:
    yield refused.message
    if refused.notice:
        yield f"Note: {refused.notice}"
    if refused.related:
        yield "\n".join(["The book does talk about:", *map(_place, refused.related)])


def _place(place: Place) -> str:
    return f"- {place.section} (Page {place.page}): {place.url}"


def _answer(answered: Answered) -> Iterator[str]:
    formed = blocks(answered.sentences, answered.sources)
    yield "\n".join([_heading(answered), *(line for block in formed for line in _block(block))])
    if answered.unavailable:
        yield "\n".join(["Not answered from the book:", *(f"- {part}" for part in answered.unavailable)])
    if answered.notice:
        yield f"Note: {answered.notice}"
    yield "\n".join(["Sources:", *map(_source, answered.sources)])


def _block(block: Block) -> Iterator[str]:
    """The lines of a block, each sentence with its citations right after it (C1)."""
    if block.kind is BlockKind.TABLE:
        yield from _table(block)
        return
    for number, item in enumerate(block.items, block.start or 0):
        mark = "" if block.kind is not BlockKind.LIST else "- " if block.start is None else f"{number}. "
        text = _indented(item.text) if block.kind is BlockKind.CODE else mark + item.text
        yield " ".join([text, *_cited(item)])


def _table(block: Block) -> Iterator[str]:
    """Columns side by side, under their names where the table has some."""
    rows = [row for row in (block.header, *(item.cells for item in block.items)) if row]
    columns = max(map(len, rows))
    widths = [max((len(row[at]) for row in rows if at < len(row)), default=0) for at in range(columns)]
    padded = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) for row in rows]
    if block.header:
        yield padded.pop(0).rstrip()
    for text, item in zip(padded, block.items, strict=True):
        yield " ".join([text, *_cited(item)])


def _cited(item: Item) -> Iterator[str]:
    return map(str, item.sentence.citations)


def _indented(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.split("\n"))


def _heading(answered: Answered) -> str:
    """Weak evidence is named by its own heading (C4, G7); a low level says that it is low (X17)."""
    if answered.weak_evidence:
        return WEAK_EVIDENCE_HEADING
    return LOW_CONFIDENCE_HEADING if answered.low_confidence else HEADING


def _source(source: Source) -> str:
    passage = source.passage
    return f"- {passage.document}, {source.section.title}/Page {passage.page} (score: {source.score:.2f})"
