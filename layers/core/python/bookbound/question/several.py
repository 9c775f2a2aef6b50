"""Questions that want several things: a list, steps, kinds, a comparison."""

from __future__ import annotations

import re

_SEVERAL = re.compile(
    r"\b(?:list|name|which|what are|steps?|how (?:do|can|to|should)|ways|types?|kinds?|components|stages"
    r"|parts|phases|all|examples|differences?|compare|versus|vs|overview)\b",
    re.IGNORECASE,
)


def asks_for_several(question: str) -> bool:
    """By its wording alone; in doubt yes, since a list that is cut answers nothing."""
    return _SEVERAL.search(question) is not None
