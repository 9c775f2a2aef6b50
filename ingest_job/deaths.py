"""Counts of a step's deaths on a page: what kills a function leaves no other trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ingest_job.documents import DEATHS
from ingest_job.step import Round, batch_file


class Deaths:
    """The deaths of a batch's step. Every page is counted as one while it is worked on.

    All raise Unavailable.
    """

    def __init__(self, at: Round, batch: int) -> None:
        self._at = at
        self._file = batch_file("deaths", batch)
        self._counts = at.read(self._file, DEATHS) if at.has(self._file) else {}

    def on(self, document: str) -> int:
        """Return how often the step died on the page."""
        return self._counts.get(document, 0)

    @contextmanager
    def risked(self, document: str) -> Iterator[None]:
        """Work on the page; an error is no death."""
        self._counts[document] = self.on(document) + 1
        self.write()
        try:
            yield
        except Exception:
            self._counts[document] -= 1
            self.write()
            raise
        self._counts[document] -= 1

    def write(self) -> None:
        """Take note of what was survived so far."""
        self._at.write(self._file, DEATHS, self._counts)
