"""The built-in generator: quotes the book's own sentences, needs no vendor and cannot invent (P3)."""

from __future__ import annotations

from dataclasses import replace

from bookbound.deadline import Deadline
from bookbound.extraction import Rated, estimate, select, shortlist
from bookbound.model import Brief, Draft, DraftSentence
from bookbound.ports import Embedder
from bookbound.scoring import cosine


class ExtractiveGenerator:
    """Fits ports.Generator."""

    name = "extractive"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def write(self, brief: Brief, deadline: Deadline) -> Draft:
        """A draft of literal sentences, each citing the passage that it was taken from."""
        chosen = select(await self._ranked(brief), brief)
        ids = {exhibit.passage.chunk_id: exhibit.source_id for exhibit in brief.evidence.exhibits}
        sentences = tuple(
            DraftSentence(selected.text, (ids[selected.passage.chunk_id],)) for selected in chosen
        )
        return Draft(
            sentences=sentences,
            confidence=estimate(chosen, brief),
            prompt=brief.question,
            raw="\n".join(f"{sentence.text} [{sentence.source_ids[0]}]" for sentence in sentences),
        )

    async def _ranked(self, brief: Brief) -> list[Rated]:
        """The shortlist, re-ranked by nearness in meaning to the question."""
        rated = shortlist(brief)
        wanted = await self._embedder.embed_question(brief.question)
        vectors = await self._embedder.embed_passages([entry.described for entry in rated])
        compared = [
            replace(entry, merit=entry.merit + max(0.0, cosine(wanted, vector)))
            for entry, vector in zip(rated, vectors, strict=True)
        ]
        return sorted(compared, key=lambda entry: -entry.merit)
