"""Plain BM25 as a lone cut-off, to hold the sufficiency score against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from bookbound.model import Candidate
from bookbound.text.scoring import Lexicon
from bookbound.text.terms import content_stems, passage_weights, query_stems

WindowKey = tuple[UUID, int, int]


def highest(
    searches: Sequence[tuple[str, Sequence[Candidate]]], lexicon: Lexicon | None = None
) -> list[float | None]:
    """Each question's highest BM25 sum over its candidates' windows, ≥ 0; None for one without candidates.

    Document frequencies are those of the windows that the searches found, all together.
    """
    windows = {_key(one): _weights(one) for one in _distinct(found for _, found in searches)}
    lexicon = lexicon or Lexicon.of(windows.values())
    return [
        max((_sum(query_stems(question), windows[_key(one)], lexicon) for one in found), default=None)
        for question, found in searches
    ]


def _distinct(searches: Iterable[Sequence[Candidate]]) -> Iterable[Candidate]:
    return {_key(one): one for found in searches for one in found}.values()


def _key(candidate: Candidate) -> WindowKey:
    return candidate.passage.chunk_id, candidate.start, candidate.end


def _weights(candidate: Candidate) -> dict[str, float]:
    """Return the weights of the window with the headings above it, as it is indexed."""
    passage = candidate.passage
    # A window may begin inside a long unit, as a table's row does.
    unit = next((unit for unit in passage.units if unit.start >= candidate.start), passage.units[-1])
    headings = passage.sections[unit.section].path
    text = passage.text[candidate.start : candidate.end]
    return passage_weights(content_stems("\n".join([*headings, text])))


def _sum(terms: Sequence[str], weights: Mapping[str, float], lexicon: Lexicon) -> float:
    return sum(lexicon.idf(term) * weights.get(term, 0.0) for term in terms)
