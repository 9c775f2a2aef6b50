"""The built-in generator: quotes the book's own sentences, needs no vendor and cannot invent (P3)."""

from __future__ import annotations

from dataclasses import replace

from bookbound.answer.extraction import Rated, Selected, estimate, select, shortlist
from bookbound.deadline import Deadline
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, DraftSentence
from bookbound.ports import Embedder
from bookbound.question.inquiry import Inquiry
from bookbound.text.scoring import cosine


class ExtractiveGenerator:
    """Fits ports.Generator."""

    name = "extractive"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """A draft of literal sentences, each citing the passage that it was taken from, part after part."""
        chosen: dict[str, Selected] = {}
        estimates: list[float] = []
        for inquiry in brief.inquiries:
            ranked = await self._ranked(brief, inquiry)
            if not ranked:
                continue
            estimates.append(estimate(ranked, brief))
            chosen |= {one.text: one for one in select(ranked, brief, inquiry) if one.text not in chosen}
        ids = {exhibit.passage.chunk_id: exhibit.source_id for exhibit in brief.evidence.exhibits}
        sentences = tuple(
            DraftSentence(selected.text, (ids[selected.passage.chunk_id],)) for selected in chosen.values()
        )
        return Draft(
            sentences=sentences,
            confidence=min(estimates, default=None),
            prompt=brief.question,
            raw="\n".join(f"{sentence.text} [{sentence.source_ids[0]}]" for sentence in sentences),
        )

    async def _ranked(self, brief: GeneratorInput, inquiry: Inquiry) -> list[Rated]:
        """The shortlist, re-ranked by nearness in meaning to what is asked."""
        rated = shortlist(brief, inquiry)
        [wanted] = await self._embedder.embed_questions([inquiry.text])
        vectors = await self._embedder.embed_passages([entry.described for entry in rated])
        compared = [
            replace(entry, meaning=max(0.0, cosine(wanted, vector)))
            for entry, vector in zip(rated, vectors, strict=True)
        ]
        return sorted(compared, key=lambda entry: -entry.merit)
