"""The reader's model card: data, licences, hashes, commands, figures, and what it is bad at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment

from bookbound.evaluation.rates import Rate
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.model import ConfidenceLevel
from evaluation import books_page
from evaluation.asked_books import Outcome
from training.reader import claims
from training.reader.encoding import LABELS
from training.reader.examples import PUBLIC, Example
from training.reader.halves import all_books
from training.reader.network import LAYERS, WIDTH, weights
from training.reader.recipe import ON_OWN, ON_PUBLIC, TEACHERS, Workshop
from training.reader.sections import hash_of

LICENCES = {
    "squadshifts-wiki": "SQuADShifts, new Wikipedia: text CC BY-SA",
    "squad": "SQuAD 2.0 and 1.1: CC BY-SA 4.0 (copies under MIT and GPL-3.0)",
    "qnli": "QNLI, of SQuAD: CC BY-SA 4.0",
    "fairytaleqa": "FairytaleQA: Apache-2.0",
    "qed": "QED: CC BY-SA 3.0",
    "covid-qa": "COVID-QA: Apache-2.0",
}

CLAIM_LICENCES = {
    "fever": "FEVER: Wikipedia, CC BY-SA 3.0",
    "fever-symmetric": "FeverSymmetric: MIT; Wikipedia, CC BY-SA 3.0",
    "climate-fever": "CLIMATE-FEVER: Wikipedia, CC BY-SA",
    "fool-me-twice": "Fool Me Twice: Apache-2.0",
    "mnli": "MultiNLI: OANC",
    "snli": "SNLI: CC BY-SA 4.0",
    "q-squared": "Q²: MIT",
    "summedits": "SummEdits: Apache-2.0",
    "factcg-doc-synthetic": "FactCG: MIT (made by a language model)",
}

_TEMPLATE = Path(__file__).with_name("card.md.j2")


@dataclass(frozen=True, slots=True)
class Row:
    """A data set of the card: rows that trained, and of these those that a passage answers."""

    name: str
    examples: int
    answerable: int
    licence: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What was fitted and measured: on left-out books, but for `fidelity`, which is of public dev data."""

    fitted: SufficiencyModel
    fidelity: Mapping[str, Any]
    read: Mapping[str, Rate]
    outcomes: Mapping[str, Sequence[Outcome]]
    levels: Mapping[ConfidenceLevel, Rate]


def page(shop: Workshop, measured: Measured, model: Path) -> str:
    """Return the card of a model's file as Markdown."""
    environment = Environment(keep_trailing_newline=True)
    return environment.from_string(_TEMPLATE.read_text("utf-8")).render(
        size=model.stat().st_size,
        sha256=_hash(model),
        base=sha256(weights()).hexdigest()[:16],
        layers=LAYERS,
        width=WIDTH,
        public=[*_public(shop)],
        own=[*_own(shop)],
        teacher=TEACHERS,
        labels=LABELS,
        schedules=(ON_PUBLIC, ON_OWN),
        fitted=measured.fitted,
        fidelity=measured.fidelity,
        read=measured.read,
        levels=measured.levels,
        public_claims=[*_public_claims(shop)],
        own_claims=[*_own_claims(shop)],
        found=books_page.figures(measured.outcomes, {}, {}),
    )


def _public(shop: Workshop) -> list[Row]:
    of: dict[str, list[Example]] = {name: [] for name in PUBLIC}
    for row in shop.public("train"):
        of[row["group"]].append(row)
    return [
        _row(name, rows, _licence(name), _hash(shop.reading / f"{name}.jsonl")) for name, rows in of.items()
    ]


def _own(shop: Workshop) -> list[Row]:
    return [
        _row(
            book,
            shop.own(book),
            "CC BY 4.0",
            _hash(Path(f"training/questions/{book}.jsonl")),
        )
        for book in all_books()
    ]


def _public_claims(shop: Workshop) -> list[Row]:
    of: dict[str, list[Example]] = {name: [] for name in claims.PUBLIC}
    for row in shop.public_claims("train"):
        of[row["group"]].append(row)
    return [
        _claim_row(name, rows, CLAIM_LICENCES[name], _hash(shop.support / f"{name}.jsonl"))
        for name, rows in of.items()
    ]


def _own_claims(shop: Workshop) -> list[Row]:
    return [
        _claim_row(book, shop.own_claims(book), "CC BY 4.0", _hash(Path(f"training/claims/{book}.jsonl")))
        for book in all_books()
    ]


def _claim_row(name: str, rows: Sequence[Example], licence: str, hashed: str) -> Row:
    return Row(name, len(rows), sum(row["supported"] for row in rows), licence, hashed)


def _row(name: str, rows: Sequence[Example], licence: str, hashed: str) -> Row:
    answers = Counter(row["answers"] for row in rows)
    return Row(name, len(rows), answers[1], licence, hashed)


def _licence(name: str) -> str:
    return next(text for start, text in LICENCES.items() if name.startswith(start))


def _hash(path: Path) -> str:
    return hash_of(path)[:16]
