"""Build the word knowledge of bookbound.claims.synonyms: pairs of words that agree, and that oppose.

WordNet proposes, the bundled embedding model weighs: a synonym by some rare sense lies far off, and is left
out. Irregular forms, British spelling, degrees and a list by hand add what neither knows. Fetch WordNet, as
by `apt-get download wordnet-base && dpkg -x wordnet-base_*.deb wn`, then run
`python -m evaluation.synonyms wn/usr/share/wordnet`; it takes a few minutes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import permutations, product
from math import sqrt
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.evaluation.records import InputError
from bookbound.text.spelling import is_english
from bookbound.text.terms import STOP_WORDS, stem
from evaluation.word_forms import degrees, irregular, spellings
from evaluation.word_list import ByHand, read_by_hand
from evaluation.wordnet import WordNet, read_wordnet

SHIPPED = Path("layers/core/python/bookbound/data/synonyms")

LEAST = 0.55
"""A weight under it is no support."""

OTHER_DEGREE = 0.85
""""faster" for "fast": what of a weight is left."""

# Relation, least share of the senses, least cosine, weight; the greatest that fits counts. Chosen on labelled
# claims: by a rule that carries, words of a supported claim that its evidence lacks find a partner there at
# least twice as often as in other evidence.
RULES: Sequence[tuple[str, float, float, float]] = (
    ("synonym", 0.30, 0.60, 0.90),
    ("derived", 0.03, 0.45, 0.90),
    ("derived", 0.10, 0.30, 0.80),
    ("synonym", 0.03, 0.60, 0.80),
    ("synonym", 0.03, 0.45, 0.70),
    ("kin", 0.03, 0.60, 0.70),
    ("narrower", 0.03, 0.60, 0.65),
    ("synonym", 0.30, 0.30, 0.60),
    ("kin", 0.30, 0.45, 0.60),
    ("broader", 0.03, 0.60, 0.55),
)

NEIGHBOURS = ((0.85, 0.65), (0.80, 0.55))
"""Cosine from which words that WordNet does not relate count, and their weight."""

OPPOSED_SHARE = 0.02
OPPOSED_SYNONYM_SHARE = 0.25
"""Share of their senses by which words oppose each other: by themselves, and by a synonym."""

_NEGATIVES = {"un": "avrn", "dis": "avn", "non": "an", "de": "v", "in": "a", "im": "a", "il": "a", "ir": "a"}
"""Prefixes, and the parts of speech that they turn into their opposite."""
_NEGATIVE_COSINE = 0.45

Pair = tuple[str, str]


class Cosines:
    """The bundled model's similarity of single words, in [-1, 1]."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = sorted(set(words), key=lambda word: (len(word), word))
        self._place = {word: place for place, word in enumerate(self.words)}
        embedder = MiniLmEmbedder()
        batches = (self.words[start : start + 256] for start in range(0, len(self.words), 256))
        self.vectors = np.concatenate([np.array(embedder.embed(batch), np.float32) for batch in batches])

    def __call__(self, a: str, b: str) -> float:
        return float(self.vectors[self._place[a]] @ self.vectors[self._place[b]])

    def near(self, words: Sequence[str], least: float) -> Iterator[tuple[str, str, float]]:
        """Pairs of these words from that cosine on, both ways."""
        chosen = self.vectors[[self._place[word] for word in words]]
        for row, word in enumerate(words):
            cosines = chosen @ chosen[row]
            for other in np.flatnonzero(cosines >= least).tolist():
                if other != row:
                    yield word, words[other], float(cosines[other])


class Weights(dict[Pair, float]):
    """Closeness in meaning of a pair's second stem to its first; the greatest weight that was noted."""

    def note(self, a: str, b: str, weight: float) -> None:
        """Note two stems; a stem and itself say nothing."""
        if a != b:
            self[a, b] = max(weight, self.get((a, b), 0.0))


def related(wordnet: WordNet, cosine: Cosines) -> Weights:
    """Return the pairs that WordNet relates and the model finds near (RULES)."""
    shares, found = wordnet.shares(), Weights()
    totals: defaultdict[tuple[str, str, str], float] = defaultdict(float)
    nearest: defaultdict[tuple[str, str, str], float] = defaultdict(float)
    for relation, a, of_a, b, of_b in wordnet.related():
        kind = (relation, stem(a), stem(b))
        totals[kind] += sqrt(shares[stem(a)].get(of_a, 0.0) * shares[stem(b)].get(of_b, 0.0))
        nearest[kind] = max(nearest[kind], cosine(a, b))
    for kind, share in totals.items():
        for relation, least_share, least_cosine, weight in RULES:
            if kind[0] == relation and share >= least_share and nearest[kind] >= least_cosine:
                found.note(kind[1], kind[2], weight)
    return found


def neighbours(wordnet: WordNet, cosine: Cosines) -> Weights:
    """Common words that the model finds very near, unless they are of one kind, as days or numbers are."""
    kinds, found = wordnet.kinds(), Weights()
    words = [word for word in cosine.words if word in kinds and is_english(word) and word not in STOP_WORDS]
    for a, b, near in cosine.near(words, NEIGHBOURS[-1][0]):
        if kinds[a].isdisjoint(kinds[b]):
            found.note(stem(a), stem(b), next(weight for least, weight in NEIGHBOURS if near >= least))
    return found


def opposed(wordnet: WordNet, cosine: Cosines, by_hand: ByHand) -> set[Pair]:
    """Stems that oppose each other, both ways; a number opposes nothing ("one", "first")."""
    words = [pair for sides in by_hand.opposites for pair in product(*sides)]
    words += _antonyms(wordnet)
    words += [(a, b) for a, b in _negated(wordnet) if cosine(a, b) >= _NEGATIVE_COSINE]
    numbers = {stem(word) for line in by_hand.forms if line[-1].isdigit() for word in line}
    stems = {(stem(a), stem(b)) for a, b in words if numbers.isdisjoint((stem(a), stem(b)))}
    return {pair for a, b in stems if a != b for pair in ((a, b), (b, a))}


def _antonyms(wordnet: WordNet) -> Iterator[Pair]:
    """Antonyms, and the common words that mean the same as one of them, or nearly so."""
    shares, common = wordnet.shares(), {word for word in wordnet.plain if wordnet.common(word)}

    def meant(key: str) -> list[str]:
        """The common words that chiefly mean this, or what is similar to it."""
        found = ((word, own) for own in (key, *wordnet.kin(key)) for word in wordnet.synsets[own].plain)
        least = OPPOSED_SYNONYM_SHARE
        return [word for word, own in found if word in common and shares[stem(word)].get(own, 0.0) >= least]

    for relation, a, of_a, b, of_b in wordnet.related():
        if relation == "opposite":
            if sqrt(shares[stem(a)].get(of_a, 0.0) * shares[stem(b)].get(of_b, 0.0)) >= OPPOSED_SHARE:
                yield a, b
            yield from product(meant(of_a), meant(of_b))


def _negated(wordnet: WordNet) -> Iterator[Pair]:
    """Words that differ by a prefix that says no, as far as their spelling tells."""
    common = {word for word in wordnet.plain if wordnet.common(word)}
    for word, (prefix, parts) in product(wordnet.plain, _NEGATIVES.items()):
        base = word.removeprefix(prefix)
        known = base != word and len(base) > 3 and {base, word} <= common
        if known and set(parts) & wordnet.parts(base) & wordnet.parts(word):
            yield base, word


@dataclass(frozen=True, slots=True)
class Form:
    """A stem that stands for another by grammar; degree is "", "er" or "est"."""

    stem: str
    weight: float = 1.0
    degree: str = ""


def forms(wordnet: WordNet, cosine: Cosines, by_hand: ByHand) -> dict[str, set[Form]]:
    """By stem, its other forms."""
    found: defaultdict[str, set[Form]] = defaultdict(set)
    for base, form, weight in (*irregular(wordnet, cosine), *spellings(wordnet)):
        found[stem(base)].add(Form(stem(form), weight))
    for base, *others in by_hand.forms:
        found[stem(base)] |= {Form(stem(other)) for other in others}
    for base, form in (*degrees(wordnet, cosine), *((b, f) for b, *fs in by_hand.degrees for f in fs)):
        found[stem(base)].add(Form(stem(form), degree="est" if form.endswith("st") else "er"))
    return {base: {form for form in own if form.stem != base} for base, own in found.items()}


def expanded(weights: Mapping[Pair, float], variants: Mapping[str, set[Form]]) -> Weights:
    """The weights carried over to the forms of both sides, and the forms of one word among each other."""
    found = Weights()
    same = {(base, base): 1.0 for base in variants}
    for (a, b), weight in {**weights, **same}.items():
        ours, theirs = ({Form(base)} | variants.get(base, set()) for base in (a, b))
        for one, other in product(ours, theirs):
            degree = 1.0 if one.degree == other.degree else OTHER_DEGREE
            found.note(one.stem, other.stem, weight * one.weight * other.weight * degree)
    return found


def _of_forms(opposites: set[Pair], variants: Mapping[str, set[Form]]) -> set[Pair]:
    """With "rose" against "fell", and "longest" against "shortest"."""
    own = {base: {base} | {form.stem for form in found} for base, found in variants.items()}
    spread = (pair for a, b in opposites for pair in product(own.get(a, {a}), own.get(b, {b})))
    return {(a, b) for a, b in spread if a != b}


def build(wordnet: WordNet, by_hand: ByHand) -> tuple[Weights, set[Pair]]:
    """All weights from LEAST on, and all opposites; no pair is both."""
    cosine = Cosines(wordnet.plain)
    weights = related(wordnet, cosine)
    for weight, words in by_hand.same:
        for a, b in permutations(words, 2):
            weights.note(stem(a), stem(b), weight)
    opposites = opposed(wordnet, cosine, by_hand)
    near: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in weights:
        near[a].add(b)
    for pair, weight in neighbours(wordnet, cosine).items():
        if not _contrary(pair, near, opposites):
            weights.setdefault(pair, weight)
    variants = forms(wordnet, cosine, by_hand)
    spread = expanded(weights, variants)
    against = _of_forms(opposites, variants)
    kept = {pair: weight for pair, weight in spread.items() if weight >= LEAST and pair not in against}
    return Weights(kept), against


def _contrary(pair: Pair, near: Mapping[str, set[str]], opposites: set[Pair]) -> bool:
    """Return whether a word near to one of the two opposes the other."""
    return any(
        (word, other) in opposites
        for one, other in (pair, pair[::-1])
        for word in near.get(one, set()) | {one}
    )


def write(folder: Path, weights: Mapping[Pair, float], opposites: Iterable[Pair], source: str) -> None:
    """meaning.txt and opposites.txt: a header of # lines, then a stem a line."""
    grouped: defaultdict[str, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (a, b), weight in sorted(weights.items()):
        grouped[a][5 * round(20 * weight)].append(b)
    meaning = [
        "\t".join((a, *(f"{weight} {' '.join(own[weight])}" for weight in sorted(own, reverse=True))))
        for a, own in sorted(grouped.items())
    ]
    opposing: defaultdict[str, list[str]] = defaultdict(list)
    for a, b in sorted(opposites):
        opposing[a].append(b)
    against = [f"{a}\t{' '.join(others)}" for a, others in sorted(opposing.items())]
    _save(
        folder / "meaning.txt",
        "stem, then by weight in hundredths the stems that may stand for it",
        meaning,
        source,
    )
    _save(folder / "opposites.txt", "stem, then the stems that oppose it", against, source)


def _save(path: Path, what: str, lines: Sequence[str], source: str) -> None:
    header = (
        f"{what}; tabs part the fields",
        f"sources: {source}; neighbours by {MiniLmEmbedder.model_id}; by_hand.txt",
        "licence: WordNet's for what comes from it (wordnet-license.txt); the rest as the project",
        f"command: python -m evaluation.synonyms; date: {datetime.now(UTC).date().isoformat()}",
    )
    path.write_text("".join(f"# {line}\n" for line in header) + "\n".join(lines) + "\n", "utf-8")
    typer.echo(f"wrote {path}: {len(lines)} stems, {path.stat().st_size / 1e6:.2f} MB")


def main(
    wordnet: Annotated[Path, typer.Argument(help="The folder that holds WordNet's data.noun, index.noun …")],
    out: Annotated[Path, typer.Option(help="Holds by_hand.txt; the built files go there.")] = SHIPPED,
) -> None:
    """Build the word knowledge from WordNet, the bundled model and the list by hand."""
    try:
        words, by_hand = read_wordnet(wordnet), read_by_hand(out / "by_hand.txt")
    except (InputError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from error
    (out / "wordnet-license.txt").write_text(words.licence, "utf-8")
    write(out, *build(words, by_hand), words.name)


if __name__ == "__main__":
    typer.run(main)
