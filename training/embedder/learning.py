"""The embedder's training loop: a question lies nearer to the passage that answers it than to all others.

A batch is made of passages that lie near each other, of one book or title where there are enough of them,
with their questions and with passages that a search finds and that do not answer: the others of the batch
are what a question is to be apart from (van den Oord et al. 2018).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from training.embedder.asked import PASSES, PEAK, TOGETHER, TYPED, Passage, batches, mistyped
from training.embedder.network import Embedder, Encoder
from training.reader.fitting import Say, Schedule, learn, narrowed

SCHEDULE = Schedule(PEAK, PASSES, seed=1, batch=TOGETHER)

QUESTIONS = 4
"""Questions of a passage that are asked at a time, at most."""

TEMPERATURE = 0.05
"""What cosines are divided by."""

TITLED = 0.6
"""Share of the titled passages that are read under their title, as a window is under its headings."""

FAR = -1e4
"""Logit of a passage that is not held against a question."""


def fit(embedder: Embedder, passages: Sequence[Passage], schedule: Schedule, kept: Path, say: Say) -> None:
    """Train on all passages, as `learn` does."""
    order = [
        batch
        for number in range(schedule.epochs)
        for batch in batches(passages, schedule.batch, schedule.seed * 100 + number)
    ]
    encode = Encoder()

    def found(step: int, batch: Sequence[Passage]) -> Tensor:
        return loss(embedder, encode, batch, random.Random(f"{schedule.seed} {step}"))

    learn(embedder, order, lambda left: left, found, schedule, kept, say)


def loss(embedder: Embedder, encode: Encoder, batch: Sequence[Passage], drawn: random.Random) -> Tensor:
    """The mean cross-entropy of each question's own passage among all that the batch has."""
    texts = [_shown(one, drawn) for one in batch]
    questions: list[str] = []
    own: list[int] = []
    answering: list[frozenset[str]] = []
    wrong: dict[str, None] = {}
    for at, one in enumerate(batch):
        for n in drawn.sample(range(len(one.questions)), min(QUESTIONS, len(one.questions))):
            asked = one.questions[n]
            questions.append(mistyped(asked, drawn) if drawn.random() < TYPED else asked)
            own.append(at)
            answering.append(one.others[n] if one.others else frozenset())
            if one.wrong and one.wrong[n] and len(wrong) < len(batch):
                wrong[drawn.choice(one.wrong[n])] = None
    texts += wrong
    with narrowed(torch.device("cpu")):
        of_texts, of_questions = embedder(*encode(texts)), embedder(*encode(questions))
    logits = of_questions.float() @ of_texts.float().T / TEMPERATURE
    spared = [
        [FAR if text in others and at != mine else 0.0 for at, text in enumerate(texts)]
        for mine, others in zip(own, answering, strict=True)
    ]
    return nn.functional.cross_entropy(logits + torch.tensor(spared), torch.tensor(own))


def _shown(passage: Passage, drawn: random.Random) -> str:
    titled = passage.title and drawn.random() < TITLED
    return f"{passage.title}\n{passage.text}" if titled else passage.text
