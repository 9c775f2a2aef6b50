"""The choice between a table and the text, fitted on books whose tables taught the reader nothing (T1).

Questions to these books' tables, narrow near misses among them, and questions to their text are asked of the
product, which answers from the text alone. What its tables would have offered is noted, and whether either
was right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from bookbound.adapters.bundled.reader import BundledReader
from bookbound.evaluation.fitting import standardised_logistic
from bookbound.evaluation.judging import Run, judge
from bookbound.evaluation.questions import Labelled
from bookbound.evidence.sufficiency import shipped
from bookbound.evidence.table_choice import FEATURES, Offer, TableChoice
from bookbound.local import asking
from bookbound.text.scoring import FittedOn
from evaluation.gate import PACE, AsShipped
from evaluation.requests import holds, shows
from training import books as open_books
from training import lines as written
from training.reader import table_examples as to_tables
from training.reader.left_out import product

TO_TABLES = to_tables.HOME / "asked"
TO_TEXT = to_tables.HOME / "text"
RIDGE = 10.0
COMMAND = "python -m training.reader.tables BOOKS"

Say = Callable[[str, int, int], None]

_LABELLED = TypeAdapter(Labelled)


@dataclass(frozen=True, slots=True)
class Told:
    """A question, what tables offered, and what came of the text.

    Attributes:
        kind: "table" for a question that a table answers, "text" for one that the text does, "neither".
        offer: FEATURES of what the nearest table offers, and whether its rows answer; None for nothing.
        text: whether what the text came to was shown, and whether that was right.
    """

    book: str
    kind: str
    offer: tuple[dict[str, float], bool] | None
    text: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Noting(TableChoice):
    """Takes no offer, and notes it."""

    noted: list[Offer | None] = field(default_factory=list)

    def choose(self, offered: Offer | None, bar: float) -> Offer | None:
        """None; one note per part of a question."""
        self.noted.append(offered)
        return None


@dataclass(frozen=True, slots=True)
class ToTable:
    """A question that a table's `cells` answer, or, where there are none, that no table does."""

    question: str
    cells: tuple[str, ...]

    @property
    def kind(self) -> str:
        """As `Told.kind`."""
        return "table" if self.cells else "neither"

    def is_offered(self, offer: Offer) -> bool:
        """Whether an offer's rows hold the cells."""
        return bool(self.cells) and holds((" | ".join(row.cells) for row in offer.rows), self.cells)

    def is_shown(self, run: Run) -> bool:
        """Whether a response shows the cells."""
        return bool(self.cells) and run.response is not None and shows(run.response, self.cells)


@dataclass(frozen=True, slots=True)
class ToText:
    """A question to the text, which no table answers."""

    labelled: Labelled

    @property
    def question(self) -> str:
        """Its text."""
        return self.labelled.question

    @property
    def kind(self) -> str:
        """As `Told.kind`."""
        return "text" if self.labelled.expect == "answer" else "neither"

    def is_offered(self, _offer: Offer) -> bool:
        """False."""
        return False

    def is_shown(self, run: Run) -> bool:
        """Whether a response shows a source that the label names."""
        return judge(self.labelled, Run(self.labelled.id, run.response), None).right is True


def questions(books: Path, book: str) -> list[ToTable | ToText]:
    """The questions to a book: to its tables by authors who asked the whole book, and to its text."""
    text = open_books.read(books, book)
    of_tables = (*written.to_tables(book), *written.stored(TO_TABLES / f"{book}.jsonl"))
    of_text = (written.readable_question(line, text) for line in written.stored(TO_TEXT / f"{book}.jsonl"))
    return [
        *(ToTable(line["question"], tuple(line["cells"])) for line in of_tables),
        *(ToText(_LABELLED.validate_python(line)) for line in of_text),
    ]


def ask(settings: AsShipped, model: Path, asked: Sequence[ToTable | ToText], say: Say) -> list[Told]:
    """Ask every question of a book, with the reader of a folder."""
    return asyncio.run(_ask(settings, model, asked, say))


async def _ask(settings: AsShipped, model: Path, asked: Sequence[ToTable | ToText], say: Say) -> list[Told]:
    noting = Noting({}, 0.0)
    told = []
    async with product(settings, BundledReader(model), replace(shipped(), tables=noting)) as answer:
        for at, one in enumerate(asked, 1):
            noting.noted.clear()
            response = asking.response(await asking.ask(answer, one.question, pace=PACE))
            say(f"ask {settings.book}", at, len(asked))
            # A question in parts, or one that the words of a table account for, leaves no choice to fit.
            if len(noting.noted) == 1:
                [made] = noting.noted
                offer = (made.features, one.is_offered(made)) if made else None
                text = not response["was_refusal"], one.is_shown(Run(str(at), response))
                told.append(Told(str(settings.book), one.kind, offer, text))
    return told


# --- the fit --------------------------------------------------------------------------------------


def fit(told: Sequence[Told]) -> TableChoice:
    """The probability that a table's rows answer, by FEATURES."""
    offers = [one.offer for one in told if one.offer]
    values = np.array([[features[name] for name in FEATURES] for features, _ in offers])
    labels = np.array([float(right) for _, right in offers])
    *weights, intercept = (round(float(one), 4) for one in standardised_logistic(values, labels, RIDGE))
    return TableChoice(dict(zip(FEATURES, weights, strict=True)), intercept, tuple(_sources()), COMMAND)


def _sources() -> Iterator[FittedOn]:
    for folder in (TO_TABLES, TO_TEXT):
        stored = [path.read_bytes() for path in sorted(folder.glob("*.jsonl"))]
        rows = sum(one.count(b"\n") for one in stored)
        yield FittedOn(f"tables/{folder.name}/*.jsonl", rows, sha256(b"".join(stored)).hexdigest())


@dataclass(frozen=True, slots=True)
class Worth:
    """Questions that are answered rightly, and wrongly or in vain, from the text alone and with tables."""

    name: str
    questions: int
    right: tuple[int, int]
    wrong: tuple[int, int]


def worth(told: Sequence[Told]) -> list[Worth]:
    """By kind of question; each book judged by what was fitted on the others."""
    found: dict[str, list[tuple[tuple[bool, bool], tuple[bool, bool]]]] = {}
    for book in dict.fromkeys(one.book for one in told):
        choice = fit([one for one in told if one.book != book])
        for one in (each for each in told if each.book == book):
            found.setdefault(one.kind, []).append((one.text, _chosen(choice, one)))
    return [
        Worth(
            kind,
            len(pairs),
            (sum(text[1] for text, _ in pairs), sum(both[1] for _, both in pairs)),
            (sum(text[0] > text[1] for text, _ in pairs), sum(both[0] > both[1] for _, both in pairs)),
        )
        for kind, pairs in sorted(found.items())
    ]


def _chosen(choice: TableChoice, told: Told) -> tuple[bool, bool]:
    """Whether an answer is shown, and whether it is right, with the choice."""
    features, right = told.offer or ({}, False)
    taken = bool(features) and choice.score(features) >= shipped().threshold
    return (True, right) if taken else told.text
