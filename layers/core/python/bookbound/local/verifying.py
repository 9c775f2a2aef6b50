"""Checks claims against their evidence with the verifier that checks answers (P4)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bookbound.claims.support import judged
from bookbound.evaluation.claims import Checked, Claim
from bookbound.local.progress import Advance
from bookbound.ports import Reader


async def check_all(reader: Reader, claims: Sequence[Claim], advance: Advance) -> list[Checked]:
    """Each claim checked, in order."""
    checked: list[Checked] = []
    for claim in claims:
        support = await judged(claim.claim, claim.evidence, reader)
        checked.append(Checked(claim, support.supported, support.score))
        advance("claims", len(checked), len(claims))
    return checked


def as_lines(checked: Iterable[Checked]) -> str:
    """A JSON object a line: id, supported, score."""
    records = ({"id": one.claim.id, "supported": one.supported, "score": one.score} for one in checked)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
