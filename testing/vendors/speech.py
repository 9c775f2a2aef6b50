"""Faults of a model's text, for any vendor that serves the model."""

from __future__ import annotations

import json
from typing import Any

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.models import Model

LONG_TEXT_BYTES = 100_000

OTHER_MODEL = "some-other-model-1"

_SPOILT = "\ue000"
"""Stands for bytes that no string can hold, until the string is encoded."""


def spoken(model: Model, system: str, question: str, wrong: Misbehaviour | None) -> str:
    """The model's answer to a question, with what is wrong in it."""
    text = model(system, question)
    match wrong:
        case Misbehaviour.MAX_TOKENS:
            return text[: len(text) * 2 // 3]
        case Misbehaviour.EMPTY_TEXT:
            return ""
        case Misbehaviour.LONG_TEXT:
            return f"{text}\n" * (LONG_TEXT_BYTES // len(text.encode()) + 1)
        case Misbehaviour.INVALID_UTF8:
            return text[: len(text) // 2] + _SPOILT + text[len(text) // 2 :]
    return text


def encoded(value: Any) -> bytes:
    """The value as JSON; where its text was to hold bytes that are no UTF-8, it now does."""
    return json.dumps(value, ensure_ascii=False).encode().replace(_SPOILT.encode(), b"\xff\xfe")


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return len(text) // 4 + 1
