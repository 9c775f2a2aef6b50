"""The books that are asked about: their questions, their index, and Bookbound's own passages of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.peer import Piece, count_tokens
from bookbound import ingest_wiring, wiring
from bookbound.adapters.files.docs_folder import default_book_id
from bookbound.evaluation import questions
from bookbound.evaluation.questions import Labelled
from bookbound.evaluation.retrieved import provenance
from bookbound.evidence.sufficiency import shipped
from bookbound.index.chunking import chunk_page, windows
from bookbound.settings import Settings


@dataclass(frozen=True, slots=True)
class AskedBook:
    """A book with its labelled questions; `asked` are those without selected text."""

    id: str
    docs: Path
    labels: Path
    labelled: tuple[Labelled, ...]

    @property
    def asked(self) -> list[Labelled]:
        """Questions that both sides can be asked."""
        return [each for each in self.labelled if each.selected_text is None]

    @property
    def known(self) -> bool:
        """True if what ships was fitted on these same questions."""
        own = provenance(self.labels, self.labelled).sha256
        return any(source.sha256 == own for source in shipped().fitted_on)

    def passages(self) -> list[Piece]:
        """Return what Bookbound embeds of the book: its windows, each under the headings above it."""
        sizes = wiring.chunk_sizes(Settings())
        return [
            Piece(page.document, window.embedded_text)
            for page in ingest_wiring.dry_run(self.docs, None).pages
            for passage in chunk_page(page, sizes=sizes, count_tokens=count_tokens, book_id=self.id)
            for window in windows(passage, max_tokens=sizes.window, count_tokens=count_tokens)
        ]


def book(docs: Path, labels: Path) -> AskedBook:
    """A book by its folder and its questions. Raises InputError, OSError."""
    return AskedBook(default_book_id(docs), docs, labels, tuple(questions.load(labels)))
