"""A result of the core as the JSON of the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bookbound.answer.blocks import Block, Item, blocks
from bookbound.api.schemas import (
    BlockOut,
    BookOut,
    ChatResponse,
    ImageOut,
    ItemOut,
    LatencyOut,
    PlaceOut,
    SentenceOut,
    SourceOut,
)
from bookbound.model import Answered, AnswerSentence, Image, Outcome, Refused, Result, Source


def chat_response(result: Result) -> ChatResponse:
    """The response, of the same shape for answers and refusals."""
    return ChatResponse(
        answer_id=result.answer_id,
        query_id=result.question.query_id,
        session_id=result.question.session_id,
        book=BookOut(id=result.book.id, version=result.book.version),
        latency_ms=LatencyOut(
            total=result.latency.total,
            retrieval=result.latency.retrieval,
            generation=result.latency.generation,
            verification=result.latency.verification,
        ),
        read_as=result.read_as,
        **_outcome(result.outcome),
    )


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return _refused(outcome) if isinstance(outcome, Refused) else _answered(outcome)


def _answered(outcome: Answered) -> dict[str, Any]:
    return {
        "answer": " ".join(map(str, outcome.sentences)),
        "was_refusal": False,
        "refusal_reason": None,
        "sentences": [_sentence(sentence) for sentence in outcome.sentences],
        "sources": [_source(source) for source in outcome.sources],
        "confidence_score": outcome.confidence,
        "confidence_level": outcome.confidence_level,
        "low_confidence": outcome.low_confidence,
        "notice": outcome.notice,
        "unavailable": list(outcome.unavailable),
        "attribution_coverage": outcome.attribution_coverage,
        "blocks": [_block(block) for block in blocks(outcome.sentences, outcome.sources)],
        "related": [],
    }


def _refused(outcome: Refused) -> dict[str, Any]:
    return {
        "answer": outcome.message,
        "was_refusal": True,
        "refusal_reason": outcome.reason,
        "sentences": [],
        "sources": [],
        "confidence_score": None,
        "confidence_level": None,
        "low_confidence": False,
        "notice": outcome.notice,
        "unavailable": [],
        "attribution_coverage": outcome.attribution_coverage,
        "blocks": [],
        "related": [PlaceOut(section=one.section, page=one.page, url=one.url) for one in outcome.related],
    }


def _block(block: Block) -> BlockOut:
    return BlockOut(
        kind=block.kind,
        ordered=block.start is not None,
        start=block.start,
        header=list(block.header),
        items=[_item(item) for item in block.items],
        source_ids=list(block.source_ids),
    )


def _item(item: Item) -> ItemOut:
    sentence = item.sentence
    return ItemOut(
        text=item.text,
        cells=list(item.cells),
        source_ids=list(sentence.source_ids),
        images=_images(sentence.images),
    )


def _sentence(sentence: AnswerSentence) -> SentenceOut:
    return SentenceOut(
        text=sentence.text, source_ids=list(sentence.source_ids), images=_images(sentence.images)
    )


def _source(source: Source) -> SourceOut:
    return SourceOut(
        id=source.source_id,
        chunk_id=source.passage.chunk_id,
        score=source.score,
        similarity=source.similarity,
        document=source.passage.document,
        section=source.section.title,
        page=source.passage.page,
        url=source.url,
        excerpt=source.excerpt,
        images=_images(source.images),
    )


def _images(images: Iterable[Image]) -> list[ImageOut]:
    return [ImageOut(url=image.url, alt=image.alt) for image in images]
