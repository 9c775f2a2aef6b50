"""Examples that the reader learns from: a question, what is read, whether and where that answers.

Public reading data and our own questions come to the same form, which is the product's own: what stands
above, then units. An example is a dict, kept as a line of JSON.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bookbound.evaluation.literal import readable
from bookbound.evidence.reading import LONGEST, promise
from bookbound.text.sentences import sentence_spans
from training import books as open_books
from training import lines as written
from training.lines import Line
from training.reader.corpus import Corpus, embedded, load, read_of
from training.reader.marking import Marked, is_evidence, marked, may_hold

Example = dict[str, Any]
"""question; above; texts; labels (1 where a unit answers, None where nobody said); answers (0, 1, or -1 where
nobody said); weight; span ([unit, start, end] of a short answer, or None); source; group (book or file)."""

TABLES = "tables"
"""Group of the examples that are questions to tables; a batch has only such, or none."""

PUBLIC = {
    "squad-dev": 1.0,
    "squad-dev-constructed": 1.0,
    "squad-train-part": 1.0,
    "squad-train-part-constructed": 1.0,
    "squad-sample": 1.0,
    "squad-sample-constructed": 0.7,
    "qnli": 1.0,
    "squadshifts-wiki": 1.0,
    "squadshifts-wiki-constructed": 0.7,
    "fairytaleqa": 0.6,
    "fairytaleqa-constructed": 0.6,
    "qed": 1.0,
    "covid-qa": 1.0,
}
"""Public files that train, and the share of their rows that is taken. Data under NonCommercial or research
licences (SciQ, WikiQA, MS MARCO's passages in CAsT, OPP-115 in PolicyQA) and reviews are left out."""

CONSTRUCTED_WEIGHT = 0.6
"""Weight of a negative made by rule: some of them answer in other words."""

PARTLY = 0.25
"""Share of an evidence quote above which a window without all of it is neither example nor counterexample."""

NARROW = ("near_miss", "table")
"""Kinds of questions that a book narrowly fails to answer."""

DEPTH = 12
"""Windows of a search among which wrong ones are taken."""

LOOKED_AT, FURTHER = 20, 6
"""Windows of a search among which some are taken that nobody labelled, for a teacher; and how many."""

# --- public data ----------------------------------------------------------------------------------


def public(folder: Path, split: str, seed: int) -> Iterator[Example]:
    """The examples of public reading data, in a fixed random order."""
    for row, name, drawn in public_rows(folder, PUBLIC, split, seed):
        yield from _of_row(row, name, drawn)


def public_rows(
    folder: Path, shares: Mapping[str, float], split: str, seed: int
) -> Iterator[tuple[Line, str, random.Random]]:
    """A share of each public file's rows of a split, all of "dev"; with the file's name and its chance."""
    for name, share in shares.items():
        drawn = random.Random(f"{seed} {name}")
        with (folder / f"{name}.jsonl").open(encoding="utf-8") as file:
            rows = [row for row in map(json.loads, file) if row["split"] == split]
        for row in rows:
            if split == "dev" or drawn.random() < share:
                yield row, name, drawn


def _of_row(row: Line, name: str, drawn: random.Random) -> Iterator[Example]:
    passage = row["passage"]
    pieces = _sentences(passage)
    spans = [(one["start"], one["start"] + len(one["text"])) for one in row["answers"]]
    marks = [int(any(a < end and start < b for a, b in spans)) for start, end in pieces]
    answers = int(row["answerable"])
    first = _around(pieces, marks)
    kept = pieces[first:]
    while sum(end - start for start, end in kept) > LONGEST + 300 and len(kept) > 1:
        kept = kept[:-1]
    marks = marks[first : first + len(kept)]
    if answers and spans and not any(marks):
        return
    span = None
    if answers and spans:
        start, end = spans[0]
        held = [n for n, (a, b) in enumerate(kept) if a <= start and end <= b]
        span = [held[0], start - kept[held[0]][0], end - kept[held[0]][0]] if held else None
    title = plain_title(row)
    yield {
        "question": row["question"],
        "above": title if len(title) < 80 and drawn.random() < 0.7 else "",
        "texts": [passage[a:b] for a, b in kept],
        "labels": (marks if spans else None) if answers else [0] * len(kept),
        "answers": answers,
        "weight": CONSTRUCTED_WEIGHT if row["negative"] == "constructed" else 1.0,
        "span": span,
        "source": row["negative"] or "answerable",
        "group": name,
    }


def plain_title(row: Line) -> str:
    """A row's title with spaces between its words; empty where it has none."""
    return re.sub(r"[_\s]+", " ", row.get("title") or "")


def _sentences(passage: str) -> list[tuple[int, int]]:
    return sentence_spans(passage) or [(0, len(passage))]


def _around(pieces: Sequence[tuple[int, int]], marks: Sequence[int]) -> int:
    """The first sentence to read, so that the answer of a long passage is read too."""
    if not any(marks) or pieces[-1][1] <= LONGEST + 300:
        return 0
    first = marks.index(1)
    while first and pieces[marks.index(1)][1] - pieces[first - 1][0] < LONGEST // 2:
        first -= 1
    return first


# --- our own questions ----------------------------------------------------------------------------


def own(root: Path, book: str, kept: Path, seed: int) -> list[Example]:
    """The examples of one open book: windows with the evidence, and the wrong ones that a search finds."""
    corpus = load(root / book / "docs", book, kept)
    text = open_books.read(root, book)
    stored = written.questions(book) + written.to_tables(book)
    lines = [written.readable_question(line, text) for line in stored]
    vectors = embedded([line["question"] for line in lines], kept)
    drawn = random.Random(f"{seed} {book}")
    return [
        example | {"group": book, "id": line["id"], "kind": line["kind"]}
        for line, vector in zip(lines, vectors, strict=True)
        for example in _of_line(line, vector, corpus, drawn)
    ]


def unlabelled(root: Path, book: str, kept: Path, seed: int, labelled: Sequence[Example]) -> list[Example]:
    """Further windows that a search of an open book finds for its questions; nobody said what they answer."""
    corpus = load(root / book / "docs", book, kept)
    known = {(one["question"], tuple(one["texts"])) for one in labelled}
    questions = list({one["question"]: one["id"] for one in labelled if one["source"] != "selection"}.items())
    vectors = embedded([question for question, _ in questions], kept)
    drawn = random.Random(f"{seed} further {book}")
    found = []
    for (question, name), vector in zip(questions, vectors, strict=True):
        nearest = order(*corpus.found(question, vector))[:LOOKED_AT]
        read = [one for at in nearest for one in read_of(corpus.windows[at])]
        others = [one for one in read if (question, tuple(one[1])) not in known]
        for above, texts in drawn.sample(others, min(FURTHER, len(others))):
            made = example(question, (above, texts, None), -1, "further")
            found.append(made | {"group": book, "id": name, "kind": "further"})
    return found


def _of_line(line: Line, vector: Any, corpus: Corpus, drawn: random.Random) -> Iterator[Example]:
    if line["selected_text"]:
        yield from _of_selection(line)
        return
    nearest = order(*corpus.found(line["question"], vector))[:DEPTH]
    if line["expect"] == "refuse":
        most = 6 if line["kind"] in NARROW else 2
        for at in sorted(drawn.sample(range(len(nearest)), min(most, len(nearest)))):
            yield from _negatives(line, read_of(corpus.windows[nearest[at]]), "near miss")
        return
    quotes = line["evidence"] + line["also_in"]
    here = ((at, window) for at, window in enumerate(corpus.windows) if may_hold(window, quotes))
    read = {at: marked(window, quotes) for at, window in here}
    whole = [at for at, (_, share) in read.items() if share >= 0.6]
    ranks = {int(at): rank for rank, at in enumerate(nearest)}
    for at in sorted(whole, key=lambda at: ranks.get(at, 99))[:2]:
        yield from _positives(line, read[at][0])
    partly = {at for at, (_, share) in read.items() if share > 0}
    wrong = [at for at in nearest if at not in partly]
    for at in sorted(drawn.sample(range(len(wrong)), min(4, len(wrong)))):
        yield from _negatives(line, read_of(corpus.windows[wrong[at]]), "found")


def _of_selection(line: Line) -> Iterator[Example]:
    text = readable(line["selected_text"])
    pieces = [text[a:b] for a, b in _sentences(text)]
    answers = int(line["expect"] == "answer")
    labels = [int(is_evidence(piece, line["evidence"])) for piece in pieces]
    if answers and not any(labels):
        return
    yield example(
        line["question"], ("", pieces, labels if answers else [0] * len(pieces)), answers, "selection"
    )


def _positives(line: Line, read: Iterable[Marked]) -> Iterator[Example]:
    for above, texts, labels in read:
        if any(labels):
            yield example(line["question"], (above, texts, labels), 1, "evidence")
            rest = [text for text, label in zip(texts, labels, strict=True) if not label]
            if len(rest) >= 2:
                without = example(line["question"], (above, rest, [0] * len(rest)), 0, "removed")
                yield without | {"weight": CONSTRUCTED_WEIGHT}


def _negatives(line: Line, read: Iterable[tuple[str, list[str]]], source: str) -> Iterator[Example]:
    for above, texts in read:
        yield example(line["question"], (above, texts, [0] * len(texts)), 0, source)


def example(
    question: str, read: tuple[str, list[str], list[int] | None], answers: int, source: str
) -> Example:
    """An example of full weight; `read` is what stands above, the texts of the units, and their labels."""
    above, texts, labels = read
    return {
        "question": question,
        "above": above,
        "texts": texts,
        "labels": labels,
        "answers": answers,
        "weight": 1.0,
        "span": None,
        "source": source,
    }


def order(cosines: Any, words: Any) -> Any:
    """Indices of windows in the order in which the product reads them."""
    return np.argsort(-promise(cosines, words), kind="stable")
