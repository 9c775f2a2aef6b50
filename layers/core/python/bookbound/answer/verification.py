"""Verification of a draft's sentences: cited, and supported by what they cite. Pure (P4, G11, G12).

What only a reader can tell comes as a logit for each of `claims_of`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bookbound.answer.citations import cite, images, is_quoted
from bookbound.answer.own_voice import own_voice
from bookbound.claims.reading import claim_read, without_number
from bookbound.claims.support import Support, support
from bookbound.evidence.injection import asserted, asserts, fair
from bookbound.evidence.reading import excerpts
from bookbound.model import AnswerSentence, ClaimRead, Draft, DraftSentence, Dropped, Evidence, Exhibit

ATTRIBUTION_TARGET = 0.90
"""P4: below it a draft is written again, and then refused."""

LEAST_LEFT = 0.5
"""X15: share of a second draft that must be left to be shown without the rest."""

MAX_CITATIONS = 2
"""C2: one or two citations a sentence."""

_TAG = re.compile(r"<[a-z!/?][^<>]*(?:>|$)", re.IGNORECASE)

_NOT = r"(?: not|n['’]t)"
NOT_COVERED = re.compile(
    r"\bnot covered in the (?:[\w&-]+ ){0,5}(?:excerpts|book|textbook)\b"
    r"|\bi can only answer(?: questions?)? (?:from|about)\b"
    rf"|\bdoes{_NOT} (?:appear to be covered|contain (?:this|enough) information)"
    r"|\bnot enough to provide a confident answer|\boutside the scope of this (?:course|book|textbook)\b"
    r"|\bno (?:supporting documentation|relevant information)(?: was)? found"
    rf"|\b(?:passages?|excerpts?|context|materials?|documentation)(?: provided)? (?:do|does){_NOT}"
    rf" (?:answer|contain|cover|include|mention|provide|say|state)\b",
    re.IGNORECASE,
)
"""G12: the model's own "not in the context", in any of the sources' wordings."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A draft after verification.

    Attributes:
        sentences: those that are supported and cited, in the draft's order, each once.
        dropped: the others, with why; for the record, never for the reader.
        attribution: supported / all sentences of the draft (P4); 0 for an empty draft.
        not_covered: the generator itself said that the context does not hold the answer (G12).
        support: probability that the least supported of the sentences is borne out, in [0, 1]; 1 for quotes.
        second: it is the second draft, after which there is none.
    """

    sentences: tuple[AnswerSentence, ...]
    dropped: tuple[Dropped, ...]
    attribution: float
    not_covered: bool
    support: float = 1.0
    second: bool = False

    @property
    def rest_stands(self) -> bool:
        """True if what is left of a second draft may be shown: at least half of it (X15)."""
        enough = self.attribution >= LEAST_LEFT and bool(self.sentences)
        return self.second and enough and not self.not_covered

    @property
    def stands(self) -> bool:
        """True if there is an answer in it: P4's target met, and not the generator's own refusal."""
        return bool(self.sentences) and self.attribution >= ATTRIBUTION_TARGET and not self.not_covered


def claims_of(draft: Draft, evidence: Evidence) -> list[ClaimRead]:
    """The sentences that only a reader can judge, with what it has to read for each."""
    evidence = fair(evidence)
    shown = ((sentence, _shown(sentence, evidence)) for sentence in draft.sentences)
    return [
        _claim(sentence, exhibits)
        for sentence, exhibits in shown
        if not _flaw(sentence, exhibits) and not _quotes(sentence.text, exhibits)
    ]


def verify(
    draft: Draft, evidence: Evidence, logits: Mapping[ClaimRead, float], *, second: bool = False
) -> Verified:
    """Keep what is supported; nothing of a dropped sentence is left in an answer (P4).

    An order that stands in a passage supports nothing, and is not quoted (R10).
    """
    evidence = fair(evidence)
    if draft.declined or any(_says_not_covered(sentence, evidence) for sentence in draft.sentences):
        return Verified((), (), 0.0, not_covered=True, second=second)
    kept: list[AnswerSentence] = []
    scores: list[float] = []
    dropped: list[Dropped] = []
    for sentence in draft.sentences:
        exhibits = _shown(sentence, evidence)
        found = _support(sentence, exhibits, logits)
        if found.missing:
            dropped.append(Dropped(sentence.text, sentence.source_ids, found.missing))
        else:
            kept.append(_cited(sentence.text, exhibits))
            scores.append(found.score)
    attribution = len(kept) / len(draft.sentences) if draft.sentences else 0.0
    least = min(scores, default=0.0)
    return Verified(
        _said_once(kept), tuple(dropped), attribution, not_covered=False, support=least, second=second
    )


def _said_once(kept: Sequence[AnswerSentence]) -> tuple[AnswerSentence, ...]:
    """Merge a sentence quoted from overlapping passages: told once, with both its places."""
    said: dict[str, AnswerSentence] = {}
    for sentence in kept:
        first = said.get(sentence.text)
        said[sentence.text] = _joined(first, sentence) if first else sentence
    return tuple(said.values())


def _joined(first: AnswerSentence, again: AnswerSentence) -> AnswerSentence:
    new = [citation for citation in again.citations if citation.source_id not in first.source_ids]
    return replace(
        first,
        citations=(*first.citations, *new)[:MAX_CITATIONS],
        images=tuple(dict.fromkeys((*first.images, *again.images))),
    )


def _says_not_covered(sentence: DraftSentence, evidence: Evidence) -> bool:
    return NOT_COVERED.search(sentence.text) is not None and not _quotes(
        sentence.text, _shown(sentence, evidence)
    )


def _shown(sentence: DraftSentence, evidence: Evidence) -> list[Exhibit]:
    """The exhibits that it will be cited with: the first two that it names, and that tell anything (C2)."""
    found = (evidence.by_id(source_id) for source_id in dict.fromkeys(sentence.source_ids))
    return [exhibit for exhibit in found if exhibit is not None and exhibit.passage.units][:MAX_CITATIONS]


def _support(
    sentence: DraftSentence, exhibits: Sequence[Exhibit], logits: Mapping[ClaimRead, float]
) -> Support:
    if flaw := _flaw(sentence, exhibits):
        return Support(supported=False, score=0.0, missing=flaw)
    if _quotes(sentence.text, exhibits):
        return Support(supported=True, score=1.0)
    texts = [asserted(exhibit.passage) for exhibit in exhibits]
    return support(sentence.text, texts, logits[_claim(sentence, exhibits)])


def _flaw(sentence: DraftSentence, exhibits: Sequence[Exhibit]) -> str | None:
    """Return the fault that shows without reading, None where there is none."""
    if not sentence.source_ids:
        return "no citation"
    if len(exhibits) < min(len(set(sentence.source_ids)), MAX_CITATIONS):
        return "a citation of nothing that was given"
    if _quotes(sentence.text, exhibits):
        return None
    texts = [asserted(exhibit.passage) for exhibit in exhibits]
    if prohibited := own_voice(sentence.text, texts):
        return f"prohibited: {prohibited}"
    if markup := _strange_markup(sentence.text, texts):
        return f"markup: {markup}"
    return None


def _claim(sentence: DraftSentence, exhibits: Sequence[Exhibit]) -> ClaimRead:
    """The sentence with the units of the cited passages that are nearest to it; orders are not among them."""
    read = [
        (one.above, text)
        for exhibit in exhibits
        for one in excerpts(exhibit.passage, 0, len(exhibit.passage.text))
        for unit, text in zip(one.units, one.texts, strict=True)
        if asserts(exhibit.passage, unit)
    ]
    above = read[0][0] if read else ""
    return claim_read(without_number(sentence.text), above, [text for _, text in read])


def _strange_markup(text: str, passages: Sequence[str]) -> str | None:
    """A tag that no passage holds: to a reader of the words alone, it would say nothing."""
    return next((tag[0] for tag in _TAG.finditer(text) if not any(tag[0] in held for held in passages)), None)


def _quotes(text: str, exhibits: Sequence[Exhibit]) -> bool:
    """Return whether the text is whole sentences of a cited passage: the book's voice (G11)."""
    return any(is_quoted(text, exhibit.passage) for exhibit in exhibits)


def _cited(text: str, exhibits: Sequence[Exhibit]) -> AnswerSentence:
    return AnswerSentence(
        text=text,
        citations=tuple(cite(text, exhibit) for exhibit in exhibits),
        images=tuple(dict.fromkeys(image for exhibit in exhibits for image in images(text, exhibit.passage))),
    )
