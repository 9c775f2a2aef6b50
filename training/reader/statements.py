"""Made-up statements, with a claim that follows and one in which two things have changed places (P4).

What sits between the words of a sentence, who does it and to whom, is learned where nothing else tells a true
claim from a false one: things and verbs are drawn at random, and a fact is put in another construction than
the claims (syntactic augmentation, Min et al. 2020).
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("statements.toml")

OTHERS = (0, 0, 1, 2)
"""Other statements that are read with one, drawn from these numbers."""

MODIFIED = 0.35
"""Share of things that have a word before them."""

ALIKE = 0.6
"""Share of pairs whose claims are put alike."""


class Word(str):
    """A word with its other forms as attributes, for templates."""

    __slots__ = ("__dict__",)

    def __new__(cls, text: str, **forms: str) -> Word:
        """A word."""
        made = super().__new__(cls, text)
        vars(made).update(forms)
        return made


@dataclass(frozen=True, slots=True)
class Pair:
    """What is read, a claim that it bears out, one that it does not, and the kind of alteration."""

    texts: tuple[str, ...]
    true: str
    false: str
    kind: str


class Statements:
    """Draws pairs, the same ones from the same seed."""

    def __init__(self, seed: int) -> None:
        """Draw by a seed."""
        self._drawn = random.Random(seed)
        stored: dict[str, Any] = tomllib.loads(STORED.read_text("utf-8"))
        self._statements = stored.pop("statement")
        self._shares = [one["share"] for one in self._statements]
        self._words = {name: text.split() for name, text in stored.items()}

    def pair(self) -> Pair:
        """A pair, among none, one or two other statements."""
        kind, values = self._fact()
        back = values | {"a": values["b"], "b": values["a"]}
        lines = self._lines(kind)
        put = kind.get("told") or [one for one in kind["said"] if [one] != lines]
        true = self._drawn.choice(put)
        false = true if self._drawn.random() < ALIKE else self._drawn.choice(put)
        texts = [_sentence(line, values) for line in lines]
        for _ in range(self._drawn.choice(OTHERS)):
            other, of_other = self._fact()
            more = [_sentence(line, of_other) for line in self._lines(other)]
            texts = texts + more if self._drawn.random() < 0.5 else more + texts
        return Pair(tuple(texts), _sentence(true, values), _sentence(false, back), kind["kind"])

    def _fact(self) -> tuple[dict[str, Any], dict[str, Any]]:
        kind = self._drawn.choices(self._statements, self._shares)[0]
        return kind, self._values(kind["of"])

    def _lines(self, kind: dict[str, Any]) -> list[str]:
        """The templates of what is read: several lines, or one sentence."""
        return self._drawn.choice(kind["lines"]) if "lines" in kind else [self._drawn.choice(kind["said"])]

    def _values(self, of: str) -> dict[str, Any]:
        a, b = self._two(of)
        g, h = self._drawn.sample(self._words["given"], 2)
        p, q = self._drawn.sample(self._words["qualities"], 2)
        x, y = self._two("things")
        verbs = [one.split("/") for one in self._drawn.sample(self._words["verbs"], 2)]
        v, w = (Word(plain, does=does, done=done) for plain, does, done in verbs)
        gives, sent, takes = self._one("transfers").split("/")
        c, more, un, less = self._one("compared").split("/")
        return {
            "t": Word(gives, gives=gives, given=sent, takes=takes),
            "c": Word(c, more=more, un=un, less=less),
        } | dict(zip("abghpqxyvw", (a, b, g, h, p, q, x, y, v, w), strict=True))

    def _two(self, of: str) -> tuple[str, str]:
        if of == "steps":
            acts = [one.split("/") for one in self._drawn.sample(self._words["acts"], 2)]
            a, b = (_step(forms, thing) for forms, thing in zip(acts, self._two("things"), strict=True))
            return a, b
        names = "things" if of == "kinds" else of
        a, b = self._drawn.sample(self._words[names], 2)
        return (self._thing(a), self._thing(b)) if of == "things" else (a, b)

    def _thing(self, noun: str) -> str:
        modified = self._drawn.random() < MODIFIED
        return f"the {self._one('before_things')} {noun}" if modified else f"the {noun}"

    def _one(self, of: str) -> str:
        found: str = self._drawn.choice(self._words[of])
        return found


def _step(forms: Sequence[str], thing: str) -> Word:
    act, doing, done = forms
    return Word(f"{act} {thing}", doing=f"{doing} {thing}", done=f"{thing} is {done}")


def _sentence(template: str, values: dict[str, Any]) -> str:
    text: str = template.format(**values)
    return text[0].upper() + text[1:] + "."
