"""Is a sentence supported by the passages that it cites? Pure, no model call (P4, G11, G12)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bookbound.citations import CUT, cite, images, is_literal
from bookbound.errors import IntegrityBreach
from bookbound.model import Answered, AnswerSentence, Draft, DraftSentence, Evidence, Passage
from bookbound.terms import content_stems

SUPPORT_THRESHOLD = 0.8
"""Share of a sentence's content words that its passages must hold."""

ATTRIBUTION_TARGET = 0.90
"""P4: below it a draft is written again, and then refused."""

MAX_CITATIONS = 2
"""C2: one or two citations a sentence."""

PROHIBITED = re.compile(
    r"\b(?:in general|typically|i believe that|based on my understanding|you might also consider"
    r"|as a best practice|i think)\b",
    re.IGNORECASE,
)
"""G11: words of a generator that speaks from elsewhere."""

NOT_COVERED = re.compile(
    r"not covered in the provided book excerpts|i can only answer questions? (?:from|about)"
    r"|does(?: not|n['’]t) contain this information|no supporting documentation found"
    r"|retrieved materials do not provide this information|no relevant information was found",
    re.IGNORECASE,
)
"""G12: the model's own "not in the context", in any of the sources' wordings."""


@dataclass(frozen=True, slots=True)
class Support:
    """How far passages support a claim; `score` in [0, 1]."""

    supported: bool
    score: float


@dataclass(frozen=True, slots=True)
class Verified:
    """A draft after verification.

    Attributes:
        sentences: those that are supported and cited, in the draft's order.
        attribution: supported / all sentences of the draft (P4); 0 for an empty draft.
        not_covered: the generator itself said that the context does not hold the answer (G12).
    """

    sentences: tuple[AnswerSentence, ...]
    attribution: float
    not_covered: bool

    @property
    def stands(self) -> bool:
        """Whether there is an answer in it: P4's target met, and not the generator's own refusal."""
        return bool(self.sentences) and self.attribution >= ATTRIBUTION_TARGET and not self.not_covered


def support(claim: str, passages: Sequence[str]) -> Support:
    """The share of the claim's content words that the passages hold; a number must be there exactly."""
    stems = set(content_stems(claim))
    if not stems:
        return Support(False, 0.0)
    held = {stem for passage in passages for stem in content_stems(passage)}
    score = len(stems & held) / len(stems)
    numbers_held = all(stem in held for stem in stems if stem[0].isdigit())
    return Support(score >= SUPPORT_THRESHOLD and numbers_held, score)


def verify(draft: Draft, evidence: Evidence) -> Verified:
    """Keep what is supported; nothing of a dropped sentence is left."""
    if any(
        NOT_COVERED.search(sentence.text) for sentence in draft.sentences if not _quoted(sentence, evidence)
    ):
        return Verified((), 0.0, not_covered=True)
    kept = tuple(sentence for sentence in draft.sentences if _stands(sentence, evidence))
    attribution = len(kept) / len(draft.sentences) if draft.sentences else 0.0
    return Verified(tuple(_cited(sentence, evidence) for sentence in kept), attribution, not_covered=False)


def self_check(answered: Answered, evidence: Evidence) -> Answered:
    """The last look before an answer leaves (P6). Raises IntegrityBreach."""
    admitted = {exhibit.source_id: exhibit.passage for exhibit in evidence.exhibits}
    for sentence in answered.sentences:
        if not sentence.citations:
            raise IntegrityBreach("a sentence of the answer has no citation")
        for citation in sentence.citations:
            passage = admitted.get(citation.source_id)
            if passage is None or not _excerpt_is_literal(citation.excerpt, passage):
                raise IntegrityBreach("a citation does not come from the evidence")
    return answered


def _excerpt_is_literal(excerpt: str, passage: Passage) -> bool:
    return all(is_literal(piece, passage) for piece in excerpt.split(CUT) if piece.strip())


def _stands(sentence: DraftSentence, evidence: Evidence) -> bool:
    exhibits = [evidence.by_id(source_id) for source_id in sentence.source_ids]
    if not exhibits or None in exhibits:
        return False
    if _quoted(sentence, evidence):
        return True
    if PROHIBITED.search(sentence.text):
        return False
    return support(sentence.text, [exhibit.passage.text for exhibit in exhibits if exhibit]).supported


def _quoted(sentence: DraftSentence, evidence: Evidence) -> bool:
    """Whether it is literal text of a passage that it cites: then it is the book's voice (G11)."""
    exhibits = (evidence.by_id(source_id) for source_id in sentence.source_ids)
    return any(exhibit is not None and is_literal(sentence.text, exhibit.passage) for exhibit in exhibits)


def _cited(sentence: DraftSentence, evidence: Evidence) -> AnswerSentence:
    exhibits = [
        exhibit
        for source_id in dict.fromkeys(sentence.source_ids)
        if (exhibit := evidence.by_id(source_id)) is not None
    ][:MAX_CITATIONS]
    return AnswerSentence(
        text=sentence.text,
        citations=tuple(cite(sentence.text, exhibit) for exhibit in exhibits),
        images=tuple(
            dict.fromkeys(image for exhibit in exhibits for image in images(sentence.text, exhibit.passage))
        ),
    )
