"""Outcomes of the open books' questions, kept by book, so that a stopped measure resumes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Shown:
    """What an answer shows: a sentence, and the section of the source that it cites first."""

    text: str
    section: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a question, with the scores that cut-offs are compared to.

    Attributes:
        right: whether the answer shows a right source; None where that is not judged.
        points, points_of: answer points that the answer holds, of how many.
        to_the_point, sentences: sentences of the answer that are evidence, of how many.
        evidence_rank: place of the first candidate that is evidence, from 1; None when none is.
        selected: whether it was asked about selected text.
        scores: by method; -inf where no threshold lets an answer through.
        reaches: whether the gates let it through to a generator that can refuse by itself (G12).
        given: whether evidence was among the passages that such a generator would get.
        shown: the answer's sentences, in order.
    """

    id: str
    kind: str
    expect: str
    failed: bool
    answered: bool
    right: bool | None
    points: int
    points_of: int
    level: str | None
    evidence_rank: int | None
    selected: bool
    scores: Mapping[str, float]
    to_the_point: int = 0
    sentences: int = 0
    reaches: bool = False
    given: bool = False
    shown: tuple[Shown, ...] = ()


PeerScores = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Peer → book → question id → the best score of its retrieval."""


class BookRuns:
    """Folders below `root`: a file of outcomes per book, and one per peer."""

    def __init__(self, root: Path) -> None:
        self._root = root / "outcomes"
        self._root.mkdir(parents=True, exist_ok=True)

    def of(self, models: str) -> None:
        """Forget outcomes of other models, and of another form: figures are of one. Peers' scores stay."""
        known = self._root / "models"
        wanted = f"{models}{[field.name for field in fields(Outcome)]}\n"
        if not known.exists() or known.read_text("utf-8") != wanted:
            for path in self._root.glob("*.jsonl"):
                path.unlink()
            known.write_text(wanted, "utf-8")

    def outcomes(self, book: str) -> list[Outcome]:
        """Return the known outcomes of a book; a half-written last line is left out."""
        path = self._root / f"{book}.jsonl"
        lines = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
        return [_outcome(json.loads(line)) for line in lines]

    def add(self, book: str, outcomes: Iterable[Outcome]) -> None:
        """Append outcomes of a book."""
        with (self._root / f"{book}.jsonl").open("a", encoding="utf-8") as file:
            file.writelines(map(_line, outcomes))

    def keep_only(self, book: str, wanted: Collection[str]) -> None:
        """Drop outcomes of questions that are no longer in the set; the order becomes that of the set."""
        known = {outcome.id: outcome for outcome in self.outcomes(book)}
        kept = "".join(_line(known[each]) for each in wanted if each in known)
        aside = self._root / f".{book}.jsonl"
        aside.write_text(kept, "utf-8")
        aside.replace(self._root / f"{book}.jsonl")

    def peers(self, books: Sequence[str]) -> PeerScores:
        """The scores that `python -m benchmarks.books` left, of peers that were asked all these books."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for folder in sorted(path for path in self._root.iterdir() if path.is_dir()):
            scores = {book: self.peer_scores(folder.name, book) for book in books}
            found[folder.name] = {book: of for book, of in scores.items() if of}
        return found

    def keep_peer(self, peer: str, book: str, scores: Mapping[str, float]) -> None:
        """Keep a peer's scores of a book's questions."""
        (self._root / peer).mkdir(exist_ok=True)
        (self._root / peer / f"{book}.json").write_text(json.dumps(dict(scores)), "utf-8")

    def peer_scores(self, peer: str, book: str) -> dict[str, float]:
        """Return a peer's scores by question id; empty for a book that it was not asked."""
        path = self._root / peer / f"{book}.json"
        return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _outcome(stored: dict[str, Any]) -> Outcome:
    return Outcome(**stored | {"shown": tuple(Shown(**one) for one in stored["shown"])})


def _line(outcome: Outcome) -> str:
    return json.dumps(asdict(outcome)) + "\n"
