"""The ladder of attempts: rewrite, the other source, widen, until the evidence suffices (R3, R5, R6).

All candidates came in one round trip; every rung is judged in memory, in the order of R5 and R6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from bookbound.book import Book
from bookbound.evidence import gates
from bookbound.evidence.gates import Admitted, Barred
from bookbound.evidence.search_depth import breadths, sources
from bookbound.evidence.sufficiency import Sufficiency, SufficiencyModel, judge
from bookbound.model import SUFFICIENT, Attempt, Candidate, Hit, PassageKind, RefusalReason
from bookbound.question.question_plan import Part
from bookbound.text.scoring import ranked, score
from bookbound.text.terms import query_stems

SELECTION = "selection"


@dataclass(frozen=True, slots=True)
class Rung:
    """One attempt: a wording, one source or both, and the number of candidates."""

    text: str
    sources: tuple[PassageKind, ...]
    breadth: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A rung, and how it went; `judged` is None where a gate before the sufficiency barred the way."""

    attempt: Attempt
    verdict: Admitted | Barred
    judged: Sufficiency | None

    @property
    def passed(self) -> bool:
        """True if the evidence suffices."""
        return isinstance(self.verdict, Admitted)


@dataclass(frozen=True, slots=True)
class Climb:
    """A part of a question with all that was tried for it.

    Attributes:
        tried: in order; empty for a task, which nothing is searched for (G14).
        decisive: the rung that passed; when none did, the one that came furthest.
        candidates: everything that the decisive rung's wording found, best first.
    """

    part: Part
    tried: tuple[Tried, ...]
    decisive: Tried
    candidates: tuple[Candidate, ...] = ()

    @property
    def passed(self) -> bool:
        """True if this part can be answered."""
        return self.decisive.passed

    @property
    def exhausted(self) -> bool:
        """True if nothing was left to try: all rungs, or what the book's policy permanently bars (R6)."""
        if self.part.task or _final(self.decisive):
            return True
        selected = self.decisive.attempt.sources == (SELECTION,)
        wordings = self.part.query.texts if selected else tuple(rungs(self.part))
        return not self.passed and len(self.tried) == len(wordings)

    @property
    def admitted(self) -> tuple[Candidate, ...]:
        """The passages that may be evidence for this part, those that were judged first; none if barred."""
        verdict = self.decisive.verdict
        return (*verdict.candidates, *verdict.beside) if isinstance(verdict, Admitted) else ()

    @property
    def weak(self) -> bool:
        """True if it passed on too few passages (G7)."""
        return isinstance(self.decisive.verdict, Admitted) and self.decisive.verdict.weak

    @property
    def sufficiency(self) -> float:
        """Probability that the evidence answers, in [0, 1]; 0 where none came so far as to be judged."""
        return self.decisive.judged.score if self.decisive.judged else 0.0


def climb(part: Part, found: Sequence[Sequence[Hit]], book: Book, model: SufficiencyModel) -> Climb:
    """Try rung after rung until one passes; `found` holds the hits of each of the part's wordings."""
    pools = {text: _Pool(text, hits, part, book) for text, hits in zip(part.query.texts, found, strict=True)}
    judge_once = _Judge(part, book, model)
    tried: list[Tried] = []
    for rung in rungs(part):
        tried.append(_try(rung, pools[rung.text], judge_once))
        if tried[-1].passed or _final(tried[-1]):
            break
    decisive = max(tried, key=_how_far)
    return Climb(part, tuple(tried), decisive, pools[decisive.attempt.query].all)


def climb_selection(
    part: Part, found: Sequence[Sequence[Candidate]], book: Book, model: SufficiencyModel
) -> Climb:
    """The same for selected text, which is all the context there is: only the wording changes (G5)."""
    judge_once = _Judge(part, book, model)
    tried: list[Tried] = []
    for text, candidates in zip(part.query.texts, found, strict=True):
        gate = gates.admit_selection(candidates, book.policy)
        tried.append(_tried(Rung(text, (), len(candidates)), candidates, gate, judge_once))
        if tried[-1].passed:
            break
    decisive = max(tried, key=_how_far)
    return Climb(part, tuple(tried), decisive, tuple(found[tried.index(decisive)]))


def in_order(parts: Sequence[Part], climbed: Iterator[Climb]) -> list[Climb]:
    """A climb for every part: those of `climbed`, one a searched part, and the work set aside (G14)."""
    return [set_aside(part) if part.task else next(climbed) for part in parts]


def set_aside(part: Part) -> Climb:
    """A request to do work is no question to the book: nothing is searched for it (G14)."""
    verdict = gates.task(part.task)
    attempt = Attempt(part.text, part.text, (), 0, 0, None, None, verdict.reason.value)
    return Climb(part, (), Tried(attempt, verdict, None))


def rungs(part: Part) -> Iterator[Rung]:
    """The order of R6: rewrite and ask the same source again, then the other one too, then widen."""
    first, other = sources(part.inquiry)
    for breadth in breadths(part.inquiry):
        for asked in ((first,), (first, other)):
            for text in part.query.texts:
                yield Rung(text, asked, breadth)


class _Pool:
    """Every window that one wording found, scored once."""

    def __init__(self, text: str, hits: Sequence[Hit], part: Part, book: Book) -> None:
        weights = book.lexicon.weights(query_stems(text))
        scored = [
            score(hit, weights, score_map=book.score_map, thresholds=book.policy.thresholds) for hit in hits
        ]
        self._by_meaning = sorted(scored, key=lambda one: -one.cosine)
        self._by_words = sorted(scored, key=lambda one: -one.lexical)
        self.all = ranked(scored)

    def within(self, rung: Rung) -> tuple[Candidate, ...]:
        """The rung's sources among the nearest windows by meaning and the nearest by words."""
        nearest = (
            islice((one for one in ordered if one.passage.kind in rung.sources), rung.breadth)
            for ordered in (self._by_meaning, self._by_words)
        )
        return ranked(chain.from_iterable(nearest))


@dataclass(slots=True)
class _Judge:
    """Judges the same passages once, however many rungs come to them."""

    part: Part
    book: Book
    model: SufficiencyModel
    known: dict[frozenset[object], Sufficiency] = field(default_factory=dict)

    @property
    def threshold(self) -> float:
        """The book's own, or else the model's."""
        own = self.book.sufficiency_threshold
        return self.model.threshold if own is None else own

    def __call__(self, candidates: tuple[Candidate, ...]) -> Sufficiency:
        key = frozenset((one.passage.chunk_id, one.sentence_cosine) for one in candidates)
        if key not in self.known:
            self.known[key] = judge(self.part.inquiry, candidates, self.book.lexicon, self.model)
        return self.known[key]


def _try(rung: Rung, pool: _Pool, judge_once: _Judge) -> Tried:
    candidates = pool.within(rung)
    gate = gates.admit(judge_once.part.text, candidates, judge_once.book.policy, beside=pool.all)
    return _tried(rung, candidates, gate, judge_once)


def _tried(rung: Rung, candidates: Sequence[Candidate], gate: Admitted | Barred, judge_once: _Judge) -> Tried:
    judged, verdict = None, gate
    if isinstance(gate, Admitted):
        judged = judge_once(gate.candidates)
        verdict = gates.suffices(gate, judged, judge_once.threshold)
    return Tried(_attempt(rung, candidates, verdict, judged, judge_once.part), verdict, judged)


def _attempt(
    rung: Rung,
    candidates: Sequence[Candidate],
    verdict: Admitted | Barred,
    judged: Sufficiency | None,
    part: Part,
) -> Attempt:
    return Attempt(
        part=part.text,
        query=rung.text,
        sources=tuple(source.value for source in rung.sources) or (SELECTION,),
        breadth=rung.breadth,
        candidates=len(candidates),
        similarity=max((one.similarity for one in candidates), default=None),
        sufficiency=judged.score if judged else None,
        outcome=SUFFICIENT if isinstance(verdict, Admitted) else verdict.reason.value,
    )


def _final(tried: Tried) -> bool:
    """Return whether the book's policy bars it: then no other wording or source lets it in (G4)."""
    return isinstance(tried.verdict, Barred) and tried.verdict.reason is RefusalReason.OUT_OF_SCOPE


def _how_far(tried: Tried) -> tuple[bool, int, float, float]:
    """Rank an attempt: by decision, gates passed, how nearly evidence sufficed, how near anything was."""
    passed = sum(finding.passed for finding in tried.verdict.findings)
    judged = tried.judged.score if tried.judged else 0.0
    return tried.passed or _final(tried), passed, judged, tried.attempt.similarity or 0.0
