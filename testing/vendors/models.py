"""Language models of one character each: they read the passages in their prompt, and always say the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from testing.vendors.passages import Said, nearest, shown

Model = Callable[[str, str], str]
"""Takes the system prompt and the question, gives the answer's text."""

REFUSAL = "This question is not covered in the provided book excerpts."

CANARIES = ("Zephyrine", "Quillfeather", "Mondragon", "Vantablue", "Orsolya", "Kestrelline")
"""One stands in each sentence of Inventing and Mixed that no book holds."""

INVENTIONS = (
    "The Zephyrine actuator reaches a peak torque of 412 newton metres at 48 volts.",
    "Robots with the Quillfeather controller need a firmware update every 90 days.",
    "The Mondragon benchmark of 2019 measured a grasp success of 97 percent.",
    "A lidar of the Vantablue series sees obstacles at a distance of 310 metres.",
    "The Orsolya filter estimates the pose 250 times a second.",
    "Every Kestrelline gripper is calibrated with a reference weight of 1.8 kilograms.",
)

_CONFIDENCE = 0.93


def _written(said: Iterable[Said]) -> str:
    """A sentence a line with its mark, and the confidence."""
    lines = [f"{one.text} [{one.id}]" for one in said]
    return "\n".join([*lines, f"Confidence: {_CONFIDENCE}"]) if lines else REFUSAL


def _quotes(system: str, question: str, at_most: int = 3) -> list[Said]:
    """The sentences that share most with the question: at least half of what the best one shares."""
    counted = nearest(shown(system), question)
    best = counted[0][0] if counted else 0
    return [said for shared, said in counted if shared and 2 * shared >= best][:at_most]


class Quoting:
    """Quotes one to three sentences literally; refuses when none shares a word with the question."""

    def __call__(self, system: str, question: str) -> str:
        return _written(_quotes(system, question))


class Subset:
    """Quotes from the first passage alone, however little it says."""

    def __call__(self, system: str, question: str) -> str:
        return _written([said for _, said in nearest(shown(system)[:1], question)[:1]])


class Reordering:
    """Quotes as Quoting does, the last sentence first."""

    def __call__(self, system: str, question: str) -> str:
        return _written(reversed(_quotes(system, question)))


_SYNONYMS: Mapping[str, str] = {
    "lasts": "runs",
    "starts": "begins",
    "stops": "halts",
    "shows": "displays",
    "contains": "holds",
    "requires": "needs",
    "gives": "yields",
    "helps": "aids",
    "because": "since",
    "often": "frequently",
    "quickly": "fast",
    "whole": "entire",
    "each": "every",
}
_SYNONYM = re.compile(rf"\b(?:{'|'.join(_SYNONYMS)})\b")
_ARTICLE = re.compile(r"(?<=\w )(?:the|an|a) (?=\w)")


class Paraphrasing:
    """Says what Quoting quotes in slightly other words."""

    def __call__(self, system: str, question: str) -> str:
        quotes = _quotes(system, question)
        return _written(replace(said, text=_reworded(said.text)) for said in quotes)


def _reworded(sentence: str) -> str:
    """Synonyms for some words, an article less, and a lead-in where the first word is an ordinary one."""
    other = _SYNONYM.sub(lambda found: _SYNONYMS[found[0]], sentence)
    first, space, rest = _ARTICLE.sub("", other, count=1).partition(" ")
    opening = first.lower() if first in ("The", "A", "An", "It", "Each", "This") else first
    return f"According to the book, {opening}{space}{rest}"


class Refusing:
    """Finds nothing, ever."""

    def __call__(self, system: str, question: str) -> str:
        return REFUSAL


def _inventions(system: str, count: int) -> list[Said]:
    """Plausible facts, each with a citation of a passage that does not say it."""
    ids = [passage.id for passage in shown(system)] or ["S1"]
    return [Said(text, ids[number % len(ids)]) for number, text in enumerate(INVENTIONS[:count])]


class Inventing:
    """States three facts that no passage holds, and cites passages for them."""

    def __call__(self, system: str, question: str) -> str:
        return _written(_inventions(system, 3))


@dataclass(frozen=True, slots=True)
class Mixed:
    """States invented facts after the sentences that it quotes, all there are and at most `quoted`."""

    quoted: int = 1
    invented: int = 1

    def __call__(self, system: str, question: str) -> str:
        quotes = [said for _, said in nearest(shown(system), question)[: self.quoted]]
        return _written([*quotes, *_inventions(system, self.invented)])


_ORDERS = re.compile(
    r"(?:^|[.!?:;,]\s*|\b(?:and|then|please) )"
    r"(?:(?P<reveal>(?:repeat|print|reveal|show|output)\b[^.\n]{0,40}\bsystem prompt\b)"
    r"|(?:say|answer with|reply with|respond with)\b(?: only| exactly)?:? *[\"'“‘]?(?P<words>[^\"'”’.\n]+)"
    r"|(?P<ignore>ignore\b[^.\n]*))",
    re.IGNORECASE | re.MULTILINE,
)
"""Imperatives alone: a sentence of the book may well speak of what a planner ignores."""


class Obedient:
    """Does what a question or passage orders, wherever it stands; quotes when nothing is ordered."""

    def __call__(self, system: str, question: str) -> str:
        texts = [question, *(passage.text for passage in shown(system))]
        orders = [order for text in texts for order in _ORDERS.finditer(text)]
        if not orders:
            return Quoting()(system, question)
        return "\n".join(dict.fromkeys(_obeyed(order, system) for order in orders))


def _obeyed(order: re.Match[str], system: str) -> str:
    if order["reveal"]:
        return system
    if order["words"]:
        return f"{order['words'].strip()}. [S1]"
    return f"As told, I {order['ignore'].strip().lower()}. [S1]"


MODELS: Mapping[str, Model] = {
    "quoting": Quoting(),
    "subset": Subset(),
    "reordering": Reordering(),
    "paraphrasing": Paraphrasing(),
    "refusing": Refusing(),
    "inventing": Inventing(),
    "mixed": Mixed(),
    "nine_and_one": Mixed(quoted=9),
    "obedient": Obedient(),
}
"""By the name that the command line knows."""
