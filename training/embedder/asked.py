"""What the embedder learns from: passages, each with questions that it answers.

Our own questions on the training books with the windows that hold their evidence, the answered ones of our
twins of questions, half of them in a beginner's words, and questions of public reading data.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bookbound.evaluation.judging import holds
from bookbound.model import Window
from training import books as open_books
from training import lines as written
from training.lines import Line
from training.reader.claims import rows_of
from training.reader.corpus import Corpus, embedded, load
from training.reader.examples import order, plain_title, public_rows
from training.windows import read_at

PEAK, PASSES, TOGETHER = 5e-5, 1, 32
"""The highest rate of learning, passes over all passages, and passages of a batch."""

BEGUN = 0.25
"""Share of the published weights in those that ship: the mean forgets less of what they knew (Wortsman et al.
2022)."""

PUBLIC = {
    "squadshifts-wiki": 0.6,
    "squad-sample": 0.6,
    "squad-train-part": 0.6,
    "squad-dev": 0.6,
    "qed": 1.0,
    "fairytaleqa": 0.4,
}
"""Public files that train, and the share of their rows that is taken: those that teach the reader too."""

WIDELY = 8
"""Windows that hold a question's evidence, at most: what stands in more of them is a heading or a phrase."""

NEAREST = 30
"""Windows of a search among which those are that do not answer, …"""

WRONG = 12
"""… and how many of them are kept."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with questions that it answers.

    Attributes:
        group: the book, or the file and title: passages of one group lie near each other.
        title: what may stand above the text; empty where nothing does.
        wrong: for each question the passages that a search finds and that do not answer it.
        others: for each question further passages that answer it, and that are not to be held against it.
    """

    group: str
    title: str
    text: str
    questions: tuple[str, ...]
    wrong: tuple[tuple[str, ...], ...] = ()
    others: tuple[frozenset[str], ...] = ()


def of_books(root: Path, names: Sequence[str], kept: Path) -> list[Passage]:
    """The windows of the open books that answer our own questions. Raises ValueError for one that judges."""
    written.check_that_train(names)
    found: list[Passage] = []
    for name in names:
        corpus = load(root / name / "docs", name, kept)
        text = open_books.read(root, name)
        lines = [written.readable_question(line, text) for line in written.questions(name)]
        asked = [line for line in lines if line["expect"] == "answer" and not line["selected_text"]]
        found += _of_book(name, corpus, asked, kept)
    return found


def _of_book(name: str, corpus: Corpus, asked: Sequence[Line], kept: Path) -> Iterator[Passage]:
    by_window: defaultdict[int, list[tuple[str, list[int], list[int]]]] = defaultdict(list)
    vectors = embedded([line["question"] for line in asked], kept)
    for line, vector in zip(asked, vectors, strict=True):
        right = answering(corpus.windows, line)
        if right and len(right) <= WIDELY:
            found = order(*corpus.found(line["question"], vector))[:NEAREST]
            wrong = [int(at) for at in found if int(at) not in right][:WRONG]
            by_window[right[0]].append((line["question"], wrong, right))
    for at, of_window in by_window.items():
        yield Passage(
            name,
            "",
            corpus.windows[at].embedded_text,
            tuple(question for question, _, _ in of_window),
            tuple(_texts(corpus, wrong) for _, wrong, _ in of_window),
            tuple(frozenset(_texts(corpus, right)) for _, _, right in of_window),
        )


def _texts(corpus: Corpus, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(corpus.windows[at].embedded_text for at in places)


def answering(windows: Sequence[Window], line: Line) -> list[int]:
    """The windows that hold one of a question's evidence quotes, in reading order."""
    quotes = line["evidence"] + line["also_in"]
    return [
        at
        for at, window in enumerate(windows)
        if any(
            one["file"] == window.passage.document
            and holds(window.passage.text[window.start : window.end], one["quote"])
            for one in quotes
        )
    ]


def of_twins(root: Path, reading: Path) -> list[Passage]:
    """The passages of twins, with the question of each pair that they answer."""
    lines = written.twins("train")
    in_files, in_books = ([one for one in lines if name in one] for name in ("row", "book"))
    rows = rows_of(reading, in_files)
    asked: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for line in in_files:
        row = rows[line["file"], line["row"]]
        asked[_place(line["file"], row)].append(line["answered"])
    for line in in_books:
        above, texts = read_at(root, line["book"], written.pointer(line["evidence"][0]))
        asked[line["book"], above, " ".join(texts)].append(line["answered"])
    return [Passage(*place, tuple(questions)) for place, questions in asked.items()]


def of_public(reading: Path, seed: int) -> list[Passage]:
    """Public passages with the questions that they answer."""
    asked: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row, name, _ in public_rows(reading, PUBLIC, "train", seed):
        if row["answerable"]:
            asked[_place(name, row)].append(row["question"])
    return [Passage(*place, tuple(questions)) for place, questions in asked.items()]


def _place(file: str, row: Line) -> tuple[str, str, str]:
    """A row's group, title and text. One title is a group, or one matter of ours ("Taxes: who pays")."""
    title = plain_title(row)
    return f"{file}: {title.partition(':')[0]}", title, row["passage"]


def batches(passages: Sequence[Passage], size: int, seed: int) -> list[list[Passage]]:
    """All passages once, those of a group together."""
    drawn = random.Random(seed)
    groups: defaultdict[str, list[Passage]] = defaultdict(list)
    for one in passages:
        groups[one.group].append(one)
    shuffled = [drawn.sample(some, len(some)) for some in groups.values()]
    drawn.shuffle(shuffled)
    row = [one for some in shuffled for one in some]
    found = [row[at : at + size] for at in range(0, len(row), size)]
    drawn.shuffle(found)
    return found


# --- as hurried hands type ------------------------------------------------------------------------

TYPED = 0.15
"""Share of the questions that are mistyped."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def mistyped(question: str, drawn: random.Random) -> str:
    """Return a question with one to three slips of the hand, half of them all in small letters."""
    marks = list(question.lower() if drawn.random() < 0.5 else question)
    for _ in range(drawn.choice((1, 1, 2, 3))):
        at = drawn.randrange(1, max(2, len(marks) - 1))
        if at < len(marks) and marks[at].isalpha():
            _slip(marks, at, drawn)
    return "".join(marks)


def _slip(marks: list[str], at: int, drawn: random.Random) -> None:
    kind = drawn.choice(("lost", "swapped", "doubled", "other"))
    if kind == "lost":
        del marks[at]
    elif kind == "swapped":
        marks[at - 1], marks[at] = marks[at], marks[at - 1]
    elif kind == "doubled":
        marks.insert(at, marks[at])
    else:
        marks[at] = drawn.choice(_LETTERS)
