"""Labelled claims, read with their evidence by a reader that did not learn from their book (P4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bookbound.claims.support import Support, read_alone, support
from bookbound.evaluation.literal import readable
from bookbound.evaluation.rates import Rate, auroc, rate_of
from bookbound.ports import Reader
from training.lines import Line

Say = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled claim with the reader's logit, and what the verifier makes of it."""

    book: str
    kind: str
    label: bool
    logit: float
    support: Support


async def judge_claims(book: str, claims: Sequence[Line], reader: Reader, say: Say) -> list[Judged]:
    """Every labelled claim of a book, with its evidence alone."""
    found = []
    for at, one in enumerate(claims, 1):
        evidence = [readable("\n".join(one["evidence"]))]
        [logit] = await reader.judge([read_alone(one["claim"], evidence)])
        verdict = support(one["claim"], evidence, logit)
        found.append(Judged(book, one["kind"], one["label"], logit, verdict))
        say(at, len(claims))
    return found


@dataclass(frozen=True, slots=True)
class Figures:
    """How well true claims are told from others.

    Attributes:
        auroc: by the verifier's score. of_reader: by the reader's logit alone.
        right: by kind of claim, the share that is judged right: true ones kept, false ones caught.
    """

    auroc: float | None
    of_reader: float | None
    right: dict[str, Rate]


def figures(claims: Sequence[Judged]) -> Figures:
    """The figures of judged claims."""
    true = [one for one in claims if one.label]
    false = [one for one in claims if not one.label]
    right = {
        "true, kept": rate_of([one.support.supported for one in true]),
        "false, caught": rate_of([not one.support.supported for one in false]),
    }
    for label, kind in sorted({(one.label, one.kind) for one in claims}, reverse=True):
        some = [one for one in claims if (one.label, one.kind) == (label, kind)]
        name = f"{'true' if label else 'false'}: {kind}"
        right[name] = rate_of([one.support.supported == label for one in some])
    return Figures(
        auroc([one.support.score for one in true], [one.support.score for one in false]),
        auroc([one.logit for one in true], [one.logit for one in false]),
        right,
    )
