"""Made-up statements, with a claim that follows and one in which a thing is another (P4).

What sits between the words of a sentence, who does it and to whom, is learned where nothing else tells a true
claim from a false one: things and verbs are drawn at random, and a fact is put in another construction than
the claims (syntactic augmentation, Min et al. 2020). In what is false two things have changed places, or one
of another statement stands in their place; of quantities, bounds and the like another one does.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("statements.toml")

OTHERS = (0, 0, 1, 2)
"""Other statements that are read with one, drawn from these numbers."""

MODIFIED, LONG, NAMED = 0.3, 0.2, 0.25
"""Shares of things that have a word before them, that have more behind them, and that have a name."""

ALIKE = 0.6
"""Share of pairs whose claims are put alike."""

DRESSED = 0.4
"""Share of sentences that say more than the fact."""

FROM_ELSEWHERE = 0.3
"""Share of pairs, where they can, whose false claim takes a thing from another statement."""


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


@dataclass(frozen=True, slots=True)
class Fact:
    """A kind of statement, what it is about, and what a false claim has in place of that."""

    kind: Mapping[str, Any]
    read: Mapping[str, str]
    true: Mapping[str, str]
    false: Mapping[str, str]


class Statements:
    """Draws pairs, the same ones from the same seed."""

    def __init__(self, seed: int) -> None:
        """Draw by a seed."""
        self._drawn = random.Random(seed)
        stored: dict[str, Any] = tomllib.loads(STORED.read_text("utf-8"))
        self._statements = stored.pop("statement")
        self._contrasts = stored.pop("contrasts")
        self._entailed = stored.pop("entailed")
        self._dressings = stored.pop("dressings")
        self._shares = [one["share"] for one in self._statements]
        self._words = {name: text.split() for name, text in stored.items()}

    def pair(self) -> Pair:
        """A pair, among none, one or two other statements."""
        fact = self._fact()
        others = [self._fact() for _ in range(self._drawn.choice(OTHERS))]
        lines = self._lines(fact)
        put = fact.kind.get("told") or [one for one in fact.kind["said"] if [one] != lines]
        true = self._drawn.choice(put)
        false = true if self._drawn.random() < ALIKE else self._drawn.choice(put)
        texts = self._read(lines, fact)
        for other in others:
            more = self._read(self._lines(other), other)
            texts = texts + more if self._drawn.random() < 0.5 else more + texts
        instead = self._instead(false, fact, others)
        claims = _ended(true.format(**fact.true)), _ended(false.format(**instead))
        return Pair(tuple(texts), *claims, fact.kind["kind"])

    def _fact(self) -> Fact:
        kind = self._drawn.choices(self._statements, self._shares)[0]
        values = self._values(kind["of"])
        if "contrast" in kind:
            read, true, false = self._contrasted(self._contrasts[self._drawn.choice(kind["contrast"])])
            return Fact(kind, values | {"n": read}, values | {"n": true}, values | {"n": false})
        return Fact(kind, values, values, values | {"a": values["b"], "b": values["a"]})

    def _contrasted(self, groups: Mapping[str, Sequence[str]]) -> list[str]:
        """Words for what is read and for a true claim, which mean the same, and for a false one."""
        right = self._drawn.choice([*groups])
        follow = (right, *self._entailed.get(right, ()))
        wrong = self._drawn.choice([one for one in groups if one not in follow])
        return [self._drawn.choice(groups[one]) for one in (right, right, wrong)]

    def _instead(self, put: str, fact: Fact, others: Sequence[Fact]) -> Mapping[str, str]:
        """What the false claim is about: at times it takes a thing that it names from another statement."""
        alike = [one for one in others if one.kind["of"] == fact.kind["of"] and "contrast" not in one.kind]
        if "contrast" in fact.kind or not alike or self._drawn.random() >= FROM_ELSEWHERE:
            return fact.false
        named = [one for one in "ab" if f"{{{one}}}" in put or f"{{{one}." in put]
        return {**fact.true, self._drawn.choice(named): self._drawn.choice(alike).read["a"]}

    def _lines(self, fact: Fact) -> list[str]:
        """The templates of what is read: several lines, or one sentence."""
        kind = fact.kind
        return self._drawn.choice(kind["lines"]) if "lines" in kind else [self._drawn.choice(kind["said"])]

    def _read(self, lines: Sequence[str], fact: Fact) -> list[str]:
        said = [line.format(**fact.read) for line in lines]
        if len(said) == 1 and self._drawn.random() < DRESSED:
            around = self._drawn.choice(self._dressings).format("{0}", **self._values("things"))
            said = [around.format(said[0])]
        return [_ended(one) for one in said]

    def _values(self, of: str) -> dict[str, Any]:
        a, b = self._two(of)
        g, h = self._drawn.sample(self._words["given"], 2)
        p, q = self._drawn.sample(self._words["qualities"], 2)
        x, y = self._two("things")
        verbs = [one.split("/") for one in self._drawn.sample(self._words["verbs"], 2)]
        v, w = (Word(each[0], does=each[1], done=each[2], did=each[-1]) for each in verbs)
        gives, sent, takes = self._one("transfers").split("/")
        c, more, un, less = self._one("compared").split("/")
        return {
            "t": Word(gives, gives=gives, given=sent, takes=takes),
            "c": Word(c, more=more, un=un, less=less),
            "e": self._one("events"),
            "year": str(self._drawn.randint(1480, 2024)),
            "place": self._one("places"),
            "s": _plural(self._one("things")),
        } | dict(zip("abghpqxyvw", (a, b, g, h, p, q, x, y, v, w), strict=True))

    def _two(self, of: str) -> tuple[str, str]:
        if of == "steps":
            acts = [one.split("/") for one in self._drawn.sample(self._words["acts"], 2)]
            a, b = (_step(forms, thing) for forms, thing in zip(acts, self._two("things"), strict=True))
            return a, b
        names = "things" if of == "kinds" else of
        a, b = self._drawn.sample(self._words[names], 2)
        if of == "things" and self._drawn.random() < NAMED:
            return self._two("people")
        made = {"things": self._thing, "people": self._person}.get(of, str)
        return made(a), made(b)

    def _thing(self, noun: str) -> str:
        drawn = self._drawn.random()
        if drawn < MODIFIED:
            return f"the {self._one('before_things')} {noun}"
        if drawn < MODIFIED + LONG:
            behind = self._drawn.choice(("of the", "in the", "for the", "behind the", "from"))
            return f"the {noun} {behind} {self._one('places' if behind == 'from' else 'things')}"
        return f"the {noun}"

    def _person(self, name: str) -> str:
        form = self._drawn.choice(("{}", "{} {}", "{} {}", "{2} {1}", "{3} of {4}"))
        parts = (name, self._one("surnames"), self._one("titles"), name, self._one("places"))
        return form.format(*parts)

    def _one(self, of: str) -> str:
        found: str = self._drawn.choice(self._words[of])
        return found


def _step(forms: Sequence[str], thing: str) -> Word:
    act, doing, done = forms
    return Word(f"{act} {thing}", doing=f"{doing} {thing}", done=f"{thing} is {done}")


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _ended(text: str) -> str:
    return text[0].upper() + text[1:] + "."
