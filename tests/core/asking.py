"""A small book, and a question that goes through the whole pipeline."""

from __future__ import annotations

from datetime import UTC, datetime

from bookbound.adapters.bundled.extractive import ExtractiveGenerator
from bookbound.answering import Deps, answer
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.model import Draft, DraftSentence, Result
from bookbound.ports import Generator
from testing.builders import FixedStore, book, hit, passage, plain_model, question, reader_of
from testing.fakes import FakeAudit, FakeEmbedder, FakeLibrary, FakeReader

LASTS = "The battery lasts for 90 minutes of walking."
PACK = passage("The battery holds 9 Ah.", LASTS)
CHARGE = passage("Charge the battery at 54.6 V.", document="power/charging.md", page=4)
FOUND = (hit(PACK, 0.9), hit(CHARGE, 0.8))

SUFFICIENT = plain_model(threshold=0.0)
INSUFFICIENT = plain_model(threshold=1.0)
SUPPORTED = Draft((DraftSentence(LASTS, ("S1",)),), 0.9, "prompt", "raw")
INVENTED = Draft((DraftSentence("It was designed in Sweden by accident.", ("S1",)),), 0.9, "prompt", "raw")


def deps(
    live: Book | None = None,
    *,
    generator: Generator | None = None,
    audit: FakeAudit | None = None,
    library: FakeLibrary | None = None,
    sufficiency: SufficiencyModel = SUFFICIENT,
    reader: FakeReader | None = None,
) -> Deps:
    opened = live or book(*FOUND)
    hits = opened.store.hits if isinstance(opened.store, FixedStore) else FOUND
    return Deps(
        library=library or FakeLibrary(opened),
        embedder=FakeEmbedder(),
        reader=reader or reader_of(hits),
        generator=generator or ExtractiveGenerator(),
        audit=audit or FakeAudit(),
        sufficiency=sufficiency,
        now=lambda: datetime(2026, 3, 1, tzinfo=UTC),
    )


async def ask(
    built: Deps, text: str = "How long does the battery last?", selected: str | None = None
) -> Result:
    return await answer(question(text, selected), None, Deadline(), built)
