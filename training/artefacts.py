"""What wording alone betrays: a bag-of-words classifier that never sees a book (scikit-learn)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import make_pipeline

from training import drafts
from training.lines import Line

TELLING = 12
"""Words that are shown."""

_WORD = r"(?u)\b\w+\b|\?"
_PLAIN = tuple(kind for kind in drafts.ANSWERED if kind not in drafts.SELECTED)

Found = tuple[str, float, str]
"""What is told apart, the AUROC in [0, 1], and the words that tell most."""


def of(
    asked: Mapping[str, Sequence[Line]],
    claimed: Mapping[str, Sequence[Line]],
    paired: Mapping[str, Sequence[Line]],
) -> Iterator[Found]:
    """Yield how well near misses, and false claims, are told by their words; whole books are left out.

    Questions about selected text, far ones and orders are left out: the first have a passage of their own,
    the others are meant to be told.
    """
    questions = [
        (line["question"], line["kind"] == "near_miss", name)
        for name, lines in asked.items()
        for line in lines
        if line["kind"] in (*_PLAIN, "near_miss")
    ]
    yield "near misses", *_told(questions)
    for kind, told in (("false claims", claimed), ("false claims of pairs", paired)):
        claims = [(line["claim"], not line["label"], name) for name, lines in told.items() for line in lines]
        yield kind, *_told(claims)


def _told(rows: Sequence[tuple[str, bool, str]]) -> tuple[float, str]:
    texts, labels, groups = zip(*rows, strict=True)
    words = CountVectorizer(binary=True, ngram_range=(1, 2), min_df=3, token_pattern=_WORD)
    model = make_pipeline(words, LogisticRegression(C=0.1, max_iter=1000))
    scores = cross_val_predict(
        model, texts, labels, groups=groups, cv=LeaveOneGroupOut(), method="decision_function"
    )
    model.fit(texts, labels)
    names, weights = words.get_feature_names_out(), model[-1].coef_[0]
    order = np.argsort(-np.abs(weights))[:TELLING]
    telling = ", ".join(f"{names[at]} {weights[at]:+.2f}" for at in order)
    return float(roc_auc_score(labels, scores)), telling
