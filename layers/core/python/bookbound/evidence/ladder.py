"""The ladder of attempts: rewrite, the other source, widen, until the evidence suffices (R3, R5, R6).

All candidates came in one round trip; every rung is judged in memory, in the order of R5 and R6. The reader
reads the most promising first, and no further once the evidence suffices. Where the retrieval budget would
end amid a rung, that rung is not begun: "not found" is said of what was tried, and no error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from types import MappingProxyType
from uuid import UUID

from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence import answered_in, gates, whole_selection
from bookbound.evidence.book_tables import BookTable, TableRow, tables
from bookbound.evidence.gates import Admitted, Barred
from bookbound.evidence.pace import Pace
from bookbound.evidence.reading import excerpts, promise
from bookbound.evidence.search_depth import FETCHED, READ, breadths, sources
from bookbound.evidence.sufficiency import LOOKED_AT, Assessor, Sufficiency, best_of
from bookbound.evidence.table_choice import Offer, nearest_table, offer, table_of, weighed
from bookbound.evidence.table_reading import read_columns, read_rows
from bookbound.evidence.whole_selection import held_stems
from bookbound.model import (
    SUFFICIENT,
    Attempt,
    Candidate,
    Finding,
    Hit,
    Passage,
    PassageKind,
    Reading,
    RefusalReason,
    SparseVector,
)
from bookbound.question.inquiry import Inquiry
from bookbound.question.question_plan import Part
from bookbound.question.whole_request import WholeRequest, whole_request
from bookbound.text.scoring import blend, ranked, score
from bookbound.text.terms import content_stems, passage_weights, query_stems, sparse

SELECTION = "selection"

STATED = 1.0
"""Probability that a place answers which the author states: it is the author's word, and no estimate."""

OF_TABLE = 4
"""Readings that a table takes: its columns, its rows, and those that it offers."""

Place = tuple[UUID, int]
"""A window: its passage's id, and where it starts there."""

_ALL_ALIKE: Mapping[Place, int] = MappingProxyType({})
"""Places where no search put one window before another."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One attempt: a wording, one source or both, the number of candidates, and of windows read by then."""

    text: str
    sources: tuple[PassageKind, ...]
    breadth: int
    read: int = 0


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
        assured: False where it passed only for a generator that can refuse by itself (G12).
        candidates: everything that the decisive rung's wording found, best first.
        spent: True where the retrieval budget ended it before all was tried (R6).
    """

    part: Part
    tried: tuple[Tried, ...]
    decisive: Tried
    candidates: tuple[Candidate, ...] = ()
    assured: bool = True
    spent: bool = False

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


async def climb(
    part: Part,
    found: Sequence[Sequence[Hit]],
    book: Book,
    assessor: Assessor,
    *,
    deadline: Deadline | None = None,
) -> Climb:
    """Try rung after rung until one passes, or the deadline is too near for another (R6).

    `found` holds the hits of each of the part's wordings.
    """
    desk, pace = _Desk(part, book, assessor), Pace(deadline)
    pools = {text: _Pool(text, hits, book) for text, hits in zip(part.query.texts, found, strict=True)}
    original = pools[part.query.original]
    if stated := await _as_stated(desk, original):
        return stated
    reached = await _up_the_rungs(desk, pools, pace)
    if pace.allows(OF_TABLE) or _final(reached.decisive):
        return await _of_tables(desk, original, reached)
    return replace(reached, spent=not reached.passed)


async def _up_the_rungs(desk: _Desk, pools: Mapping[str, _Pool], pace: Pace) -> Climb:
    """Windows of any kind, rung after rung, until one passes or what barred it is final."""
    tried: list[Tried] = []
    spent = False
    for rung in rungs(desk.part):
        pool = pools[rung.text]
        unread = desk.unread(rung.text, pool.most_promising(rung))
        readings = len(unread) + LOOKED_AT
        if spent := not pace.allows(readings):
            break
        with pace.timing(readings):
            tried.append(await _try(desk, pool, rung, unread))
        if tried[-1].passed or _final(tried[-1]):
            break
    decisive = max(tried, key=_how_far)
    everything = desk.judged(decisive.attempt.query, pools[decisive.attempt.query].all)
    return Climb(desk.part, tuple(tried), decisive, everything, desk.assures(decisive), spent)


async def _try(desk: _Desk, pool: _Pool, rung: Rung, unread: Sequence[Candidate]) -> Tried:
    """Read what is promising at a rung and was not read before it, and judge its passages."""
    await desk.read(rung.text, unread, pool.places)
    candidates = await _open(desk, pool, rung)
    beside = desk.judged(rung.text, pool.all)
    gate = gates.admit(desk.part.text, candidates, desk.book.policy, beside=beside)
    return await desk.tried(rung, candidates, gate)


async def _open(desk: _Desk, pool: _Pool, rung: Rung) -> tuple[Candidate, ...]:
    """A rung's passages; what suffices is no row of a table that does not hold what is asked (G9)."""
    while True:
        found = desk.judged(rung.text, pool.within(rung))
        best = best_of(found)
        table = table_of(best, pool.tables) if best else None
        if table is None or not await desk.closes(table):
            return found


async def climb_selection(part: Part, selected: Sequence[Passage], book: Book, assessor: Assessor) -> Climb:
    """The same for selected text, which is all the context there is: only the wording changes (G5)."""
    if (request := whole_request(part.text, held_stems(selected))) and selected:
        return _whole(part, request, selected, book)
    desk = _Desk(part, book, assessor)
    tried: list[Tried] = []
    seen: list[tuple[Candidate, ...]] = []
    for text in part.query.texts:
        windows = _Pool(text, [Hit(one, 0, len(one.text), 0.0, _terms(one)) for one in selected], book).all
        await desk.read(text, windows)
        seen.append(desk.judged(text, windows))
        gate = gates.admit_selection(seen[-1], book.policy)
        tried.append(await desk.tried(Rung(text, (), len(windows)), seen[-1], gate))
        if tried[-1].passed:
            break
    decisive = max(tried, key=_how_far)
    return Climb(part, tuple(tried), decisive, seen[tried.index(decisive)], desk.assures(decisive))


async def _of_tables(desk: _Desk, pool: _Pool, reached: Climb) -> Climb:
    """The rows of a table, where they are likely enough to answer; else what was reached without."""
    model = desk.assessor.model.tables
    if model is None or _final(reached.decisive):
        return reached
    chosen = model.choose(await _offered(desk, pool, reached), desk.sure)
    settled = await _of_rows(desk, pool, chosen.rows, model.score(chosen.features)) if chosen else None
    return replace(settled, tried=(*reached.tried, *settled.tried)) if settled else reached


async def _offered(desk: _Desk, pool: _Pool, reached: Climb) -> Offer | None:
    """What the nearest table has to offer, weighed with what was reached without it."""
    inquiry, text, reader = desk.part.inquiry, desk.part.query.corrected, desk.assessor.reader
    near = nearest_table(pool.tables)
    columns = await read_columns(text, near, reader) if near else None
    if columns is None or columns.is_closed:
        return None
    made = offer(inquiry, await read_rows(text, columns, reader))
    if made is None:
        return None
    (alone,) = await reader.read(text, [made.excerpt])
    return weighed(inquiry, made, alone, best_of(reached.admitted or reached.candidates), desk.book.lexicon)


async def _of_rows(desk: _Desk, pool: _Pool, rows: Sequence[TableRow], score: float) -> Climb | None:
    """These rows as the answer, with such a probability; None where a gate bars it."""
    part, text = desk.part, desk.part.query.original
    await desk.read(text, pool.most_promising(next(rungs(part))), pool.places)
    holders = {row.passage.chunk_id for row in rows}
    held = ranked(one for one in pool.all if one.passage.chunk_id in holders)
    await desk.read(text, held, pool.places)
    inquiry = replace(part.inquiry, rows=tuple((row.passage.chunk_id, row.unit) for row in rows))
    return _settled(desk, pool, desk.judged(text, held), inquiry, Sufficiency(score, {}))


async def _as_stated(desk: _Desk, pool: _Pool) -> Climb | None:
    """A question of which the author says where it is answered; None if that is not found, or is barred."""
    part, text = desk.part, desk.part.query.original
    place = answered_in.place_of(part.query, desk.book.policy)
    if place is None:
        return None
    held = [one for one in pool.in_order if answered_in.has_of(one, place)]
    await desk.read(text, held, pool.places)
    there = [_only_in(place, one) for one in desk.judged(text, held)]
    await desk.read(text, pool.most_promising(next(rungs(part))), pool.places)
    stated = [one for one in there if one.readings]
    inquiry = replace(part.inquiry, place=place)
    return _settled(desk, pool, stated, inquiry, Sufficiency(STATED, {})) if stated else None


def _only_in(place: str, one: Candidate) -> Candidate:
    there = tuple(read for read in one.readings if answered_in.is_in(read.excerpt, place))
    return replace(one, readings=there)


def _settled(
    desk: _Desk, pool: _Pool, held: Sequence[Candidate], inquiry: Inquiry, enough: Sufficiency
) -> Climb | None:
    """What is known to answer, at the other gates; None where one of them bars it."""
    part, book, text = desk.part, desk.book, desk.part.query.original
    candidates = tuple(
        replace(one, similarity=1.0, score=blend(1.0, one.lexical, book.policy.thresholds)) for one in held
    )
    everything = desk.judged(text, pool.all)
    gate = gates.admit(part.text, candidates, book.policy, beside=everything)
    if not isinstance(gate, Admitted):
        return None
    asked: tuple[PassageKind, ...] = (PassageKind.TABLE,)
    if inquiry.place:
        gate, asked = gates.stated(gate, inquiry.place), tuple(PassageKind)
    rung = Rung(text, asked, next(rungs(part)).breadth, len(candidates))
    verdict = gates.suffices(gate, enough, desk.bar)
    if not isinstance(verdict, Admitted):
        return None
    tried = Tried(_attempt(rung, candidates, verdict, enough, part), verdict, enough)
    return Climb(replace(part, inquiry=inquiry), (tried,), tried, everything)


async def glance(part: Part, hits: Sequence[Hit], book: Book, assessor: Assessor) -> float:
    """Return how likely the most promising windows answer, in [0, 1]; no gate is asked, nothing rewritten."""
    text = part.query.original
    desk, pool = _Desk(part, book, assessor), _Pool(text, hits, book)
    if answered_in.place_of(part.query, book.policy):
        return STATED
    rung = Rung(text, tuple(PassageKind), FETCHED, READ[0])
    await desk.read(text, pool.most_promising(rung), pool.places)
    return (await desk.judge(text, await _open(desk, pool, rung))).score


def _whole(part: Part, request: WholeRequest, selected: Sequence[Passage], book: Book) -> Climb:
    """A request about a selection as a whole: what it states is the answer (X20)."""
    part = replace(part, inquiry=replace(part.inquiry, whole=request))
    hits = [Hit(one, 0, len(one.text), 1.0, _terms(one)) for one in selected]
    candidates = tuple(
        replace(one, similarity=1.0, score=blend(1.0, one.lexical, book.policy.thresholds))
        for one in _Pool(part.text, hits, book).all
    )
    enough = Sufficiency(float(whole_selection.answers(request, selected)), {})
    gate = gates.admit_selection(candidates, book.policy)
    verdict = gates.suffices(gate, enough, 1.0) if isinstance(gate, Admitted) else gate
    rung = Rung(part.text, (), len(candidates))
    tried = Tried(_attempt(rung, candidates, verdict, enough, part), verdict, enough)
    return Climb(part, (tried,), tried, candidates)


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
    for breadth, read in zip(breadths(part.inquiry), READ, strict=True):
        for asked in ((first,), (first, other)):
            for text in part.query.texts:
                yield Rung(text, asked, breadth, read)


class _Pool:
    """Every window that one wording found, scored once, unread."""

    def __init__(self, text: str, hits: Sequence[Hit], book: Book) -> None:
        weights = book.lexicon.weights(query_stems(text))
        self.all = tuple(
            score(hit, weights, score_map=book.score_map, thresholds=book.policy.thresholds) for hit in hits
        )
        promising = sorted(self.all, key=_promise, reverse=True)
        self.places = {_place(one): place for place, one in enumerate(promising)}
        self.in_order = promising
        self._by_meaning = sorted(self.all, key=lambda one: -one.cosine)
        self._by_words = sorted(self.all, key=lambda one: -one.lexical)

    @cached_property
    def tables(self) -> tuple[BookTable, ...]:
        """The tables of which parts were found, the most promising first."""
        return tables(one.passage for one in self.in_order)

    def within(self, rung: Rung) -> list[Candidate]:
        """The rung's sources among the nearest windows by meaning and the nearest by words."""
        return list(self._nearest(rung.breadth, rung.sources))

    def most_promising(self, rung: Rung) -> list[Candidate]:
        """Return the windows that the reader is to have read at this rung, the best first.

        They are the most promising of both sources, so that what the next rung needs is read once; and a
        quarter as many of the rung's own, so that one source does not crowd out the other (R5).
        """
        best = self._promising(rung.breadth, tuple(PassageKind))[: rung.read]
        own = self._promising(rung.breadth, rung.sources)[: rung.read // 4]
        return list({_place(one): one for one in (*best, *own)}.values())

    def _promising(self, breadth: int, asked: tuple[PassageKind, ...]) -> list[Candidate]:
        nearest = {_place(one): one for one in self._nearest(breadth, asked)}
        return sorted(nearest.values(), key=lambda one: self.places[_place(one)])

    def _nearest(self, breadth: int, asked: tuple[PassageKind, ...]) -> Iterator[Candidate]:
        return chain.from_iterable(
            islice((one for one in ordered if one.passage.kind in asked), breadth)
            for ordered in (self._by_meaning, self._by_words)
        )


@dataclass(slots=True)
class _Desk:
    """What has been read for a part so far: each window once per text, whichever rungs come to it."""

    part: Part
    book: Book
    assessor: Assessor
    places: dict[str, set[Place]] = field(default_factory=dict)
    readings: dict[tuple[str, UUID], tuple[Reading, ...]] = field(default_factory=dict)
    closed: dict[UUID, Finding] = field(default_factory=dict)

    async def read(
        self, wording: str, windows: Iterable[Candidate], places: Mapping[Place, int] = _ALL_ALIKE
    ) -> None:
        """Read those of the windows that are new, up to the most that are read for a wording."""
        text, new = self._asked(wording), self.unread(wording, windows)
        self.places.setdefault(text, set()).update(map(_place, new))
        parts = [
            (places.get(_place(one), 0), part)
            for one in new
            for part in excerpts(one.passage, one.start, one.end)
        ]
        read = await self.assessor.reader.read(text, [part for _, part in parts]) if parts else ()
        for reading, (place, part) in zip(read, parts, strict=True):
            placed = self.assessor.model.placed(
                replace(reading, question=self.part.inquiry.text, place=place)
            )
            key = text, part.passage.chunk_id
            found = (*self.readings.get(key, ()), placed)
            self.readings[key] = tuple(sorted(found, key=lambda one: -one.answers))

    def unread(self, wording: str, windows: Iterable[Candidate]) -> list[Candidate]:
        """Those of the windows that `read` would read."""
        known = self.places.get(self._asked(wording), set())
        return [one for one in windows if _place(one) not in known][: max(0, READ[-1] - len(known))]

    def judged(self, wording: str, windows: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """Return the windows' passages, best score first, with all that was read of each for the wording."""
        text = self._asked(wording)
        return ranked(self._scored(text, one) for one in windows)

    async def tried(self, rung: Rung, candidates: Sequence[Candidate], gate: Admitted | Barred) -> Tried:
        """Return how a rung went, judged by what was read."""
        judged, verdict = None, gate
        gate = replace(gate, findings=(*dict.fromkeys(self.closed.values()), *gate.findings))
        if isinstance(gate, Admitted):
            judged = await self.judge(rung.text, gate.candidates)
            verdict = gates.suffices(gate, judged, self.bar)
        return Tried(_attempt(rung, candidates, verdict, judged, self.part), verdict, judged)

    async def closes(self, table: BookTable) -> bool:
        """Take a table's rows out of the evidence, if its columns do not hold what is asked."""
        read = await read_columns(self.part.query.corrected, table, self.assessor.reader)
        if read.is_closed:
            self.closed.update(
                (row.passage.chunk_id, gates.closed(table.name, read.held)) for row in table.rows
            )
        return read.is_closed

    async def judge(self, wording: str, candidates: Sequence[Candidate]) -> Sufficiency:
        """Return whether the candidates answer, as far as they were read."""
        text = self._asked(wording)
        read = [one for (asked, _), found in self.readings.items() if asked == text for one in found]
        return await self.assessor.judge(self.part.inquiry, text, candidates, read)

    @property
    def bar(self) -> float:
        """The sufficiency that is asked of evidence for the generator to come."""
        return self._bar(refuses=self.assessor.refuses)

    @property
    def sure(self) -> float:
        """The same for a generator that only quotes."""
        return self._bar(refuses=False)

    def assures(self, tried: Tried) -> bool:
        """Return whether the evidence suffices for a generator that only quotes."""
        return tried.judged is not None and tried.judged.score >= self.sure

    def _bar(self, *, refuses: bool) -> float:
        return self.assessor.model.bar(self.book.sufficiency_threshold, refuses=refuses)

    def _asked(self, wording: str) -> str:
        """Return what the reader reads: the question without its slips, or in the book's words (R4)."""
        query = self.part.query
        return query.corrected if wording == query.original else query.in_book_words or wording

    def _scored(self, text: str, one: Candidate) -> Candidate:
        """The window with the reader's similarity, where its passage was read (X21)."""
        readings = self.readings.get((text, one.passage.chunk_id), ())
        if not readings or one.passage.chunk_id in self.closed:
            return one
        similarity = self.assessor.model.similarity(readings[0].answers)
        blended = blend(similarity, one.lexical, self.book.policy.thresholds)
        return replace(one, similarity=similarity, score=blended, readings=readings)


def _place(window: Candidate) -> Place:
    return window.passage.chunk_id, window.start


def _promise(window: Candidate) -> float:
    return promise(window.cosine, window.lexical)


def _terms(passage: Passage) -> SparseVector:
    return sparse(passage_weights(content_stems(passage.text)))


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
