"""How the reader is trained: on public data, then on our own questions; and what is left out.

A teacher, with twice the reader's layers, learns first, from public data alone. The reader learns from labels
and from what the teacher tells of the same examples, and of windows of the training books that nobody
labelled (Hinton et al. 2015). Questions to tables have labels alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from training import lines as written
from training.reader import claims, examples, table_examples
from training.reader.encoding import Material, encode, encode_claims
from training.reader.examples import Example
from training.reader.export import export
from training.reader.fitting import Say, Schedule, fit, keep, taught
from training.reader.network import WHOLE, Reader, from_sentence_encoder

SEED = 1
TEACHERS = Schedule(rate=8e-5, epochs=2, seed=1, batch=128)
ON_PUBLIC = Schedule(rate=1e-4, epochs=3, seed=1, batch=128)
ON_OWN = Schedule(rate=5e-5, epochs=2, seed=7, batch=128)

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

    @property
    def support(self) -> Path:
        """Public claims, which lie next to the reading data."""
        return self.reading.parent / "support"

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
        return self._kept(f"public-claims-{split}", lambda: claims.public(self.support, split, SEED))

    def own_claims(self, book: str) -> list[Example]:
        """The examples of an open book's claims."""
        vectors = self.work / "vectors"
        return self._kept(f"own-claims-{book}", lambda: claims.own(self.books, book, vectors, SEED))

    def trained(self, name: str, train: Callable[[Path], Reader], empty: Reader) -> Reader:
        """The network of that name, filled in; `train` gets the place of its checkpoint."""
        path = self.work / f"{name}.pt"
        if not path.exists():
            keep(train(self.work / f"{name}.ckpt").state_dict(), path)
        empty.load_state_dict(torch.load(path, weights_only=True))
        empty.eval()
        return empty

    def exported(self, name: str, reader: Reader) -> Path:
        """The folder with the reader's ONNX file."""
        folder = self.work / name
        if not (folder / "model.onnx").exists():
            export(reader, folder / "model.onnx")
        return folder

    def tables(self, books: Sequence[str]) -> list[Example]:
        """The examples of questions to our own tables, and to those of some open books."""
        learned, _ = table_examples.material(self.books, books)
        return [row for one in learned for row in table_examples.examples(one)]

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


def teacher(shop: Workshop, say: Say) -> Reader:
    """The teacher, which knows public data alone."""

    def train(checkpoint: Path) -> Reader:
        material = replace(public_material(shop), tables=())
        return fit(from_sentence_encoder(WHOLE), material, TEACHERS, checkpoint, say)

    return shop.trained("teacher", train, Reader(WHOLE))


def on_public(shop: Workshop, say: Say) -> Reader:
    """A reader that knows public data, and our own tables."""

    def train(checkpoint: Path) -> Reader:
        material = taught(teacher(shop, say), public_material(shop))
        return fit(from_sentence_encoder(), material, ON_PUBLIC, checkpoint, say)

    return shop.trained("public", train, Reader())


def on_own(shop: Workshop, name: str, books: Sequence[str], say: Say) -> Reader:
    """A reader that learned from these open books too."""

    def train(checkpoint: Path) -> Reader:
        material = taught(teacher(shop, say), own_material(shop, books))
        return fit(on_public(shop, say), material, ON_OWN, checkpoint, say)

    return shop.trained(name, train, Reader())


def public_material(shop: Workshop) -> Material:
    """Public questions and claims, and questions to our own tables."""
    return Material(
        encode(public_examples(shop)), encode_claims(shop.public_claims("train")), encode(shop.tables(()))
    )


def own_material(shop: Workshop, books: Sequence[str]) -> Material:
    """Questions and claims of some open books, with a few public ones, and questions to tables."""
    further = [row for book in books for row in shop.further(book)]
    questions = [*own_examples(shop, books), *further]
    return Material(encode(questions), encode_claims(own_claims(shop, books)), encode(shop.tables(books)))


def own_examples(shop: Workshop, books: Sequence[str]) -> list[Example]:
    """Examples of some open books, with a few public ones. Raises ValueError for a judging book."""
    written.check_that_train(books)
    drawn = random.Random(ON_OWN.seed)
    rows = [row for book in books for row in shop.own(book)]
    kept = [row for row in rows if row["source"] != "found" or drawn.random() < FOUND]
    human = [row for row in shop.public("train") if row["group"] in TWICE and row["source"] != "constructed"]
    drawn.shuffle(human)
    return kept + human[: int(REPLAYED * len(kept))]


def own_claims(shop: Workshop, books: Sequence[str]) -> list[Example]:
    """Claims of some open books, with a few public ones. Raises ValueError for a judging book."""
    written.check_that_train(books)
    rows = [row for book in books for row in shop.own_claims(book)]
    public = shop.public_claims("train")
    random.Random(ON_OWN.seed).shuffle(public)
    return rows + public[: int(CLAIMS_REPLAYED * len(rows))]
