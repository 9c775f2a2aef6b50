"""The last look before a response leaves: a breach is an error of ours, never an answer (P6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bookbound.answer.citations import CUT, is_literal
from bookbound.answer.verification import MAX_CITATIONS, Verified
from bookbound.errors import IntegrityBreach
from bookbound.evidence.ladder import Climb
from bookbound.generator_input import GeneratorInput
from bookbound.model import Answered, Citation, Passage, Refused


def check_answer(
    answered: Answered, verified: Verified, brief: GeneratorInput, climbs: Sequence[Climb]
) -> Answered:
    """The answer, when nothing is wrong with it. Raises IntegrityBreach."""
    for breach in _breaches(answered, verified, brief, climbs):
        raise IntegrityBreach(breach)
    return answered


def check_refusal(refused: Refused, climbs: Sequence[Climb]) -> Refused:
    """The refusal, when all was tried before it that there was time for (R6). Raises IntegrityBreach."""
    if not any(climb.passed for climb in climbs) and not all(one.exhausted or one.spent for one in climbs):
        raise IntegrityBreach("refused before every rung was tried")
    return refused


def _breaches(
    answered: Answered, verified: Verified, brief: GeneratorInput, climbs: Sequence[Climb]
) -> Iterator[str]:
    found = {candidate.passage.chunk_id for climb in climbs for candidate in climb.admitted}
    given = {exhibit.source_id: exhibit.passage for exhibit in brief.evidence.exhibits}
    cited = {source_id for sentence in answered.sentences for source_id in sentence.source_ids}
    if not all(passage.chunk_id in found for passage in given.values()):
        yield "evidence that no search found and no gate admitted"
    if answered.sentences != verified.sentences:
        yield "a sentence that was not verified"
    for sentence in answered.sentences:
        if not 1 <= len(sentence.citations) <= MAX_CITATIONS:
            yield "a sentence without one or two citations"
        if not all(_is_of(citation, given.get(citation.source_id)) for citation in sentence.citations):
            yield "a citation that does not come from the evidence"
    if cited != {source.source_id for source in answered.sources}:
        yield "sources that are not the cited ones"


def _is_of(citation: Citation, passage: Passage | None) -> bool:
    pieces = [piece for piece in citation.excerpt.split(CUT) if piece.strip()]
    return passage is not None and bool(pieces) and all(is_literal(piece, passage) for piece in pieces)
