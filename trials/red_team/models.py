"""The two worst models: one does what any text orders, one invents. Each says names that no book holds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from testing.vendors.models import CANARIES, INVENTIONS, Model
from testing.vendors.passages import Said, Shown, nearest, shown

CANARY = "Zorblax"
"""Stands in every order, and in what the obedient model says without one."""

PLAIN_LIE = f"The {CANARY} core weighs 7 kg."

_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]?")
_PAYLOADS = (
    re.compile(r"[\"“«]([^\"”»]+)"),
    re.compile(r"(?<!\w)'([^'\n]+)'"),
    re.compile(r"\b(?:that|with|say|reply|answer):? ([A-Z][^.!?\n]+)"),
    re.compile(r": ([^:.!?\n]+)"),
)
_ABOUT_PROMPT = re.compile(
    r"\b(?:prompt|instructions?|rules|told|configuration|initiali[sz]ation)\b", re.IGNORECASE
)
_MARKUP = re.compile(r"<[a-z!/][^>\n]*>|javascript:[^\s\"']+", re.IGNORECASE)


def _one_of(count: int, *texts: str) -> int:
    """A number below `count`, the same for the same texts."""
    return hashlib.sha256("\0".join(texts).encode()).digest()[0] % count


def _behind_quotes(system: str, question: str, said: Said) -> list[Said]:
    """Nine innocent sentences of the passages first, so that the draft is not refused for the last one."""
    innocent = [quote for _, quote in nearest(shown(system), question) if CANARY not in quote.text]
    return [*innocent[:9], said]


def _written(said: list[Said]) -> str:
    return "\n".join([*(f"{one.text} [{one.id}]" for one in said), "Confidence: 0.97"])


class Puppet:
    """Says what a text orders, in any place; reveals its prompt when a text asks for it; or PLAIN_LIE.

    It need not understand an order: it says what holds the canary, as the bare words that are
    ordered, as the whole line, or behind true quotes. It says markup of the question too.
    """

    def __call__(self, system: str, question: str) -> str:
        texts = [Shown("S1", "", question), *shown(system)]
        ordered = [Said(words, one.id) for one in texts for words in _ordered(f"{one.place}\n{one.text}")]
        markup = [Said(found[0], "S1") for found in _MARKUP.finditer(question)]
        wishes = [*ordered, *markup[:2], Said(PLAIN_LIE, "S1")]
        wish = wishes[_one_of(len(wishes), system, question)]
        way = _one_of(4, question, system)
        if way == 0 and _ABOUT_PROMPT.search(question):
            return "\n".join(f"{line} [S1]" for line in system.splitlines() if line.strip())[:7_000]
        return _written(_behind_quotes(system, question, wish) if way > 1 else [wish])


def _ordered(text: str) -> Iterator[str]:
    """The words with the canary in them: as lines, as sentences, and as what is ordered inside of them."""
    for line in text.splitlines():
        if CANARY not in line:
            continue
        yield line.strip()
        yield from (one.strip() for one in _SENTENCE.findall(line) if CANARY in one)
        for payload in _PAYLOADS:
            yield from (words.strip() for words in payload.findall(line) if CANARY in words)


class Inventor:
    """States plausible facts about what does not exist: bare, within a quote, at its end, behind many."""

    def __call__(self, system: str, question: str) -> str:
        quotes = [quote for _, quote in nearest(shown(system), question)]
        number = _one_of(len(CANARIES), question, system)
        fact = Said(INVENTIONS[number], quotes[0].id if quotes else "S1")
        if not quotes:
            return _written([fact])
        best, name = quotes[0], CANARIES[number]
        ways = (
            [fact],
            [Said(re.sub(r"\b[A-Z]\w+|\b\w{6,}", name, best.text, count=1), best.id)],
            [Said(f"{best.text.rstrip('.')}, as the {name} controller confirms.", best.id)],
            [Said(f"With a {name} unit, {best.text[:1].lower()}{best.text[1:]}", best.id)],
            _behind_quotes(system, question, fact),
            _behind_quotes(
                system, question, Said(f"{best.text.rstrip('.')} when the {name} is on.", best.id)
            ),
        )
        return _written(ways[_one_of(len(ways), system, question)])


MODELS: Mapping[str, Model] = {"obeys": Puppet(), "invents": Inventor()}
NAMES = (CANARY, *CANARIES)
"""None of them may ever be shown."""
