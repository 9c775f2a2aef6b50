"""The training loop: seeded, with checkpoints, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from bookbound.local.progress import Advance
from training.reader.encoding import (
    Batch,
    ClaimBatch,
    Encoded,
    EncodedClaim,
    EncodedPair,
    Material,
    batch_of,
    batch_of_claims,
    batch_of_pairs,
    batches,
)
from training.reader.network import Reader

BATCH = 32
WARM_UP = 0.06
CLIP = 1.0
UNITS = 1.0
SPAN = 0.3
"""Weights of the losses for units and spans beside that for the answer."""

REFUTED = 0.5
"""Weight of the loss for refuted claims beside that for supported ones."""

SOFTER = 2.0
"""Temperature at which a teacher's logits are met."""

TOLD_EVERY = 10
"""Steps from one word on a run's progress to the next."""

SAVE_EVERY = 300.0
"""Seconds between two checkpoints."""

MAKERS = max(1, (os.cpu_count() or 1) - 2)
"""Processes that make batches for a GPU, which would wait for one."""

Drawing = TypeVar("Drawing")
Made = TypeVar("Made")

Say = Callable[[int, int, float, float], None]
"""Called with step, steps, loss and examples per second."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a run goes: peak learning rate (linear warm-up and decay), passes over the data, seed, batch."""

    rate: float
    epochs: int = 1
    seed: int = 0
    batch: int = BATCH


def saying(name: str, advance: Advance) -> Say:
    """Tell a run's progress under a name."""
    return lambda step, of, loss, rate: advance(f"{name}: loss {loss:.3f}, {rate:.0f}/s", step, of)


def keep(weights: Mapping[str, Any], path: Path) -> None:
    """Write a file whole or not at all: a run that is stopped leaves no half of one."""
    aside = path.with_suffix(".part")
    torch.save(weights, aside)
    aside.replace(path)


def processor() -> torch.device:
    """A GPU where there is one: a run of hours takes minutes there."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_narrow_products(place: torch.device) -> bool:
    """True where matrix products in bfloat16 are faster: a processor without them is sixty times slower."""
    known = torch.cpu.get_capabilities()
    return place.type != "cpu" or any(known.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16"))


def narrowed(place: torch.device) -> torch.autocast:
    """Products in bfloat16, where that pays."""
    return torch.autocast(place.type, torch.bfloat16, enabled=has_narrow_products(place))


def _place(module: nn.Module) -> torch.device:
    return next(module.parameters()).device


def losses(reader: Reader, batch: Batch) -> Tensor:
    """The weighted sum of the losses over one batch: for the answer, for units, and of text for spans."""
    hidden = reader.encoded(batch.ids, batch.segments, batch.mask)
    if batch.of_tables:
        return answer_losses(*reader.of_table(hidden), batch)
    answers, where, span = reader.of_text(hidden)
    total = answer_losses(answers, where, batch)
    masked = span.float().masked_fill(batch.mask[..., None] == 0, -1e4)
    of_spans = sum(
        nn.functional.cross_entropy(
            masked[..., side], batch.spans[:, side], reduction="none", ignore_index=-100
        )
        for side in (0, 1)
    )
    return total + SPAN * (of_spans * batch.weights).sum() / (2 * batch.size)


def answer_losses(answers: Tensor, where: Tensor, batch: Batch) -> Tensor:
    """The weighted sum of the losses for the answer and for units, over one batch."""
    bce = nn.functional.binary_cross_entropy_with_logits
    total = bce(answers.float(), batch.answers, weight=batch.weights, reduction="sum")
    total = total + _of_told(answers.float(), batch.told, batch.told_weights)
    if batch.units:
        logits = pooled(where.float(), batch.units)
        total = total + UNITS * bce(logits, batch.labels, weight=batch.unit_weights, reduction="sum")
    if batch.told_units:
        logits = pooled(where.float(), batch.told_units)
        total = total + UNITS * _of_told(logits, batch.told_logits, batch.told_unit_weights)
    return total / batch.size


def _of_told(logits: Tensor, told: Tensor, weights: Tensor) -> Tensor:
    """What a teacher's logits cost that are not met (Hinton et al. 2015)."""
    bce = nn.functional.binary_cross_entropy_with_logits
    softer = torch.sigmoid(told / SOFTER)
    return SOFTER**2 * bce(logits / SOFTER, softer, weight=weights, reduction="sum")


def claim_losses(reader: Reader, batch: ClaimBatch) -> Tensor:
    """The weighted sum of both losses of claims, over one batch; of questions there is one."""
    hidden = reader.encoded(batch.ids, batch.segments, batch.mask, of_claim=True)
    bce = nn.functional.binary_cross_entropy_with_logits
    if batch.questions:
        confirmed = reader.of_second(hidden).float()
        total = bce(confirmed, batch.labels[:, 0], weight=batch.weights[:, 0], reduction="sum")
        return (total + _of_pairs(confirmed) if batch.paired else total) / batch.size
    logits = reader.of_claim(hidden).float()
    counts = torch.tensor([1.0, REFUTED], device=batch.weights.device)
    total = bce(logits, batch.labels, weight=batch.weights * counts, reduction="sum")
    if batch.paired:
        total = total + _of_pairs(logits[:, 0])
    return (total + _of_told(logits, batch.told, batch.told_weights * counts)) / batch.size


def _of_pairs(logits: Tensor) -> Tensor:
    """What it costs that a true claim is not far above its false counterpart (Burges et al. 2005).

    All that both have in common cancels out: what is left is what makes one of them false. A pair counts
    twice, as the sum is shared among claims.
    """
    return 2 * nn.functional.softplus(logits[1::2] - logits[::2]).sum()


def pooled(where: Tensor, units: Sequence[tuple[int, int, int]]) -> Tensor:
    """Each unit's logit: the mean of its pieces'. `where` is `[batch, pieces]`."""
    sums = nn.functional.pad(where.cumsum(1), (1, 0))
    row, start, end = (torch.tensor(side, device=where.device) for side in zip(*units, strict=True))
    return (sums[row, end] - sums[row, start]) / (end - start)


def fit(reader: Reader, material: Material, schedule: Schedule, kept: Path, say: Say) -> Reader:
    """Train on all of the material, batch by batch in random order, as `learn` does."""
    place = processor()
    reader.to(place)

    def loss(_: int, batch: Batch | ClaimBatch) -> Tensor:
        with narrowed(place):
            return _loss(reader, batch.on(place))

    learn(reader, _order(material, schedule), lambda left: _made(left, place), loss, schedule, kept, say)
    reader.cpu()
    return reader


def learn(  # noqa: PLR0917  what a run is made of
    module: nn.Module,
    order: Sequence[Drawing],
    made: Callable[[Sequence[Drawing]], Iterable[Made]],
    loss: Callable[[int, Made], Tensor],
    schedule: Schedule,
    kept: Path,
    say: Say,
) -> None:
    """Train a network on batches in their order; its word table stays as it is.

    `made` turns what was drawn into batches, `loss` takes the step and one of them. The checkpoint at `kept`
    is taken up, and is gone when the run is over.
    """
    torch.manual_seed(schedule.seed)
    module.words.weight.requires_grad_(False)
    compile_layers(module.layers)
    trained = [one for one in module.parameters() if one.requires_grad]
    optimiser = optimiser_of(trained, schedule)
    done = _resumed(kept, module, optimiser)
    begun = saved = time.monotonic()
    mean = torch.zeros((), device=_place(module))
    module.train()
    for step, batch in enumerate(made(order[done:]), done):
        set_rate(optimiser, schedule, step, len(order))
        found = loss(step, batch)
        descend(optimiser, found, trained)
        mean = 0.98 * mean + 0.02 * found.detach() if step > done else found.detach()
        if (step + 1) % TOLD_EVERY == 0:
            rate = (step + 1 - done) * schedule.batch / (time.monotonic() - begun)
            say(step + 1, len(order), float(mean), rate)
        if time.monotonic() - saved > SAVE_EVERY:
            saved = time.monotonic()
            keep({"step": step + 1, "weights": module.state_dict(), "adam": optimiser.state_dict()}, kept)
    kept.unlink(missing_ok=True)
    module.eval()


def averaged(one: Mapping[str, Tensor], other: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """The mean of two networks' weights, with this share of the first one's (Wortsman et al. 2022)."""
    return {name: torch.lerp(other[name], one[name], share) for name in other}


def optimiser_of(trained: Sequence[nn.Parameter], schedule: Schedule) -> torch.optim.Optimizer:
    """AdamW; matrices decay, the rest does not."""
    decayed = [one for one in trained if one.ndim > 1]
    plain = [one for one in trained if one.ndim == 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=schedule.rate, fused=True)


def set_rate(optimiser: torch.optim.Optimizer, schedule: Schedule, step: int, steps: int) -> None:
    """Set the learning rate of a step, from 0."""
    for group in optimiser.param_groups:
        group["lr"] = schedule.rate * min((step + 1) / (WARM_UP * steps), (steps - step) / steps)


def descend(optimiser: torch.optim.Optimizer, loss: Tensor, trained: Sequence[nn.Parameter]) -> None:
    """Take a step down the loss's gradient, which is cut to CLIP."""
    loss.backward()
    nn.utils.clip_grad_norm_(trained, CLIP)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)


Drawn = list[Encoded] | list[EncodedClaim] | list[EncodedPair]


def _order(material: Material, schedule: Schedule) -> list[Drawn]:
    """The batches of a run, shuffled: of questions to text or to tables, of claims, of pairs, or of twins."""
    order: list[Drawn] = []
    for number in range(schedule.epochs):
        seed = schedule.seed * 100 + number
        passed: list[Drawn] = [*batches(material.questions, schedule.batch, seed)]
        passed += batches(material.tables, schedule.batch, seed)
        passed += batches(material.claims, schedule.batch, seed)
        passed += batches(material.pairs, schedule.batch // 2, seed)
        passed += batches(material.asked, schedule.batch, seed)
        passed += batches(material.twins, schedule.batch // 2, seed)
        random.Random(seed).shuffle(passed)
        order += passed
    return order


def _made(order: Sequence[Drawn], place: torch.device) -> Iterable[Batch | ClaimBatch]:
    """The batches of a run, made by processes of their own where a GPU takes them."""
    makers = 0 if place.type == "cpu" else MAKERS
    made: Iterable[Batch | ClaimBatch] = DataLoader(
        order, batch_size=None, collate_fn=_batch, num_workers=makers
    )
    return made


def _batch(some: Drawn) -> Batch | ClaimBatch:
    pairs = [one for one in some if isinstance(one, EncodedPair)]
    if pairs:
        return batch_of_pairs(pairs)
    claims = [one for one in some if isinstance(one, EncodedClaim)]
    return batch_of_claims(claims) if claims else batch_of([one for one in some if isinstance(one, Encoded)])


def _loss(reader: Reader, batch: Batch | ClaimBatch) -> Tensor:
    return losses(reader, batch) if isinstance(batch, Batch) else claim_losses(reader, batch)


def compile_layers(layers: nn.ModuleList) -> None:
    """Fuse what stands between the matrix products, where there is a compiler: a quarter more per second.

    A GPU spends its time on the products.
    """
    if shutil.which("g++") and _place(layers).type == "cpu":
        for layer in layers:
            layer.compile(dynamic=True)


def _resumed(kept: Path, module: nn.Module, optimiser: torch.optim.Optimizer) -> int:
    if not kept.exists():
        return 0
    stored = torch.load(kept, map_location=_place(module), weights_only=True)
    module.load_state_dict(stored["weights"])
    optimiser.load_state_dict(stored["adam"])
    return int(stored["step"])


def read(reader: Reader, data: Sequence[Encoded], size: int = 64) -> tuple[np.ndarray, list[np.ndarray]]:
    """The reader's answer logit for each example, and the logit of each of its units."""
    at = {id(one): n for n, one in enumerate(data)}
    logits = np.zeros(len(data), np.float32)
    units: list[np.ndarray] = [np.zeros(0)] * len(data)
    reader.eval()
    place = _place(reader)
    with torch.inference_mode(), narrowed(place):
        for some in batches(data, size, None):
            batch = batch_of(some).on(place)
            answers, where = (each.float().cpu() for each in reader(batch.ids, batch.segments, batch.mask))
            for row, one in enumerate(some):
                logits[at[id(one)]] = float(answers[row])
                sums = np.concatenate([[0.0], where[row].numpy().cumsum()])
                units[at[id(one)]] = np.array(
                    [
                        (sums[end] - sums[start]) / (end - start) if end > start else -20.0
                        for start, end in one.units
                    ]
                )
    return logits, units


def taught(teacher: Reader, material: Material) -> Material:
    """The same questions to text and claims, with what a teacher tells of each; tables are not its matter."""
    teacher.to(processor())
    logits, units = read(teacher, material.questions)
    verdicts = judge(teacher, material.claims)
    return replace(
        material,
        questions=[
            replace(one, told=(float(n), each))
            for one, n, each in zip(material.questions, logits, units, strict=True)
        ],
        claims=[
            replace(one, told=(float(n), float(m)))
            for one, (n, m) in zip(material.claims, verdicts, strict=True)
        ],
    )


def judge(reader: Reader, claims: Sequence[EncodedClaim], size: int = 64) -> np.ndarray:
    """The reader's logits that each claim is supported, and refuted: `[claims, 2]`."""
    at = {id(one): n for n, one in enumerate(claims)}
    logits = np.zeros((len(claims), 2), np.float32)
    reader.eval()
    place = _place(reader)
    with torch.inference_mode(), narrowed(place):
        for some in batches(claims, size, None):
            batch = batch_of_claims(some).on(place)
            hidden = reader.encoded(batch.ids, batch.segments, batch.mask, of_claim=True)
            found = reader.of_claim(hidden).float().cpu().numpy()
            for one, logit in zip(some, found, strict=True):
                logits[at[id(one)]] = logit
    return logits
