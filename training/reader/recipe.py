"""How the reader is trained: on public data, then on our own questions; and what is left out."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from training import lines as written
from training.reader import claims, examples
from training.reader.encoding import Material, encode, encode_claims
from training.reader.examples import Example
from training.reader.export import export
from training.reader.fitting import Network, Say, Schedule, fit, keep
from training.reader.network import Reader, from_sentence_encoder

SEED = 1
ON_PUBLIC = Schedule(rate=1.2e-4, epochs=1, seed=1)
ON_OWN = Schedule(rate=8e-5, epochs=1, seed=7)

TWICE = ("squad-dev", "squad-train-part")
"""Public files with near misses by people: each row is taken twice."""

FOUND = 0.75
"""Share taken of the wrong windows that a search found."""

REPLAYED = 0.15
"""Public rows with near misses by people among our own, so that they are not forgotten."""

CLAIMS_REPLAYED = 0.2
"""Public claims among our own."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """Folders: open books, public reading data, and what is made on the way, which a stopped run takes up."""

    books: Path
    reading: Path
    work: Path

    def public(self, split: str) -> list[Example]:
        """The examples of public data."""
        return self._kept(f"public-{split}", lambda: examples.public(self.reading, split, SEED))

    def own(self, book: str) -> list[Example]:
        """The examples of an open book."""
        vectors = self.work / "vectors"
        return self._kept(f"own-{book}", lambda: examples.own(self.books, book, vectors, SEED))

    def further(self, book: str) -> list[Example]:
        """Examples of an open book that nobody labelled."""
        vectors = self.work / "vectors"
        return self._kept(
            f"further-{book}",
            lambda: examples.unlabelled(self.books, book, vectors, SEED, self.own(book)),
        )

    def public_claims(self, split: str) -> list[Example]:
        """The examples of public claims."""
        folder = self.reading.parent / "support"
        return self._kept(f"public-claims-{split}", lambda: claims.public(folder, split, SEED))

    def own_claims(self, book: str) -> list[Example]:
        """The examples of an open book's claims."""
        vectors = self.work / "vectors"
        return self._kept(f"own-claims-{book}", lambda: claims.own(self.books, book, vectors, SEED))

    def trained(self, name: str, train: Callable[[Path], Network], empty: Callable[[], Network]) -> Network:
        """The network of that name; `train` gets the place of its checkpoint, `empty` makes one to fill."""
        path = self.work / f"{name}.pt"
        if not path.exists():
            keep(train(self.work / f"{name}.ckpt").state_dict(), path)
        reader = empty()
        reader.load_state_dict(torch.load(path, weights_only=True))
        reader.eval()
        return reader

    def exported(self, name: str, reader: Reader) -> Path:
        """The folder with the reader's ONNX file."""
        folder = self.work / name
        if not (folder / "model.onnx").exists():
            export(reader, folder / "model.onnx")
        return folder

    def _kept(self, name: str, make: Callable[[], Iterable[Example]]) -> list[Example]:
        path = self.work / f"{name}.jsonl"
        if not path.exists():
            self.work.mkdir(parents=True, exist_ok=True)
            aside = path.with_suffix(".part")
            aside.write_text("".join(json.dumps(one) + "\n" for one in make()), "utf-8")
            aside.replace(path)
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def public_examples(shop: Workshop) -> list[Example]:
    """Public examples, those of TWICE twice."""
    rows = shop.public("train")
    return rows + [row for row in rows if row["group"] in TWICE]


def on_public(shop: Workshop, say: Say) -> Reader:
    """A reader that knows public data alone."""

    def train(checkpoint: Path) -> Reader:
        return fit(from_sentence_encoder(), public_material(shop), ON_PUBLIC, checkpoint, say)

    return shop.trained("public", train, Reader)


def on_own(shop: Workshop, name: str, books: Sequence[str], say: Say) -> Reader:
    """A reader that learned from these open books too."""

    def train(checkpoint: Path) -> Reader:
        return fit(on_public(shop, say), own_material(shop, books), ON_OWN, checkpoint, say)

    return shop.trained(name, train, Reader)


def public_material(shop: Workshop) -> Material:
    """Public questions and claims."""
    return encode(public_examples(shop)), encode_claims(shop.public_claims("train"))


def own_material(shop: Workshop, books: Sequence[str]) -> Material:
    """Questions and claims of some open books, with a few public ones."""
    return encode(own_examples(shop, books)), encode_claims(own_claims(shop, books))


def own_examples(shop: Workshop, books: Sequence[str]) -> list[Example]:
    """Examples of some open books, with a few public ones. Raises ValueError for a judging book."""
    if judging := set(books) & set(written.JUDGING):
        raise ValueError(f"books that judge never train: {', '.join(sorted(judging))}")
    drawn = random.Random(ON_OWN.seed)
    rows = [row for book in books for row in shop.own(book)]
    kept = [row for row in rows if row["source"] != "found" or drawn.random() < FOUND]
    human = [row for row in shop.public("train") if row["group"] in TWICE and row["source"] != "constructed"]
    drawn.shuffle(human)
    return kept + human[: int(REPLAYED * len(kept))]


def own_claims(shop: Workshop, books: Sequence[str]) -> list[Example]:
    """Claims of some open books, with a few public ones. Raises ValueError for a judging book."""
    if judging := set(books) & set(written.JUDGING):
        raise ValueError(f"books that judge never train: {', '.join(sorted(judging))}")
    rows = [row for book in books for row in shop.own_claims(book)]
    public = shop.public_claims("train")
    random.Random(ON_OWN.seed).shuffle(public)
    return rows + public[: int(CLAIMS_REPLAYED * len(rows))]
