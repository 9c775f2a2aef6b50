"""Examples → arrays of word pieces, by the product's own encoding, and batches of like length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from bookbound.adapters.bundled.reader import LONGEST_CLAIM, LONGEST_QUESTION, encoded
from bookbound.adapters.bundled.tokenizer import load_tokenizer
from training.reader.examples import TABLES

Example = dict[str, Any]

LABELS = 0.65
"""What a label counts for where a teacher told of the example too; what it told counts for the rest."""

ALIGNED = 8
"""Batches are as many pieces long as a multiple of this, as a GPU's matrix products like it."""

UNITS_ELSEWHERE = 0.3
"""Weight of the units of what does not answer."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example as word pieces.

    Attributes:
        ids, segments: word pieces; 0 for the question's, 1 for what is read.
        units: for each unit the range of its pieces, end exclusive; empty where it was cut off.
        labels: for each unit 1, 0, or -1 where nobody said.
        answers: 1, 0, or -1 where nobody said.
        span: first and last piece of a short answer; (0, 0) where there is none; None where nobody said.
        told: a teacher's logit that it answers, and its logit of each unit, where one was asked.
    """

    ids: Any
    segments: Any
    units: list[tuple[int, int]]
    labels: list[int]
    answers: int
    weight: float
    span: tuple[int, int] | None
    group: str
    told: tuple[float, Any] | None = None


@dataclass(frozen=True, slots=True)
class EncodedClaim:
    """A claim with what is read, as word pieces; `refuted` is 1, 0, or -1 where nobody said.

    `told` has a teacher's two logits, supported and refuted, where one was asked. It may be a `question` that
    is read as claims are, at a second look: `supported` is 1 where it is answered.
    """

    ids: Any
    segments: Any
    supported: int
    refuted: int
    weight: float
    group: str
    kind: str
    told: tuple[float, float] | None = None
    question: bool = False


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A true claim and a false one, that are read next to each other, or twins of questions."""

    true: EncodedClaim
    false: EncodedClaim

    @property
    def ids(self) -> Any:
        """The word pieces of the true one, by whose number batches are of like length."""
        return self.true.ids


Row = TypeVar("Row", Encoded, EncodedClaim, EncodedPair)


@dataclass(frozen=True, slots=True)
class Material:
    """What a run learns from: questions to text, claims, questions to tables, and pairs of claims.

    `asked` and `twins` are questions that are read as claims are, at a second look.
    """

    questions: Sequence[Encoded]
    claims: Sequence[EncodedClaim] = ()
    tables: Sequence[Encoded] = ()
    pairs: Sequence[EncodedPair] = ()
    asked: Sequence[EncodedClaim] = ()
    twins: Sequence[EncodedPair] = ()


def paired(claims: Sequence[EncodedClaim]) -> list[EncodedPair]:
    """Claims, or questions, that stand in twos, a true one and a false one."""
    return [EncodedPair(*two) for two in zip(claims[::2], claims[1::2], strict=True)]


def encode_asked(examples: Sequence[Example]) -> list[EncodedClaim]:
    """The examples of questions that are read as claims are; each has its question for its claim."""
    return [replace(one, question=True) for one in encode_claims(examples, LONGEST_QUESTION)]


def encode_claims(examples: Sequence[Example], longest: int = LONGEST_CLAIM) -> list[EncodedClaim]:
    """The examples of claims, of which the first `longest` pieces are read."""
    tokenizer = load_tokenizer()
    tokenizer.encode_special_tokens = True
    found = []
    for one in examples:
        pieces = encoded(tokenizer, one["claim"], one["above"], one["texts"], longest)
        found.append(
            EncodedClaim(
                np.array(pieces.ids, np.int32),
                np.array(pieces.segments, np.int8),
                one["supported"],
                one["refuted"],
                one["weight"],
                one["group"],
                one["kind"],
            )
        )
    return found


def encode(examples: Sequence[Example]) -> list[Encoded]:
    """The examples whose answer is among what the reader reads."""
    return [made for _, made in encoded_pairs(examples)]


def encoded_pairs(examples: Sequence[Example]) -> Iterator[tuple[Example, Encoded]]:
    """The same, each behind the example that it is made of."""
    tokenizer = load_tokenizer()
    tokenizer.encode_special_tokens = True
    for one in examples:
        pieces = encoded(tokenizer, one["question"], one["above"], one["texts"])
        labels = one["labels"] or [-1] * len(one["texts"])
        seen = [label == 1 and end > start for label, (start, end) in zip(labels, pieces.units, strict=True)]
        if one["answers"] == 1 and one["labels"] and not any(seen):
            continue
        yield (
            one,
            Encoded(
                np.array(pieces.ids, np.int32),
                np.array(pieces.segments, np.int8),
                pieces.units,
                labels,
                one["answers"],
                one["weight"],
                _span(one, pieces),
                one["group"],
            ),
        )


def _span(one: Example, pieces: Any) -> tuple[int, int] | None:
    if one["answers"] == 0:
        return 0, 0
    if one["span"] is None:
        return None
    unit, start, end = one["span"]
    within = [
        at
        for at in range(*pieces.units[unit])
        if pieces.offsets[at][0] < end and start < pieces.offsets[at][1]
    ]
    return (within[0], within[-1]) if within else None


@dataclass(frozen=True, slots=True)
class Batch:
    """Encoded examples, padded.

    Attributes:
        ids, segments, mask: `[batch, pieces]`.
        answers, weights: `[batch]`; the weight is 0 where nobody said.
        units, labels, unit_weights: labelled units as (row, first piece, end), and `[units]` of each.
        spans: `[batch, 2]`.
        told, told_weights: `[batch]`, the teacher's logits; the weight is 0 where it was not asked.
        told_units, told_logits, told_unit_weights: the units that the teacher told of, and `[units]` of each.
        of_tables: whether the questions are to tables.
    """

    ids: Tensor
    segments: Tensor
    mask: Tensor
    answers: Tensor
    weights: Tensor
    units: list[tuple[int, int, int]]
    labels: Tensor
    unit_weights: Tensor
    spans: Tensor
    told: Tensor
    told_weights: Tensor
    told_units: list[tuple[int, int, int]]
    told_logits: Tensor
    told_unit_weights: Tensor
    of_tables: bool

    @property
    def size(self) -> int:
        """Number of examples."""
        return len(self.answers)

    def on(self, device: torch.device) -> Batch:
        """Return the batch with its tensors on a device."""
        return _moved(self, device)


@dataclass(frozen=True, slots=True)
class ClaimBatch:
    """Encoded claims, padded; `labels` and what follows, `[batch, 2]`, are of supported and refuted.

    Where they are `paired`, every other one is true, and the next one is its false counterpart; all of them
    may be `questions`.
    """

    ids: Tensor
    segments: Tensor
    mask: Tensor
    labels: Tensor
    weights: Tensor
    told: Tensor
    told_weights: Tensor
    paired: bool = False
    questions: bool = False

    @property
    def size(self) -> int:
        """Number of claims."""
        return len(self.ids)

    def on(self, device: torch.device) -> ClaimBatch:
        """Return the batch with its tensors on a device."""
        return _moved(self, device)


OfTensors = TypeVar("OfTensors", Batch, ClaimBatch)


def _moved(batch: OfTensors, device: torch.device) -> OfTensors:
    values = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return replace(batch, **{name: one.to(device) for name, one in values.items() if isinstance(one, Tensor)})


def batch_of_claims(some: Sequence[EncodedClaim]) -> ClaimBatch:
    """One batch."""
    return ClaimBatch(
        *_padded(some),
        torch.tensor([[one.supported, max(0, one.refuted)] for one in some], dtype=torch.float32),
        torch.tensor([[_labels_weight(one), _labels_weight(one) * (one.refuted >= 0)] for one in some]),
        torch.tensor([one.told or (0.0, 0.0) for one in some]),
        torch.tensor([[_tellers_weight(one)] * 2 for one in some]),
        questions=some[0].question,
    )


def batch_of_pairs(some: Sequence[EncodedPair]) -> ClaimBatch:
    """One batch, twice as many claims as pairs."""
    batch = batch_of_claims([claim for one in some for claim in (one.true, one.false)])
    return replace(batch, paired=True)


def _labels_weight(one: Encoded | EncodedClaim) -> float:
    """What a label counts for: less where a teacher told of it too."""
    return one.weight * (LABELS if one.told else 1.0)


def _tellers_weight(one: Encoded | EncodedClaim) -> float:
    return one.weight * (1.0 - LABELS) if one.told else 0.0


def _padded(some: Sequence[Encoded | EncodedClaim]) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, segments and mask, `[batch, pieces]` each."""
    longest = -(-max(len(one.ids) for one in some) // ALIGNED) * ALIGNED
    ids = np.zeros((len(some), longest), np.int64)
    segments, mask = np.zeros_like(ids), np.zeros_like(ids)
    for row, one in enumerate(some):
        ids[row, : len(one.ids)] = one.ids
        segments[row, : len(one.ids)] = one.segments
        mask[row, : len(one.ids)] = 1
    return torch.from_numpy(ids), torch.from_numpy(segments), torch.from_numpy(mask)


def batch_of(some: Sequence[Encoded]) -> Batch:
    """One batch."""
    units, labels, weights = [], [], []
    told_units, told, told_weights = [], [], []
    for row, one in enumerate(some):
        kept = [
            (u, label) for u, label in zip(one.units, one.labels, strict=True) if label >= 0 and u[1] > u[0]
        ]
        here = 1.0 if one.answers else UNITS_ELSEWHERE
        for (start, end), label in kept:
            units.append((row, start, end))
            labels.append(label)
            weights.append(_labels_weight(one) * here / len(kept))
        heard = (
            [(u, logit) for u, logit in zip(one.units, one.told[1], strict=True) if u[1] > u[0]]
            if one.told
            else []
        )
        for (start, end), logit in heard:
            told_units.append((row, start, end))
            told.append(float(logit))
            told_weights.append(_tellers_weight(one) * here / len(heard))
    spans = [one.span or (-100, -100) for one in some]
    return Batch(
        *_padded(some),
        torch.tensor([float(max(0, one.answers)) for one in some]),
        torch.tensor([_labels_weight(one) * (one.answers >= 0) for one in some]),
        units,
        torch.tensor(labels, dtype=torch.float32),
        torch.tensor(weights),
        torch.tensor(spans),
        torch.tensor([one.told[0] if one.told else 0.0 for one in some]),
        torch.tensor([_tellers_weight(one) for one in some]),
        told_units,
        torch.tensor(told),
        torch.tensor(told_weights),
        some[0].group == TABLES,
    )


def batches(examples: Sequence[Row], size: int, seed: int | None) -> Iterator[list[Row]]:
    """All examples once, in batches of like length; shuffled with a seed, else in order of length."""
    order = list(range(len(examples)))
    if seed is None:
        order.sort(key=lambda at: len(examples[at].ids))
        yield from ([examples[at] for at in order[n : n + size]] for n in range(0, len(order), size))
        return
    drawn = random.Random(seed)
    drawn.shuffle(order)
    found = []
    for start in range(0, len(order), size * 64):
        pool = sorted(order[start : start + size * 64], key=lambda at: len(examples[at].ids))
        found += [pool[n : n + size] for n in range(0, len(pool), size)]
    drawn.shuffle(found)
    yield from ([examples[at] for at in some] for some in found)
