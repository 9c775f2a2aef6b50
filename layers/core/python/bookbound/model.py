"""The words that the whole system speaks: frozen values, no behaviour but their own invariants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

Vector = list[float]
"""A dense embedding, L2-normalised."""

SparseVector = Mapping[int, float]
"""Term index (32-bit hash of a stem) → weight."""


class RefusalReason(StrEnum):
    """The four reasons, and no others (G13)."""

    EMPTY_RETRIEVAL = "empty_retrieval"
    INSUFFICIENT_CONTEXT = "insufficient_context"
    OUT_OF_SCOPE = "out_of_scope"
    SELECTED_TEXT_INSUFFICIENT = "selected_text_insufficient"


class ConfidenceLevel(StrEnum):
    """F2's levels."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Question:
    """A validated question (V1–V5).

    Attributes:
        text: 1–1000 characters, NFC, trimmed; data for the search and the model, never instructions.
        selected_text: at most 8000 characters, or None when the reader selected nothing.
        session_id: the client's, else minted by the server.
        client_id: who asked, as the authoriser knows it.
        previous: the reader's question before this one, which completes it where it is elliptic (X18).
    """

    text: str
    query_id: UUID
    session_id: UUID
    selected_text: str | None = None
    client_id: str = "anonymous"
    previous: str | None = None


# --- the book -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of the book: `url` as the site serves it, `alt` as the author wrote it."""

    url: str
    alt: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page; `path` is every heading above it and itself, the page's title first."""

    title: str
    path: tuple[str, ...]
    anchor: str | None


class UnitKind(StrEnum):
    """Kind of a unit of text."""

    SENTENCE = "sentence"
    ITEM = "item"
    CODE = "code"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of book text that is never cut: a sentence, a list item, a code block, a table row.

    Attributes:
        start, end: character offsets into the passage's `text`, end exclusive.
        section: index into the passage's `sections`, the heading that this unit stands under.
        number: 1-based sentence number within the page (I2's start_sentence and end_sentence).
        block: number of the paragraph, list or table that it belongs to, within the page. Units of one
            block are kept together where they fit: a list is one block, its lead-in sentence included.
        images: the pictures whose nearest text this is (T4).
    """

    start: int
    end: int
    kind: UnitKind
    section: int
    number: int
    block: int
    images: tuple[Image, ...] = ()


class PassageKind(StrEnum):
    """Source that a passage belongs to (R5)."""

    PROSE = "prose"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk: the unit of context and of citation (I1, I2).

    Attributes:
        chunk_id: stable over re-ingests while page, place and text stay the same.
        document_id: the page's id (I2's parent_document_id).
        document: the page's path relative to the docs folder, POSIX.
        title: the page's title.
        page, end_page: I3's page number.
        url: the page's permalink, without an anchor.
        text: what a reader sees (Markdown marks gone), units joined by white space.
        units: in reading order, covering the text.
        revision: content hash of the page; `last_update` the author's date when there is one.
        table_rows: the numbers of its table's first data row and of one past the last, no matter which rows
            of the table this passage holds; None for prose. Caption and header stand before them (T2).
    """

    chunk_id: UUID
    document_id: UUID
    document: str
    title: str
    page: int
    end_page: int
    url: str
    kind: PassageKind
    text: str
    sections: tuple[Section, ...]
    units: tuple[Unit, ...]
    chunk_index: int
    revision: str
    last_update: str | None = None
    table_rows: tuple[int, int] | None = None

    def __hash__(self) -> int:
        """Return the hash of its id: passages are keys of caches, and their text is long."""
        return hash(self.chunk_id.int)

    @property
    def rows_total(self) -> int | None:
        """Data rows of the whole table, the header not counted; None for prose (T2)."""
        return self.table_rows and self.table_rows[1] - self.table_rows[0]

    @property
    def start_sentence(self) -> int:
        """Number of its first sentence within the page, 1-based (I2)."""
        return self.units[0].number

    @property
    def end_sentence(self) -> int:
        """Number of its last sentence within the page (I2)."""
        return self.units[-1].number

    def unit_text(self, unit: Unit) -> str:
        """The unit's own text."""
        return self.text[unit.start : unit.end]


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a passage that is embedded (X8): whole units, `start`–`end` in its text."""

    window_id: UUID
    passage: Passage
    start: int
    end: int
    embedded_text: str


# --- retrieval ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request to the store: a text's embedding, and its terms."""

    dense: Vector
    sparse: SparseVector


@dataclass(frozen=True, slots=True)
class Hit:
    """A window that the store returns.

    Attributes:
        cosine: of the window, in [-1, 1].
        terms: its term weights.
    """

    passage: Passage
    start: int
    end: int
    cosine: float
    terms: SparseVector


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a passage that is read as one, without orders (R10).

    Attributes:
        above: the headings, a table's caption, and the lead-in of a list that began before.
        units: indices into the passage's units, in reading order, at least one.
        texts: what each unit says; a table's row with the column's name before each cell.
    """

    passage: Passage
    above: str
    units: tuple[int, ...]
    texts: tuple[str, ...]

    def __hash__(self) -> int:
        """Return the hash of its place: excerpts are keys of caches."""
        return hash((self.passage.chunk_id.int, self.units))


@dataclass(frozen=True, slots=True)
class ClaimRead:
    """A sentence with the text that it is checked against.

    Attributes:
        above: the headings that stand over the text.
        texts: sentences, items or rows, in reading order.
    """

    claim: str
    above: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader model makes of a question and an excerpt; logits, any real numbers.

    Attributes:
        answers: that the excerpt answers the question.
        units: of each of its units, that it belongs to the answer.
        place: of its window in the order of the search, from 0.
    """

    question: str
    excerpt: Excerpt
    answers: float
    units: tuple[float, ...]
    place: int = 0

    @property
    def pointed(self) -> int:
        """The excerpt's unit that belongs likeliest to the answer, by its place there."""
        return max(range(len(self.units)), key=self.units.__getitem__)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with its scores, in [0, 1] where nothing else is said; `start`–`end` is its best window.

    Attributes:
        cosine: of the window and the question, in [-1, 1], as it came from the embedding model.
        similarity: the calibrated semantic score that the ladder reads (G1–G3, X21).
        lexical: BM25 over what the query could attain.
        score: the blend that ranks (R1, G6).
        readings: of the parts that the reader read, best first; empty where it did not come so far.
    """

    passage: Passage
    start: int
    end: int
    cosine: float
    similarity: float
    lexical: float
    score: float
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A candidate admitted as evidence, with the id by which a generator cites it (P2)."""

    source_id: str
    candidate: Candidate

    @property
    def passage(self) -> Passage:
        """The admitted passage."""
        return self.candidate.passage


@dataclass(frozen=True, slots=True)
class Evidence:
    """Passages that a generator may speak from; cannot be built empty (G8)."""

    exhibits: tuple[Exhibit, ...]

    def __post_init__(self) -> None:
        if not self.exhibits:
            raise ValueError("evidence needs at least one passage")

    @classmethod
    def of(cls, candidates: tuple[Candidate, ...]) -> Evidence:
        """Number the candidates S1, S2, … in their order (P2)."""
        return cls(tuple(Exhibit(f"S{n}", candidate) for n, candidate in enumerate(candidates, 1)))

    def by_id(self, source_id: str) -> Exhibit | None:
        """The exhibit of that id, if there is one."""
        return next((exhibit for exhibit in self.exhibits if exhibit.source_id == source_id), None)


# --- generation -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence as a generator wrote it, with the ids that it cites."""

    text: str
    source_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a model read and wrote."""

    input_tokens: int
    output_tokens: int

    @property
    def total(self) -> int:
        """Both."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """Those of both."""
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class Draft:
    """A generator's output, before anything is verified.

    Attributes:
        confidence: the generator's own estimate in [0, 1], None when it gave none (P5).
        prompt, raw: what was sent and what came back, word for word, for the audit record.
        declined: the model would not write at all, which counts as its own refusal (G12).
        model: the model that answered, as the vendor names it; None for the built-in generator.
        prompt_version: of the template, None when none was used.
        generator: the one that wrote it, where that is not the one that was asked.
        notice: what a reader of the answer is told of it.
    """

    sentences: tuple[DraftSentence, ...]
    confidence: float | None
    prompt: str
    raw: str
    declined: bool = False
    model: str | None = None
    prompt_version: str | None = None
    usage: Usage | None = None
    generator: str | None = None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence of a draft that did not stand, for the record only; `reason` in a few words (P4)."""

    text: str
    source_ids: tuple[str, ...]
    reason: str


# --- outcomes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of `sources` (C3): everything in it comes from the index (P2)."""

    source_id: str
    passage: Passage
    score: float
    similarity: float
    section: Section
    excerpt: str
    url: str
    images: tuple[Image, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """`[Source: Section Title (Page X) - "excerpt"]` for one sentence (C1)."""

    source_id: str
    section: str
    page: int
    excerpt: str
    url: str

    def __str__(self) -> str:
        return f'[Source: {self.section} (Page {self.page}) - "{self.excerpt}"]'


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A verified sentence with its citations and the pictures that belong to it (C2, T4)."""

    text: str
    citations: tuple[Citation, ...]
    images: tuple[Image, ...] = ()

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The cited ids, each once."""
        return tuple(dict.fromkeys(citation.source_id for citation in self.citations))

    def __str__(self) -> str:
        """The sentence with its citations right after it (C1)."""
        return " ".join([self.text, *map(str, self.citations)])


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: every sentence verified and cited.

    Attributes:
        confidence: F1, in [0, 1].
        low_confidence: the level is low, or the evidence is weak.
        attribution_coverage: supported sentences / sentences of the draft, before removal (P4).
        weak_evidence: too few passages stand behind it (G7).
    """

    sentences: tuple[AnswerSentence, ...]
    sources: tuple[Source, ...]
    confidence: float
    confidence_level: ConfidenceLevel
    low_confidence: bool
    attribution_coverage: float
    notice: str | None = None
    unavailable: tuple[str, ...] = ()
    weak_evidence: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A section of the book that a reader may look at."""

    section: str
    page: int
    url: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal: an outcome like any other, never an error (G13).

    Attributes:
        related: the places of the book nearest to what was asked, best first (X19).
    """

    reason: RefusalReason
    message: str
    notice: str | None = None
    attribution_coverage: float | None = None
    related: tuple[Place, ...] = ()


Outcome = Answered | Refused


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds spent, by part."""

    total: float = 0.0
    retrieval: float = 0.0
    generation: float = 0.0
    verification: float = 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the explanation: which gate, which figure, which threshold, how it went."""

    gate: str
    figure: str
    value: float | int | str | None
    threshold: float | int | str | None
    passed: bool


SUFFICIENT = "sufficient"
"""The outcome of an attempt that every gate let pass."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One rung of the ladder, for the record (R6).

    Attributes:
        part, query: the part of the question that it was for, and the wording that was searched.
        sources: which were asked: "table", "prose", or "selection".
        breadth: how many windows were looked at, by meaning and by words each; of a selection, its passages.
        candidates: passages among them. similarity: the highest of theirs, None when there were none.
        sufficiency: of the admitted ones, None when a gate before barred the way.
        outcome: SUFFICIENT, or the reason why not.
    """

    part: str
    query: str
    sources: tuple[str, ...]
    breadth: int
    candidates: int
    similarity: float | None
    sufficiency: float | None
    outcome: str


@dataclass(frozen=True, slots=True)
class BookRef:
    """The book and the version that answered."""

    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Result:
    """An outcome with all that the response, the log and the audit record need.

    Attributes:
        answer_id: names this result; feedback refers to it.
        read_as: the question that was answered, where a follow-up was completed (X18).
        candidates: every candidate that retrieval scored, best first.
        evidence: what the generator was given, empty when it was not called.
        attempts: every rung of the ladder that was tried, in order (R6).
        out_of_time: whether the retrieval budget ended the ladder of a part before all was tried.
        retrieval_query: the wording that decided.
        chunks_retrieved: how many candidates had similarity ≥ the empty threshold.
        max_score: highest similarity; None only when the store returned nothing.
        draft_attributions: of each draft in turn, before anything was removed (P4).
        dropped: what was removed from the last one.
        support: of its least supported sentence that stood, in [0, 1]; 1 for quotes.
    """

    answer_id: UUID
    question: Question
    book: BookRef
    outcome: Outcome
    candidates: tuple[Candidate, ...] = ()
    evidence: tuple[Exhibit, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    out_of_time: bool = False
    retrieval_query: str = ""
    chunks_retrieved: int = 0
    max_score: float | None = None
    findings: tuple[Finding, ...] = ()
    draft: Draft | None = None
    draft_attributions: tuple[float, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    support: float = 1.0
    generator: str | None = None
    generator_calls: int = 0
    latency: Latency = field(default_factory=Latency)
    read_as: str | None = None
