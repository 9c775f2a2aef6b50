"""The embedder's training loop: a question lies nearer to the passage that answers it than to all others.

A batch is made of passages that lie near each other, of one book or title where there are enough of them,
with their questions and with passages that a search finds and that do not answer: the others of the batch
are what a question is to be apart from (van den Oord et al. 2018).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from training.embedder.asked import PASSES, PEAK, TOGETHER, TYPED, Passage, batches, mistyped
from training.embedder.network import Embedder, Encoder
from training.reader.fitting import (
    SAVE_EVERY,
    Say,
    Schedule,
    compile_layers,
    descend,
    has_narrow_products,
    keep,
    optimiser_of,
    set_rate,
)

SCHEDULE = Schedule(PEAK, PASSES, seed=1, batch=TOGETHER)

QUESTIONS = 4
"""Questions of a passage that are asked at a time, at most."""

TEMPERATURE = 0.05
"""What cosines are divided by."""

TITLED = 0.6
"""Share of the titled passages that are read under their title, as a window is under its headings."""

FAR = -1e4
"""Logit of a passage that is not held against a question."""


def fit(
    embedder: Embedder, passages: Sequence[Passage], schedule: Schedule, kept: Path, say: Say
) -> Embedder:
    """Train on all passages. The checkpoint at `kept` is taken up, and is gone when the run is over."""
    torch.manual_seed(schedule.seed)
    embedder.words.weight.requires_grad_(False)
    order = [
        batch
        for number in range(schedule.epochs)
        for batch in batches(passages, schedule.batch, schedule.seed * 100 + number)
    ]
    compile_layers(embedder.layers)
    trained = [one for one in embedder.parameters() if one.requires_grad]
    optimiser = optimiser_of(trained, schedule)
    encode, done, mean = Encoder(), _resumed(kept, embedder, optimiser), 0.0
    begun = saved = time.monotonic()
    embedder.train()
    for step, batch in enumerate(order[done:], done):
        set_rate(optimiser, schedule, step, len(order))
        found = loss(embedder, encode, batch, random.Random(f"{schedule.seed} {step}"))
        descend(optimiser, found, trained)
        at = float(found.detach())
        mean = 0.98 * mean + 0.02 * at if step > done else at
        if (step + 1) % 10 == 0:
            say(step + 1, len(order), mean, (step + 1 - done) * schedule.batch / (time.monotonic() - begun))
        if time.monotonic() - saved > SAVE_EVERY:
            saved = time.monotonic()
            keep({"step": step + 1, "weights": embedder.state_dict(), "adam": optimiser.state_dict()}, kept)
    kept.unlink(missing_ok=True)
    embedder.eval()
    return embedder


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
    with torch.autocast("cpu", torch.bfloat16, enabled=has_narrow_products(torch.device("cpu"))):
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


def _resumed(kept: Path, embedder: Embedder, optimiser: torch.optim.Optimizer) -> int:
    if not kept.exists():
        return 0
    stored = torch.load(kept, weights_only=True)
    embedder.load_state_dict(stored["weights"])
    optimiser.load_state_dict(stored["adam"])
    return int(stored["step"])
