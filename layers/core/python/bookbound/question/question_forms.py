"""Wordings of English questions: patterns that several readings of a question share."""

from __future__ import annotations

import re


def pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern that any case matches."""
    return re.compile(text, re.IGNORECASE)


AUX = r"(?:is|are|was|were|do|does|did|can|could|should|would|will|must|may|might|has|have|had)(?:n['’]t)?\b"
WH = r"(?:what|which|who|whom|whose|where|when|why|how)\b"
# A noun may stand between "which" and its auxiliary, a subject may not: "how it works when you do that".
_NO_SUBJECT = r"(?!(?:it|they|he|she|i|you|we|the|an?|this|that|these|those|to|if|and|or)\b)"
ASKED_NOUN = rf"(?:{_NO_SUBJECT}[\w'’/.+-]{{1,40}}\s+){{0,4}}?"
EMPTY_IT = (
    r"\bit\s+(?:takes?|seems?|costs?\s+to|is\s+(?:\w+\s+)?(?:to|that))\b"
    r"|\b(?:is|was)\s+it\s+(?:\w+\s+){1,2}(?:to|that|if|when)\b"
)
"""Where "it" may stand for nothing: "How long does it take to build one?"."""
POLITELY = r"(?:(?:can|could|will|would)\s+you\s+)?(?:please\s+)?"
EXPLAIN = r"(?:explain|describe|define|summari[sz]e|outline)"
