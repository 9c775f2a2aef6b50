"""What the author's page shows and does, over the live book and the records of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bookbound import wiring
from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.version_folder import FILES, read_manifest
from bookbound.answer.confidence import BUILT_IN
from bookbound.answering import Deps
from bookbound.app import App
from bookbound.authoring import gaps
from bookbound.authoring.asked import COLUMNS, Asked, readable
from bookbound.authoring.clusters import clusters
from bookbound.authoring.gaps import Group
from bookbound.authoring.mends import Mend
from bookbound.authoring.proposing import Proposal, proposal
from bookbound.authoring.tally import in_vain
from bookbound.authoring.trial import Bench, Putting, Quoting, Trial, tried
from bookbound.book import Book
from bookbound.errors import Unavailable
from bookbound.evaluation import questions as labels
from bookbound.evaluation.records import InputError
from bookbound.index.glossary_builder import Vocabulary, vocabulary
from bookbound.local.author import policy_file
from bookbound.local.author.policy_file import Edit
from bookbound.model import Vector
from bookbound.ports import Embedder
from bookbound.settings import Settings
from bookbound.source.book_reader import read_book

LABELLED = "questions.jsonl"
"""File of labelled questions that is looked for next to bookbound.yaml."""

RECORDED = 400
"""Wordings of recorded questions that a mend is tried with, the most asked first."""

_AT_ONCE = 32

Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Sets:
    """Questions that a mend is tried with.

    Attributes:
        putting: canary questions, labelled ones, and recorded ones. note: why labelled ones are missing.
    """

    putting: Sequence[Putting]
    recorded: int
    labelled: int
    canaries: int
    note: str | None

    @property
    def guards(self) -> list[Putting]:
        """Those that must be refused."""
        return [one for one in self.putting if one.wish == "refuse"]


class Desk:
    """One book's; `app` answers its readers meanwhile."""

    def __init__(self, settings: Settings, app: App) -> None:
        quoting = wiring.build_generator(settings.model_copy(update={"generator": BUILT_IN}))
        self._deps: Deps = replace(app.deps, generator=Quoting(quoting, app.deps.generator))
        self._settings = settings
        self._index: IndexFolder = wiring.index_folder(settings)
        self._meaning: Embedder = wiring.build_embedder(settings.model_copy(update={"embedder": "minilm"}))
        self._vectors: dict[str, Vector] = {}
        self._bench: Bench | None = None
        self._proposals: dict[tuple[str, tuple[str, ...]], Proposal] = {}

    async def book(self) -> Book:
        """The live book. Raises BookNotFound, Unavailable."""
        return await self._deps.library.open(None)

    async def asked(self, days: int | None) -> list[Asked]:
        """The questions of the last days, today included; of all with None."""
        first = datetime.now(UTC).date() - timedelta(days=days - 1) if days else None
        book = (await self.book()).ref.id
        found = await asyncio.to_thread(self._records, first)
        return [one for one in found if one.book_id in (None, book)]

    def _records(self, first: date | None) -> list[Asked]:
        from bookbound.local.auditing.trail import opened

        with opened(wiring.audit_root(self._settings), first) as trail:
            records = trail.rows(f"SELECT {', '.join(COLUMNS)} FROM records WHERE log_id IS NOT NULL")
            verdicts = trail.rows("SELECT answer_id, timestamp, verdict, comment FROM verdicts")
        return readable(records, verdicts)

    async def gaps(self, days: int | None, told: Told) -> list[Group]:
        """The unanswered questions of the last days, grouped by meaning, the most asked first."""
        asked = gaps.wordings(in_vain(await self.asked(days)))
        texts = [of[0]["question"] for of in asked.values()]
        vectors = await self._embedded(texts, told)
        return gaps.groups(asked, await asyncio.to_thread(clusters, vectors))

    async def _embedded(self, texts: Sequence[str], told: Told) -> list[Vector]:
        """By the bundled model, not the book's embedder: what readers wrote goes to no vendor for this."""
        new = [text for text in texts if text not in self._vectors]
        for start in range(0, len(new), _AT_ONCE):
            told(start, len(new))
            batch = new[start : start + _AT_ONCE]
            self._vectors |= zip(batch, await self._meaning.embed_questions(batch), strict=True)
        return [self._vectors[text] for text in texts]

    async def proposal(self, questions: Sequence[str]) -> Proposal:
        """A mend for a gap of these wordings, found once for each version of the book."""
        bench = await self.bench()
        key = bench.book.ref.version, tuple(questions)
        if key not in self._proposals:
            guards = (await self.sets(None)).guards
            self._proposals[key] = await proposal(questions, bench, guards, self._meaning)
        return self._proposals[key]

    async def sets(self, days: int | None) -> Sets:
        """The questions that a mend is tried with."""
        policy = (await self.book()).policy
        canaries = [Putting(one, "answer") for one in policy.canary_answer]
        canaries += [Putting(one, "refuse") for one in policy.canary_refuse]
        labelled, note = await asyncio.to_thread(self._labelled)
        asked = [one.question for one in await self.asked(days) if one.question and one.about_all]
        counted = gaps.wordings({"question": question} for question in asked)
        recorded = [Putting(of[0]["question"]) for of in counted.values()][:RECORDED]
        return Sets([*canaries, *labelled, *recorded], len(recorded), len(labelled), len(canaries), note)

    def _labelled(self) -> tuple[list[Putting], str | None]:
        path = self.policy_path()
        if path is None or not (path.parent / LABELLED).is_file():
            return [], None
        try:
            found = labels.load(path.parent / LABELLED)
        except (InputError, OSError) as error:
            return [], f"{LABELLED} is left out: {error}"
        return [Putting(one.question, one.expect) for one in found if one.selected_text is None], None

    async def tried(self, mend: Mend, told: Told) -> tuple[Trial, Sets]:
        """Try a mend. Raises Unavailable."""
        sets = await self.sets(None)
        return await tried(mend, await self.bench(), sets.putting, told), sets

    def policy_path(self) -> Path | None:
        """Where the book's bookbound.yaml is, or would be; None where the book came from no folder here."""
        book = self._book_id()
        return self._index.policy_path(book) if book else None

    def edit(self, mend: Mend) -> Edit:
        """The change of the file. Raises PolicyError, Unavailable where there is none on this machine."""
        path = self.policy_path()
        if path is None or not path.parent.is_dir():
            raise Unavailable(
                "the docs folder that this book was ingested from is not on this machine; "
                "copy the lines into its bookbound.yaml"
            )
        return policy_file.edit(path, mend)

    async def is_edited(self) -> bool:
        """Return whether the file says something else than the live book's policy. Raises PolicyError."""
        path = self.policy_path()
        return path is not None and path.is_file() and policy_file.read(path) != (await self.book()).policy

    def _book_id(self) -> str | None:
        if self._settings.book:
            return self._settings.book
        books = self._index.books()
        return books[0] if len(books) == 1 else None

    async def bench(self) -> Bench:
        """The live version's bench, made anew when another version is live."""
        book = await self.book()
        if self._bench is None or self._bench.live is not book:
            words = await asyncio.to_thread(self._vocabulary, book.ref.id)
            self._bench = Bench(book, words, self._deps)
            await self._bench.settle()
        return self._bench

    def _vocabulary(self, book_id: str) -> Vocabulary:
        folder = self._index.live_version(book_id)
        if folder is None:
            raise Unavailable("the book has no live version here")
        manifest = read_manifest(folder)
        files, _ = DocsFolder(folder / FILES).read()
        return vocabulary(read_book(files, manifest.policy, book_id=book_id).pages)
