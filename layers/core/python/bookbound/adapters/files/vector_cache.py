"""Vectors that were computed once, by model and text: re-ingest embeds only what is new (I4)."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bookbound.errors import IngestError
from bookbound.model import Vector

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
_SELECT = "SELECT vector FROM vectors WHERE key = ?"


def text_key(text: str) -> bytes:
    """The key of a text: its SHA-256."""
    return hashlib.sha256(text.encode()).digest()


class VectorCache:
    """Fits ingesting.VectorMemory: one SQLite file an embedding model; each batch is kept at once.

    Raises IngestError when the file cannot be read or written.
    """

    def __init__(self, folder: Path, model_id: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{model_id}.sqlite"
        with self._explained():
            self._db = sqlite3.connect(self._path, timeout=30)
        try:
            with self._explained():
                self._db.execute(_TABLE)
        except IngestError:
            self._db.close()
            raise

    def recall(self, texts: Iterable[str]) -> dict[str, Vector]:
        """The vectors of those texts that are known."""
        known: dict[str, Vector] = {}
        with self._explained():
            for text in texts:
                row = self._db.execute(_SELECT, (text_key(text),)).fetchone()
                if row:
                    known[text] = np.frombuffer(row[0], dtype="<f4").tolist()
        return known

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors; what is kept survives a kill in the next step."""
        rows = [(text_key(text), np.asarray(vector, "<f4").tobytes()) for text, vector in vectors.items()]
        with self._explained(), self._db:
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            advice = "if it is damaged, delete it: everything is then embedded anew"
            raise IngestError(f"{self._path}: {error}; {advice}") from error
