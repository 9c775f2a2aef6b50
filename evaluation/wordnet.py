"""WordNet's database files: meanings, the words that share one, and how meanings relate."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from pathlib import Path

from bookbound.evaluation.records import InputError
from bookbound.text.spelling import is_english
from bookbound.text.terms import stem

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_SENSE_TYPES = dict(zip("12345", "nvara", strict=True))
_PLAIN = re.compile(r"[a-z]{3,}")

_LEXICAL = {"+": "derived", "\\": "derived", "!": "opposite"}
_SEMANTIC = {"&": "kin", "$": "kin", "@": "broader"}
"""Pointers by their symbol, wninput(5WN): those between words, those between whole synsets."""


@dataclass(frozen=True, slots=True)
class Synset:
    """Words of one meaning; a pointer is (symbol, other synset, own word or 0, its word or 0), from 1."""

    words: tuple[str, ...]
    pointers: tuple[tuple[str, str, int, int], ...]

    @property
    def plain(self) -> list[str]:
        """Its single words in lower case."""
        return [word for word in self.words if _PLAIN.fullmatch(word)]

    @property
    def named(self) -> bool:
        """True if it is a person, a place or another single thing."""
        return any(symbol == "@i" for symbol, *_ in self.pointers)


@dataclass(slots=True)
class WordNet:
    """Synsets by key; by word its synsets with how much each is used; irregular forms with their base."""

    synsets: dict[str, Synset] = field(default_factory=dict)
    senses: dict[str, dict[str, float]] = field(default_factory=dict)
    irregular: list[tuple[str, str, str]] = field(default_factory=list)
    licence: str = ""

    @property
    def name(self) -> str:
        """ "WordNet 3.0 Copyright 2006 by Princeton University", as the licence has it."""
        found = re.search(r"WordNet \S+ Copyright .*?University", self.licence)
        return found.group() if found else "WordNet"

    @property
    def plain(self) -> list[str]:
        """The single words in lower case, sorted; no names."""
        return sorted({word for synset in self.synsets.values() for word in synset.plain})

    def common(self, word: str) -> bool:
        """Return whether it is everyday English: in the model's vocabulary or WordNet's counted texts."""
        return is_english(word) or any(count >= 1 for count in self.senses.get(word, {}).values())

    def parts(self, word: str) -> set[str]:
        """Its parts of speech, keys of PARTS."""
        return {key[0] for key in self.senses[word]}

    def kin(self, key: str) -> list[str]:
        """The synsets that are similar to this one."""
        return [other for symbol, other, *_ in self.synsets[key].pointers if symbol == "&"]

    def kinds(self) -> dict[str, set[str]]:
        """By single word, what its meanings are kinds of."""
        return {
            word: {
                other
                for key in self.senses[word]
                for symbol, other, *_ in self.synsets[key].pointers
                if symbol in "@&"
            }
            for word in self.plain
        }

    def shares(self) -> dict[str, dict[str, float]]:
        """By stem, how its uses divide over synsets; sums to 1."""
        used: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for word, senses in self.senses.items():
            if _PLAIN.fullmatch(word):
                own = used[stem(word)]
                for key, count in senses.items():
                    if not self.synsets[key].named:
                        own[key] = own.get(key, 0.0) + count
        return {
            each: {key: n / sum(own.values()) for key, n in own.items()} for each, own in used.items() if own
        }

    def related(self) -> Iterator[tuple[str, str, str, str, str]]:
        """(relation, word, its synset, other word, its synset), one word of the two a common one.

        "broader": the other one is.
        """
        common = {word for word in self.plain if self.common(word)}
        for key, synset in self.synsets.items():
            if not synset.named:
                found = [("synonym", a, key, b, key) for a, b in permutations(synset.plain, 2)]
                for pointer in synset.pointers:
                    found.extend(self._pointed(key, *pointer))
                yield from (each for each in found if each[1] in common or each[3] in common)

    def _pointed(
        self, key: str, symbol: str, other: str, ours: int, theirs: int
    ) -> Iterator[tuple[str, str, str, str, str]]:
        source, target = self.synsets[key], self.synsets[other]
        relation = (_LEXICAL if ours else _SEMANTIC).get(symbol)
        if relation is None or target.named:
            return
        sides = (
            ([source.words[ours - 1]], [target.words[theirs - 1]]) if ours else (source.words, target.words)
        )
        for a, b in product(*sides):
            if _PLAIN.fullmatch(a) and _PLAIN.fullmatch(b):
                yield relation, a, key, b, other
                if relation == "broader":
                    yield "narrower", b, other, a, key


def read_wordnet(folder: Path) -> WordNet:
    """The database files of WordNet 3 (wndb(5WN), senseidx(5WN)). Raises InputError."""
    try:
        return _read(folder)
    except OSError as error:
        raise InputError(f"no WordNet in {folder}: {error.strerror} ({error.filename})") from error
    except (ValueError, IndexError, KeyError) as error:
        raise InputError(f"what {folder} holds is not WordNet 3's database") from error


def _read(folder: Path) -> WordNet:
    found, counts = WordNet(), {}
    for line in (folder / "cntlist.rev").read_text("ascii").splitlines():
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        counts[word, _SENSE_TYPES[rest[0]], int(number)] = int(count)
    found.licence = "".join(
        line[line.index(" ", 2) + 1 :].rstrip() + "\n"
        for line in (folder / "data.noun").read_text("ascii").splitlines()
        if line.startswith(" ")
    )
    for part, name in PARTS.items():
        for line in _lines(folder / f"data.{name}"):
            key, synset = _synset(line, part)
            found.synsets[key] = synset
        for line in _lines(folder / f"index.{name}"):
            word, _, total, *_ = fields = line.split()
            prior = 0.5 if is_english(word) else 0.1
            own = found.senses.setdefault(word, {})
            for rank, offset in enumerate(fields[-int(total) :], 1):
                own[part + offset] = counts.get((word, part, rank), 0) + prior / rank
        for line in _lines(folder / f"{name}.exc"):
            form, base, *_ = line.split()
            found.irregular.append((form, base, part))
    return found


def _lines(path: Path) -> Iterator[str]:
    """Without the licence, whose lines are indented."""
    return (line for line in path.read_text("ascii").splitlines() if not line.startswith(" "))


def _synset(line: str, part: str) -> tuple[str, Synset]:
    fields = line.partition("|")[0].split()
    end = 4 + 2 * int(fields[3], 16)
    words = tuple(re.sub(r"\(.*\)$", "", word) for word in fields[4:end:2])
    pointers = (fields[at : at + 4] for at in range(end + 1, end + 1 + 4 * int(fields[end]), 4))
    kept = tuple((sym, kind + off, int(ends[:2], 16), int(ends[2:], 16)) for sym, off, kind, ends in pointers)
    return part + fields[0], Synset(words, kept)
