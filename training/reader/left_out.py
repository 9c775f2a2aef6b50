"""What the product makes of a book that its reader never saw; every reading is kept for a second look."""

from __future__ import annotations

import math
import pickle
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bookbound import wiring
from bookbound.api.deps import Answer
from bookbound.evaluation.judging import judge
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.ladder import Climb
from bookbound.evidence.retrieval import climbs
from bookbound.evidence.sufficiency import FEATURES, Assessor, Line, Sufficiency, SufficiencyModel
from bookbound.local import asking, evaluating
from bookbound.model import ClaimRead, Excerpt, Reading
from bookbound.ports import Reader
from evaluation import ingested
from evaluation.asked_books import Outcome
from evaluation.books import outcome
from evaluation.fit_confidence import Given, given
from evaluation.gate import PACE, AsShipped

Say = Callable[[int, int], None]

UNFITTED = SufficiencyModel(
    place=0.0,
    similarity=Line(0.0, 10.0),
    weights=dict.fromkeys(FEATURES, 0.0),
    intercept=0.0,
    threshold=math.inf,
    with_refusals=math.inf,
    reader="",
)
"""Takes everything for near, and nothing for enough, so that every rung is tried."""


def unbarred(place: float, near: Line) -> SufficiencyModel:
    """A model of this place and similarity under which every rung is judged, and none suffices."""
    return replace(UNFITTED, place=place, similarity=near)


Key = tuple[str, str, tuple[str, ...]]


@dataclass
class Remembering:
    """Fits ports.Reader: reads what is new, once or twice, and remembers all of it at `path`."""

    inner: Reader
    path: Path
    known: dict[Key, tuple[float, tuple[float, ...]]] = field(default_factory=dict)
    known_twice: dict[Key, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path.exists():
            self.known, self.known_twice = pickle.loads(self.path.read_bytes())

    async def read(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        new = [one for one in excerpts if _key(question, one) not in self.known]
        for one in await self.inner.read(question, new):
            self.known[_key(question, one.excerpt)] = one.answers, one.units
        return [Reading(question, one, *self.known[_key(question, one)]) for one in excerpts]

    async def confirm(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        new = [one for one in excerpts if _key(question, one) not in self.known_twice]
        for one, logit in zip(new, await self.inner.confirm(question, new), strict=True):
            self.known_twice[_key(question, one)] = logit
        return [self.known_twice[_key(question, one)] for one in excerpts]

    async def judge(self, claims: Sequence[ClaimRead]) -> list[float]:
        return await self.inner.judge(claims)

    async def read_tables(self, question: str, excerpts: Sequence[Excerpt]) -> list[Reading]:
        return await self.inner.read_tables(question, excerpts)

    def keep(self) -> None:
        """Write what is known."""
        aside = self.path.with_suffix(".part")
        aside.write_bytes(pickle.dumps((self.known, self.known_twice)))
        aside.replace(self.path)


def _key(question: str, excerpt: Excerpt) -> Key:
    return question, excerpt.above, excerpt.texts


@dataclass(frozen=True, slots=True)
class Climbed:
    """A labelled question, and how each part of it went up the ladder."""

    book: str
    labelled: Labelled
    climbs: tuple[Climb, ...]

    @property
    def answerable(self) -> bool:
        """True if the label wants an answer."""
        return self.labelled.expect == "answer"

    @property
    def features(self) -> dict[str, float] | None:
        """Those of the rung with the best excerpt, of any part; None where the reader judged none."""
        read = (judged.features for judged in self._judged() if judged.features)
        return max(read, key=lambda values: values["answers"], default=None)

    def score(self, model: SufficiencyModel) -> float:
        """The score of the best rung; 0 where a gate before barred every one.

        What code decided (a cell that was looked up, a request about a whole selection) keeps its score.
        """
        decided = (judged.score for judged in self._judged() if not judged.features)
        return max(model.score(self.features) if self.features else 0.0, max(decided, default=0.0))

    def _judged(self) -> list[Sufficiency]:
        """The judgement of every rung that no gate before barred."""
        return [tried.judged for climb in self.climbs for tried in climb.tried if tried.judged]


def ingest(root: Path, name: str, data: Path) -> AsShipped:
    """The settings of a book whose index is up to date."""
    settings = AsShipped(data=data, book=name)
    ingested.ingest(settings, root / name / "docs", name, None, lambda *_: None)
    return settings


async def climb_all(
    settings: AsShipped,
    asked: Sequence[Labelled],
    reader: Remembering,
    model: SufficiencyModel,
    say: Say,
    *,
    refuses: bool = False,
) -> list[Climbed]:
    """Every question up the ladder under a model, for a generator that `refuses` by itself or does not."""
    embedder = wiring.build_embedder(settings)
    name = str(settings.book)
    book = await wiring.open_library(settings, embedder).open(name)
    assessor = Assessor(reader, model, refuses=refuses)
    found = []
    for at, one in enumerate(asked):
        up = await climbs(one.question, one.selected_text, book, embedder, assessor)
        found.append(Climbed(name, one, tuple(up)))
        say(at + 1, len(asked))
    reader.keep()
    return found


@dataclass(frozen=True, slots=True)
class Told:
    """What the product made of a question: its outcome, and of an answer the inputs of its confidence."""

    outcome: Outcome
    given: Given | None


@asynccontextmanager
async def product(settings: AsShipped, reader: Reader, model: SufficiencyModel) -> AsyncIterator[Answer]:
    """What answers questions with this reader and model, as it ships in all else."""
    app = wiring.build(settings)
    app = replace(app, deps=replace(app.deps, reader=reader, sufficiency=model))
    try:
        yield app.answer
    finally:
        await app.aclose()


async def run_all(
    settings: AsShipped, asked: Sequence[Labelled], reader: Remembering, model: SufficiencyModel, say: Say
) -> list[Told]:
    """Every question answered or refused by the product with this reader and model."""
    found: list[Told] = []
    async with product(settings, reader, model) as answer:
        for at, one in enumerate(asked, 1):
            result = await asking.ask(answer, one.question, one.selected_text, pace=PACE)
            verdict = judge(one, evaluating.run_of(one, result), None)
            found.append(Told(outcome(verdict, None), given(one, result)))
            say(at, len(asked))
    reader.keep()
    return found
