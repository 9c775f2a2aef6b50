"""What the index finds for labelled questions, once, so that fits and cross-fits need no second search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bookbound import gates
from bookbound.book import Book
from bookbound.inquiry import analyse
from bookbound.model import Candidate, Hit
from bookbound.ports import Embedder
from bookbound.retrieval import find, retrieve_selection
from bookbound.scoring import ScoreMap, blend, rank
from bookbound.sufficiency import FEATURES, SufficiencyModel, judge
from bookbound.terms import query_stems
from evaluation.judging import holds
from evaluation.questions import Labelled

_UNFITTED = SufficiencyModel(dict.fromkeys(FEATURES, 0.0), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A labelled question with what its book's store returned; `selected` for one about selected text."""

    labelled: Labelled
    book: Book
    hits: tuple[Hit, ...] = ()
    selected: tuple[Candidate, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the label wants an answer."""
        return self.labelled.expect == "answer"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Cosines of evidence windows (the best one a question) and of every other candidate fetched."""

    positives: tuple[float, ...]
    negatives: tuple[float, ...]


async def retrieve_all(labelled: Sequence[Labelled], book: Book, embedder: Embedder) -> list[Retrieved]:
    """Search once for every question."""
    return [await _retrieve(question, book, embedder) for question in labelled]


async def _retrieve(labelled: Labelled, book: Book, embedder: Embedder) -> Retrieved:
    if labelled.selected_text is None:
        return Retrieved(labelled, book, hits=tuple(await find(labelled.question, book, embedder)))
    selected = await retrieve_selection(labelled.question, labelled.selected_text, book, embedder)
    return Retrieved(labelled, book, selected=selected)


def cosine_pairs(retrieved: Iterable[Retrieved]) -> Pairs:
    """What the score map is fitted on; a question whose evidence was not fetched gives no positive."""
    positives: list[float] = []
    negatives: list[float] = []
    for each in retrieved:
        evidence = [hit for hit in each.hits if is_evidence(hit, each.labelled)]
        positives += [max(hit.cosine for hit in evidence)] if evidence else []
        negatives += [hit.cosine for hit in each.hits if hit not in evidence]
    return Pairs(tuple(positives), tuple(negatives))


def is_evidence(hit: Hit, labelled: Labelled) -> bool:
    """Whether the window itself holds one of the question's evidence quotes."""
    text = hit.passage.text[hit.start : hit.end]
    return any(quote.file == hit.passage.document and holds(text, quote.quote) for quote in labelled.quotes)


def features(each: Retrieved, score_map: ScoreMap) -> dict[str, float] | None:
    """The sufficiency features under a score map; None when a gate before bars the question."""
    question, policy = each.labelled.question, each.book.policy
    if each.labelled.selected_text is None:
        candidates = rank(
            each.hits,
            query_stems(question),
            score_map=score_map,
            lexicon=each.book.lexicon,
            thresholds=policy.thresholds,
        )
        gate = gates.admit(question, candidates, policy)
    else:
        candidates = tuple(_rescored(candidate, score_map, each.book) for candidate in each.selected)
        gate = gates.admit_selection(question, candidates, policy)
    if isinstance(gate, gates.Barred):
        return None
    return judge(analyse(question), gate.candidates, each.book.lexicon, _UNFITTED).features


def _rescored(candidate: Candidate, score_map: ScoreMap, book: Book) -> Candidate:
    similarity = score_map(candidate.cosine)
    return replace(
        candidate,
        similarity=similarity,
        score=blend(similarity, candidate.lexical, book.policy.thresholds),
    )
