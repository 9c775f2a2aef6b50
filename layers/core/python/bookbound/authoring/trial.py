"""A mend, tried: which questions would be answered that are not, and which answers would change.

The live index is left as it is. What a mend changes of it are policy, glossary and threshold, so the book is
asked with these beside the live ones; passages and vectors are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import uuid4

from bookbound.answer.decision_trace import Trace
from bookbound.answering import Deps, decide
from bookbound.authoring.mends import Mend, mended
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.errors import InvalidRequest
from bookbound.evidence.answered_in import place_of
from bookbound.evidence.sufficiency import Assessor
from bookbound.generator_input import GeneratorInput
from bookbound.index.canaries import Asked as AskedCanary
from bookbound.index.canaries import Canary as CanaryFound
from bookbound.index.canaries import ask as ask_canary
from bookbound.index.canaries import weighed
from bookbound.index.glossary_builder import Vocabulary, glossary_of
from bookbound.model import Answered, Draft, Outcome
from bookbound.ports import Generator
from bookbound.question import validation
from bookbound.question.question_plan import Part, plan

PACE = 20
"""Factor by which every deadline is longer than a reader's: what would happen is asked, not how soon."""

Told = Callable[[int, int], None]
"""Called with how many questions are done, and of how many."""

Wish = Literal["answer", "refuse"]


@dataclass(frozen=True, slots=True)
class Putting:
    """A question that is put to the book; `wish` is what should come of it, where that is known."""

    question: str
    wish: Wish | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a question ends.

    Attributes:
        reason: of a refusal; None for an answer.
        text: of an answer, without citations. places: its sections, each once. excerpts: what it cites.
    """

    answered: bool
    reason: str | None
    text: str = ""
    places: tuple[str, ...] = ()
    excerpts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A question that ends otherwise with a mend."""

    put: Putting
    before: Ended
    after: Ended

    @property
    def kind(self) -> Literal["answered", "refused", "otherwise"]:
        """What it is now: answered, refused, or answered otherwise."""
        if self.before.answered != self.after.answered:
            return "answered" if self.after.answered else "refused"
        return "otherwise"

    @property
    def unwanted(self) -> bool:
        """True if it is known that the question should end as it did before."""
        return self.put.wish is not None and self.after.answered != (self.put.wish == "answer")


@dataclass(frozen=True, slots=True)
class Trial:
    """What a mend comes to.

    Attributes:
        asked: how many questions were looked at. touched: of these, how many the mend can change at all.
        threshold: before and after.
        canaries: those that are as wished before and are not after.
    """

    asked: int
    touched: int
    changes: Sequence[Change]
    threshold: tuple[float, float]
    canaries: Sequence[CanaryFound]

    @property
    def false_answers(self) -> list[Change]:
        """Questions that would be answered, and should not be."""
        return [one for one in self.changes if one.unwanted and one.kind == "answered"]


class Quoting:
    """Fits ports.Generator: quotes, and leaves as much to the gates as the generator that it stands for."""

    def __init__(self, quoting: Generator, stands_for: Generator) -> None:
        self.name = quoting.name
        self.refuses = stands_for.refuses
        self._quoting = quoting

    async def write(self, brief: GeneratorInput, deadline: Deadline) -> Draft:
        return await self._quoting.write(brief, deadline)


Reading = tuple[tuple[Part, str | None], ...]
"""How a question is read, part by part, each with where the author says that it is answered."""


class Bench:
    """A live book with its vocabulary, and what answers from it; nothing of it goes on record.

    `known` has what came of canary questions already, which no threshold changes. `live` is what was given.
    """

    def __init__(
        self,
        book: Book,
        vocabulary: Vocabulary,
        deps: Deps,
        known: Mapping[tuple[str, Reading], AskedCanary] | None = None,
    ) -> None:
        self.book = self.live = book
        self.deps = deps
        self.canaries: tuple[CanaryFound, ...] = ()
        self._vocabulary = vocabulary
        self._known = dict(known or {})
        self._ended: dict[str, Ended] = {}

    async def mended(self, mend: Mend) -> Bench:
        """The same with a mend, at the threshold that its canary questions settle. Raises Unavailable."""
        policy = mended(self.book.policy, mend)
        glossary = glossary_of(self._vocabulary, policy)
        other = Bench(
            replace(self.book, policy=policy, glossary=glossary), self._vocabulary, self.deps, self._known
        )
        await other.settle()
        self._known |= other._known
        return other

    async def settle(self) -> None:
        """Ask the canary questions not known yet, and set the threshold by all. Raises Unavailable."""
        policy = self.book.policy
        asked = [await self._canary(one, "answer") for one in policy.canary_answer]
        asked += [await self._canary(one, "refuse") for one in policy.canary_refuse]
        if asked:
            found = weighed(asked, self.deps.sufficiency)
            self.book = replace(self.book, sufficiency_threshold=found.threshold)
            self.canaries = found.canaries

    async def _canary(self, question: str, wish: Wish) -> AskedCanary:
        key = question, self.reading(question)
        if key not in self._known:
            assessor = Assessor(self.deps.reader, self.deps.sufficiency, refuses=False)
            self._known[key] = await ask_canary(question, wish, self.book, self.deps.embedder, assessor)
        return replace(self._known[key], wish=wish)

    @property
    def threshold(self) -> float:
        """The sufficiency that is asked of evidence."""
        return self.deps.sufficiency.bar(self.book.sufficiency_threshold, refuses=False)

    async def ask(self, question: str) -> Ended:
        """How a question ends, looked at once. Raises InvalidRequest for what is none, Unavailable."""
        if question not in self._ended:
            asked = validation.question(
                question, None, query_id=uuid4(), session_id=uuid4(), client_id="author"
            )
            outcome = await decide(asked, self.book, Trace(asked), Deadline(pace=PACE), self.deps)
            self._ended[question] = _ended(outcome)
        return self._ended[question]

    def reading(self, question: str) -> Reading:
        """How the book's vocabulary and its author read a question."""
        parts = plan(question, self.book.glossary)
        return tuple((one, place_of(one.query, self.book.policy)) for one in parts)


async def tried(
    mend: Mend, live: Bench, putting: Iterable[Putting], told: Told = lambda done, of: None
) -> Trial:
    """Ask questions with and without the mend. Raises Unavailable.

    Where the threshold stays, a question that is read as before is answered as before: it is not asked again.
    """
    questions = list(_once(putting))
    with_mend = await live.mended(mend)
    moved = with_mend.threshold != live.threshold
    touched = [
        one for one in questions if moved or live.reading(one.question) != with_mend.reading(one.question)
    ]
    changes = []
    for done, one in enumerate(touched):
        told(done, len(touched))
        change = Change(one, await live.ask(one.question), await with_mend.ask(one.question))
        if change.before != change.after:
            changes.append(change)
    told(len(touched), len(touched))
    return Trial(
        asked=len(questions),
        touched=len(touched),
        changes=sorted(changes, key=lambda one: (not one.unwanted, one.kind)),
        threshold=(live.threshold, with_mend.threshold),
        canaries=_worse(live.canaries, with_mend.canaries),
    )


def _worse(before: Iterable[CanaryFound], after: Iterable[CanaryFound]) -> list[CanaryFound]:
    fine = {one.question for one in before if one.remedy is None}
    return [one for one in after if one.remedy is not None and one.question in fine]


def _once(putting: Iterable[Putting]) -> Iterator[Putting]:
    """Each question once, that with a wish first; none that cannot be asked."""
    seen: set[str] = set()
    for one in sorted(putting, key=lambda one: one.wish is None):
        if one.question not in seen and _can_be_asked(one.question):
            seen.add(one.question)
            yield one


def _can_be_asked(question: str) -> bool:
    try:
        validation.question(question, None, query_id=uuid4(), session_id=uuid4(), client_id="author")
    except InvalidRequest:
        return False
    return True


def _ended(outcome: Outcome) -> Ended:
    if not isinstance(outcome, Answered):
        return Ended(answered=False, reason=outcome.reason.value)
    return Ended(
        answered=True,
        reason=None,
        text=" ".join(one.text for one in outcome.sentences),
        places=tuple(
            dict.fromkeys(f"{one.section.title} (page {one.passage.page})" for one in outcome.sources)
        ),
        excerpts=tuple(one.excerpt for one in outcome.sources),
    )
