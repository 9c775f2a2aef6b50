"""How far a second reading, blind to labels, agrees with the first: Cohen's kappa by kind (scikit-learn).

`second-reading.jsonl` holds what was read, by the ids that the lines had then; some were reworded since.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sklearn.metrics import cohen_kappa_score

from training.lines import HOME

Row = dict[str, Any]


def read() -> list[Row]:
    """Return the second reading: book, id, kind, `label` and what was `said`, both true or false."""
    lines = (HOME / "second-reading.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def by_kind(rows: Sequence[Row]) -> Iterator[tuple[str, str, int, int, float]]:
    """Yield question, claim or pair, kind, how many were read, how many agree, and kappa.

    A kind has one label only, so its kappa is over itself and all lines with the other label; questions about
    selected text are held against each other.
    """
    for of, kind in sorted({(row["of"], row["kind"]) for row in rows}):
        own = [row for row in rows if (row["of"], row["kind"]) == (of, kind)]
        other = [
            row
            for row in rows
            if row["of"] == of and row["label"] != own[0]["label"] and _selected(row) == _selected(own[0])
        ]
        yield of, kind, len(own), _agreeing(own), _kappa([*own, *other])
    for of in ("question", "claim", "pair"):
        whole = [row for row in rows if row["of"] == of]
        yield of, "all", len(whole), _agreeing(whole), _kappa(whole)


def _selected(row: Row) -> bool:
    return str(row["kind"]).startswith("selected")


def _agreeing(rows: Sequence[Row]) -> int:
    return sum(row["label"] == row["said"] for row in rows)


def _kappa(rows: Sequence[Row]) -> float:
    return float(cohen_kappa_score([row["label"] for row in rows], [row["said"] for row in rows]))
