"""The passages nearest to each near miss, by meaning and by words, for whoever reviews it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from training.lines import Line
from training.pointers import Book

LONGEST = 700
"""Characters of a passage, about what the embedder reads."""

SHOWN = 300
"""Characters of a passage that are listed."""

Passage = tuple[str, str]
"""File and text, its heading in front."""


def passages(book: Book) -> Iterator[Passage]:
    """Yield the book's sections, cut into runs of whole lines."""
    for file, text in book.items():
        heading, run = "", ""
        for line in text.split("\n"):
            starts = re.match(r"#{1,6} ", line)
            if run.strip() and (starts or len(run) > LONGEST):
                yield file, f"{heading}. {run.strip()}"
                run = ""
            heading = line.strip("# ") if starts else heading
            run += line + "\n"
        if run.strip():
            yield file, f"{heading}. {run.strip()}"


def listing(asked: Sequence[Line], book: Book, at: int) -> str:
    """Return every near miss with what its author searched for and the `at` passages nearest to it."""
    found = list(passages(book))
    texts = [text for _, text in found]
    embedder, words = MiniLmEmbedder(), TfidfVectorizer(sublinear_tf=True, stop_words="english")
    vectors, weights = np.array(embedder.embed(texts)), words.fit_transform(texts)
    blocks = []
    for line in (line for line in asked if line["kind"] == "near_miss"):
        meaning = vectors @ np.array(embedder.embed([line["question"]])[0])
        wording = (weights @ words.transform([line["question"]]).T).toarray()[:, 0]
        pairs = zip(np.argsort(-meaning)[:at], np.argsort(-wording)[:at], strict=True)
        best = list(dict.fromkeys(int(place) for pair in pairs for place in pair))[:at]
        shown = "\n".join(f"  [{found[place][0]}] {' '.join(texts[place].split())[:SHOWN]}" for place in best)
        checked = line["checked"]
        why = f"{checked['why']} (searched: {'; '.join(checked['searched'])})"
        blocks.append(f"{line['id']}  {line['question']}\n  {why}\n{shown}")
    return "\n\n".join(blocks) + "\n"
