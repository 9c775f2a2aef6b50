"""How near the exported reader stays to the trained one, and what both make of public dev data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from bookbound.adapters.bundled.reader import BundledReader
from training.reader.encoding import encode, encode_claims
from training.reader.examples import Example
from training.reader.fitting import judge, read
from training.reader.network import Reader

MEASURED, COMPARED = 1_500, 400
"""Questions, and as many claims, that the trained reader reads; and those that both read."""


def measured(
    reader: Reader, folder: Path, dev: Sequence[Example], claims: Sequence[Example]
) -> Mapping[str, Any]:
    """Figures over the public dev splits: of the trained reader, and of the exported one beside it."""
    dev, claims = _some(dev, MEASURED), _some(claims, MEASURED)
    data = encode(dev)
    logits, units = read(reader, data)
    answers = np.array([one.answers for one in data])
    people = np.array([one.group == "squad-dev" for one in data])
    pointed = [int(np.argmax(of)) for of in units]
    marked = [
        one.labels[at] == 1
        for one, at in zip(data, pointed, strict=True)
        if one.answers and max(one.labels) == 1
    ]
    exported = BundledReader(folder)
    some = [one for one in _some(dev, COMPARED) if encode([one])]
    ours = read(reader, encode(some))[0]
    theirs = [exported.logits(one["question"], one["above"], tuple(one["texts"]))[0] for one in some]
    supported = judge(reader, encode_claims(claims))[:, 0]
    few = _some(claims, COMPARED)
    of_claims = judge(reader, encode_claims(few))[:, 0]
    exported_claims = [exported.support(one["claim"], one["above"], tuple(one["texts"])) for one in few]
    return {
        "claims": len(claims),
        "claims_auroc": round(float(roc_auc_score([one["supported"] for one in claims], supported)), 3),
        "claims_rank_correlation": round(float(spearmanr(of_claims, exported_claims)[0]), 4),
        "examples": len(data),
        "auroc": round(float(roc_auc_score(answers, logits)), 3),
        "auroc_people": round(float(roc_auc_score(answers[people], logits[people])), 3),
        "pointed": round(float(np.mean(marked)), 3),
        "compared": len(some),
        "rank_correlation": round(float(spearmanr(ours, theirs)[0]), 4),
        "mean_difference": round(float(np.abs(ours - np.array(theirs)).mean()), 3),
    }


def _some(rows: Sequence[Example], wanted: int) -> Sequence[Example]:
    """About as many rows as are wanted, evenly, or all."""
    return rows[:: max(1, len(rows) // wanted)]
