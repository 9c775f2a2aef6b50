"""The built-in generator: quotes the book's own sentences, needs no vendor and cannot invent (P3)."""

from __future__ import annotations

from bookbound.answer.extraction import Selected, estimate, of_tables, of_whole, pointed, select
from bookbound.deadline import Deadline
from bookbound.generator_input import GeneratorInput
from bookbound.model import Draft, DraftSentence

CERTAIN = 1.0
"""Estimate of an answer that nothing had to be chosen for."""


class ExtractiveGenerator:
    """Fits ports.Generator."""

    name = "extractive"
    refuses = False

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        """A draft of literal sentences, each citing the passage that it was taken from, part after part.

        Evidence that suffices only for a generator that can refuse by itself is declined (G12).
        """
        chosen: dict[str, Selected] = {}
        estimates: list[float] = []
        for inquiry in brief.inquiries if brief.assured else ():
            if given := of_whole(brief.evidence, inquiry) or of_tables(brief.evidence, inquiry):
                estimates.append(CERTAIN)
                chosen |= {one.text: one for one in given if one.text not in chosen}
            elif ranked := pointed(brief.evidence, inquiry):
                estimates.append(estimate(ranked))
                chosen |= {one.text: one for one in select(ranked, inquiry) if one.text not in chosen}
        ids = {exhibit.passage.chunk_id: exhibit.source_id for exhibit in brief.evidence.exhibits}
        sentences = tuple(
            DraftSentence(selected.text, (ids[selected.passage.chunk_id],)) for selected in chosen.values()
        )
        return Draft(
            sentences=sentences,
            confidence=min(estimates, default=None),
            prompt=brief.question,
            raw="\n".join(f"{sentence.text} [{sentence.source_ids[0]}]" for sentence in sentences),
            declined=not brief.assured,
        )
