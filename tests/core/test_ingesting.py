"""The ingest story: what is read, what is embedded, what is published, and what stays as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.local_library import LocalLibrary
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.book import Book
from bookbound.errors import IngestError, Unavailable
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.index.canaries import MARGIN
from bookbound.index.chunking import ChunkSizes
from bookbound.index.indexing import EMBED_AT_ONCE
from bookbound.index.manifest import Manifest
from bookbound.index.run_report import IngestReport
from bookbound.ingesting import IngestDeps, ingest
from bookbound.model import Passage, Vector, Wanted
from bookbound.policy import book_policy as policy
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Skipped
from bookbound.source.site_manifest import FILE_NAME
from bookbound.text.scoring import IDENTITY, ScoreMap
from bookbound.text.terms import query_stems, sparse
from testing.builders import model_by_share
from testing.fakes import FilesInMemory, HashEmbedder, MemoryOfVectors, ReaderByShare

PAGES = {
    "intro.md": "# The Kestrel\n\nKestrel is a walking robot. It weighs 31 kg.\n",
    "power.md": "# Power\n\nThe battery lasts for 90 minutes.\n\n## Charging\n\nCharge it at 54.6 V.\n",
    "safety.md": "# Safety\n\nThe red button stops every motor.\n",
}

MODEL = model_by_share(0.80)
"""Judges by the share of the question's words alone: 0.88 for all of them, 0.50 for four of five."""


@dataclass
class NearEmbedder(HashEmbedder):
    """Gives every text the same vector, so that words alone decide; looks around before it embeds a question.

    It fails as told, and remembers which version was live whenever it embedded one.
    """

    index: IndexFolder | None = None
    error: Exception | None = None
    live_then: list[Manifest | None] = field(default_factory=list)

    async def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        if self.error:
            raise self.error
        assert self.index is not None
        self.live_then.append(self.index.current("kestrel"))
        return await super().embed_questions(texts)

    def _vector(self, text: str) -> Vector:
        return super()._vector("")


@dataclass
class Workshop:
    """A place to ingest in: real index versions on disk, a fake embedder, a memory of vectors."""

    index: IndexFolder
    embedder: HashEmbedder = field(default_factory=HashEmbedder)
    memory: MemoryOfVectors = field(default_factory=MemoryOfVectors)
    steps: list[tuple[str, int, int]] = field(default_factory=list)

    async def ingest(
        self,
        texts: dict[str, str],
        *,
        unreadable: tuple[Skipped, ...] = (),
        policy: Policy = policy.DEFAULT,
        score_map: ScoreMap = IDENTITY,
        sufficiency: SufficiencyModel = MODEL,
    ) -> IngestReport:
        """Bring the index up to these pages."""
        deps = IngestDeps(
            embedder=self.embedder,
            reader=ReaderByShare(),
            memory=self.memory,
            index=self.index,
            count_tokens=lambda text: len(text.split()),
            sizes=ChunkSizes(),
            score_map=score_map,
            sufficiency=sufficiency,
            progress=lambda step, done, of: self.steps.append((step, done, of)),
        )
        return await ingest(FilesInMemory(texts, unreadable), policy, "kestrel", deps)

    @property
    def live(self) -> Manifest:
        """The version that readers get."""
        manifest = self.index.current("kestrel")
        assert manifest is not None
        return manifest

    async def passages(self, question: str = "kestrel") -> dict[str, Passage]:
        """The live passages by their document."""
        [dense] = await self.embedder.embed_questions([question])
        wanted = Wanted(dense, sparse(dict.fromkeys(query_stems(question), 1.0)))
        library = LocalLibrary(self.index, "kestrel", self.embedder.model_id)
        [hits] = await (await library.open(None)).store.search([wanted], 100)
        library.close()
        return {hit.passage.document: hit.passage for hit in hits}

    async def book(self) -> Book:
        """The live book as readers get it, its store closed."""
        library = LocalLibrary(self.index, "kestrel", self.embedder.model_id)
        book = await library.open(None)
        library.close()
        return book


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(IndexFolder(tmp_path, EmbeddedPoints()))


@pytest.fixture
def near(tmp_path: Path) -> NearEmbedder:
    return NearEmbedder(index=IndexFolder(tmp_path, EmbeddedPoints()))


@pytest.fixture
def asking(near: NearEmbedder) -> Workshop:
    """A workshop in which canary questions get as far as the sufficiency gate."""
    assert near.index is not None
    return Workshop(near.index, near)


@pytest.mark.rule("I4")
async def test_a_first_ingest_embeds_and_publishes_everything(workshop: Workshop) -> None:
    """The report counts what went in, and readers find every page."""
    report = await workshop.ingest(PAGES)
    assert (report.pages, report.unchanged, report.reused, report.removed_pages) == (3, False, 0, ())
    assert report.changed_pages == tuple(PAGES)
    assert report.embedded == len(workshop.embedder.embedded) == report.windows > 0
    assert workshop.live.book.version == report.version
    assert set(await workshop.passages()) == set(PAGES)


@pytest.mark.rule("I4")
async def test_an_unchanged_book_is_left_alone(workshop: Workshop) -> None:
    """Same version, nothing embedded, nothing published."""
    first = await workshop.ingest(PAGES)
    workshop.steps.clear()
    again = await workshop.ingest(PAGES)
    assert (again.version, again.unchanged, again.embedded) == (first.version, True, 0)
    assert (again.changed_pages, again.removed_pages) == ((), ())
    assert len(workshop.embedder.embedded) == first.embedded
    assert not [step for step, _, _ in workshop.steps if step == "publish"]


@pytest.mark.rule("I4")
async def test_a_changed_page_embeds_only_what_changed(workshop: Workshop) -> None:
    """Texts of other pages are reused, and the changed text replaces the old one."""
    first = await workshop.ingest(PAGES)
    before = len(workshop.embedder.embedded)
    report = await workshop.ingest(PAGES | {"safety.md": "# Safety\n\nThe blue lever stops every motor.\n"})
    fresh = workshop.embedder.embedded[before:]
    assert all("blue lever" in text for text in fresh)
    assert (report.embedded, report.reused) == (len(fresh), first.embedded - len(fresh))
    assert report.changed_pages == ("safety.md",)
    assert not report.unchanged
    assert (await workshop.passages())["safety.md"].text == "The blue lever stops every motor."


@pytest.mark.rule("I4")
async def test_a_removed_page_disappears_and_is_reported_once(workshop: Workshop) -> None:
    """Readers no longer find it; the ingest after that has nothing to report."""
    await workshop.ingest(PAGES)
    fewer = {path: text for path, text in PAGES.items() if path != "power.md"}
    assert (await workshop.ingest(fewer)).removed_pages == ("power.md",)
    assert set(await workshop.passages("battery")) == {"intro.md", "safety.md"}
    assert (await workshop.ingest(fewer)).removed_pages == ()


@pytest.mark.rule("I4")
async def test_a_removed_page_without_text_is_reported_once_too(workshop: Workshop) -> None:
    """It gave no passage, but the list of pages is part of the version."""
    await workshop.ingest(PAGES | {"empty.md": ""})
    assert (await workshop.ingest(PAGES)).removed_pages == ("empty.md",)
    assert (await workshop.ingest(PAGES)).removed_pages == ()


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"draft.md": "---\ndraft: true\n---\n\n# Draft\n\nNot yet.\n"},
        {"empty.md": ""},
        {"table.csv": "\n"},
    ],
    ids=["no page", "drafts only", "an empty page", "an empty table"],
)
async def test_a_book_that_becomes_empty_does_not_replace_the_old_one(
    workshop: Workshop, texts: dict[str, str]
) -> None:
    """A docs folder emptied by mistake is an error, and readers keep their book."""
    report = await workshop.ingest(PAGES)
    with pytest.raises(IngestError, match="stays as it was"):
        await workshop.ingest(texts)
    assert workshop.live.book.version == report.version
    assert set(await workshop.passages()) == set(PAGES)


@pytest.mark.rule("I4")
async def test_a_failure_while_embedding_keeps_what_was_embedded(workshop: Workshop) -> None:
    """The old version serves; the next run embeds only what the failed one left."""
    old = await workshop.ingest(PAGES)
    many = {f"page{n}.md": f"# Page {n}\n\nJoint number {n} bends.\n" for n in range(EMBED_AT_ONCE + 10)}
    workshop.embedder.fails_at = len(workshop.embedder.batches) + 2
    with pytest.raises(Unavailable):
        await workshop.ingest(many)
    assert workshop.live.book.version == old.version
    workshop.embedder.fails_at = None
    report = await workshop.ingest(many)
    assert (report.embedded, report.reused) == (10, EMBED_AT_ONCE)
    assert workshop.live.book.version == report.version


@pytest.mark.rule("I4")
async def test_going_back_to_an_older_book_embeds_nothing(workshop: Workshop) -> None:
    """The version's name comes from its content, and every vector is remembered."""
    first = await workshop.ingest(PAGES)
    await workshop.ingest({"intro.md": PAGES["intro.md"]})
    back = await workshop.ingest(PAGES)
    assert (back.version, back.embedded, back.unchanged) == (first.version, 0, False)
    assert set(await workshop.passages()) == set(PAGES)


async def test_a_text_that_stands_twice_is_embedded_once(workshop: Workshop) -> None:
    """Two pages of the same words are two passages of one vector."""
    copy = {"one.md": PAGES["safety.md"], "two.md": PAGES["safety.md"]}
    report = await workshop.ingest(copy)
    [window] = {text for text in workshop.embedder.embedded if text.startswith("Safety")}
    assert (report.windows, workshop.embedder.embedded.count(window)) == (2, 1)
    assert set(await workshop.passages()) == {"one.md", "two.md"}


@pytest.mark.rule("I4")
async def test_skipped_pages_are_reported_and_the_rest_goes_in(workshop: Workshop) -> None:
    """Pages unreadable for the folder and pages unparsable for the reader stand in one list."""
    broken = PAGES | {"broken.md": "---\ntitle: [\n---\n\n# Broken\n"}
    report = await workshop.ingest(broken, unreadable=(Skipped("huge.md", "larger than 5 MiB"),))
    assert [(skipped.path, skipped.failed) for skipped in report.skipped] == [
        ("huge.md", True),
        ("broken.md", True),
    ]
    assert report.pages == 3


@pytest.mark.rule("I4")
@pytest.mark.parametrize(
    "changed",
    [
        {"policy": replace(policy.DEFAULT, title="Another title")},
        {"policy": replace(policy.DEFAULT, base_url="/book/")},
        {"policy": replace(policy.DEFAULT, canary_refuse=("What is a heron?",))},
        {"score_map": ScoreMap("identity", ((0.1, 0.0), (1.0, 1.0)), "by hand")},
        {"sufficiency": replace(MODEL, intercept=-1.9)},
    ],
    ids=["title", "base_url", "canary question", "score map", "sufficiency model"],
)
async def test_what_an_index_depends_on_is_part_of_its_version(
    workshop: Workshop, changed: dict[str, Policy | ScoreMap | SufficiencyModel]
) -> None:
    """Another policy, score map or model is another version, without a text embedded again."""
    first = await workshop.ingest(PAGES)
    report = await workshop.ingest(PAGES, **changed)  # type: ignore[arg-type]
    assert report.version != first.version
    assert report.embedded == 0


@pytest.mark.rule("I3", "I4")
async def test_heading_ids_that_only_the_site_knows_are_part_of_the_version(workshop: Workshop) -> None:
    """The same pages are published again if a site manifest names other anchors."""
    heading = {"level": 2, "text": "Charging", "id": "charging-the-pack"}
    pages = [
        {"url": f"/docs/{path.removesuffix('.md')}", "page": number, "headings": []}
        for number, path in enumerate(PAGES, 1)
    ]
    site = {"version": 1, "pages": dict(zip(PAGES, pages, strict=True))}
    first = await workshop.ingest(PAGES | {FILE_NAME: json.dumps(site)})
    pages[1]["headings"] = [heading]
    second = await workshop.ingest(PAGES | {FILE_NAME: json.dumps(site)})
    assert second.version != first.version
    power = (await workshop.passages("battery"))["power.md"]
    assert [section.anchor for section in power.sections] == [None, "charging-the-pack"]


async def test_progress_tells_each_step_from_start_to_end(workshop: Workshop) -> None:
    """Read, chunk, embed, publish; each ends with all of it done."""
    await workshop.ingest(PAGES)
    last = {step: (done, of) for step, done, of in workshop.steps}
    assert list(last) == ["read", "chunk", "embed", "publish"]
    assert all(done == of for done, of in last.values())


@pytest.mark.rule("I2", "I4")
async def test_a_page_that_did_not_change_keeps_its_chunk_ids(workshop: Workshop) -> None:
    """Ids in old audit records still name the same text after another page changed."""
    await workshop.ingest(PAGES)
    before = (await workshop.passages())["power.md"]
    await workshop.ingest(PAGES | {"safety.md": "# Safety\n\nNobody stands within 2 m.\n"})
    assert (await workshop.passages())["power.md"] == before


# --- the book's vocabulary and its canary questions -----------------------------------------------

ANSWERED = "Does the battery last for 90 minutes?"
JUST_UNDER = "Does the battery last for 90 pleasant minutes?"
REFUSED = "Does the heron fly at night?"
BY_WORDS = replace(
    policy.DEFAULT, glossary={"DoF": "degree of freedom"}, aliases={"battery": ("accumulator",)}
)


@pytest.mark.rule("R4")
async def test_glossary_and_aliases_are_live_with_the_book(workshop: Workshop) -> None:
    """They are stored with the index, and readers' questions are prepared by them."""
    await workshop.ingest(PAGES, policy=BY_WORDS)
    glossary = (await workshop.book()).glossary
    assert glossary.equivalents["accumulator"] == ("battery",)
    assert glossary.equivalents["degree of freedom"] == ("DoF",)
    assert glossary.words["kestrel"] > 0
    assert glossary == workshop.live.glossary


@pytest.mark.rule("G9")
async def test_a_canary_question_moves_the_threshold_of_the_version_that_it_was_asked_of(
    asking: Workshop,
) -> None:
    """Report, manifest and the live book have the same one."""
    wanted = replace(policy.DEFAULT, canary_answer=(JUST_UNDER,))
    model = replace(MODEL, threshold=await sufficiency(asking, JUST_UNDER) + MARGIN / 2)
    report = await asking.ingest(PAGES, policy=wanted, sufficiency=model)
    assert [one.answered for one in report.canaries] == [True]
    assert report.sufficiency_threshold is not None
    assert report.sufficiency_threshold < model.threshold
    assert asking.live.sufficiency_threshold == report.sufficiency_threshold
    assert (await asking.book()).sufficiency_threshold == report.sufficiency_threshold


async def test_a_canary_that_stays_wrong_does_not_keep_the_book_from_its_readers(asking: Workshop) -> None:
    """The report says what to do about it."""
    report = await asking.ingest(PAGES, policy=replace(policy.DEFAULT, canary_answer=(REFUSED,)))
    [outcome] = report.canaries
    assert not outcome.answered
    assert outcome.remedy
    assert asking.live.book.version == report.version
    assert asking.live.canaries == report.canaries


@pytest.mark.rule("I4")
async def test_canary_questions_are_asked_before_anything_is_live(
    asking: Workshop, near: NearEmbedder
) -> None:
    """The fresh index answers them, while readers still have the old one."""
    old = await asking.ingest(PAGES)
    wanted = replace(policy.DEFAULT, canary_answer=(ANSWERED,))
    longer = PAGES | {"power.md": "# Power\n\nNobody knows.\n"}
    report = await asking.ingest(longer, policy=wanted)
    assert [live and live.book.version for live in near.live_then] == [old.version]
    assert [one.answered for one in report.canaries] == [False]


@pytest.mark.rule("I4")
async def test_a_failure_while_canary_questions_are_asked_leaves_the_old_version(
    asking: Workshop, near: NearEmbedder, tmp_path: Path
) -> None:
    """No half-built version is left behind either."""
    old = await asking.ingest(PAGES)
    near.error = Unavailable("the embedding service is down")
    with pytest.raises(Unavailable):
        await asking.ingest(PAGES, policy=replace(policy.DEFAULT, canary_answer=(ANSWERED,)))
    assert asking.live.book.version == old.version
    assert [folder.name for folder in (tmp_path / "kestrel" / "versions").iterdir()] == [old.version]


async def test_an_unchanged_book_tells_of_its_canary_questions_without_asking_again(
    asking: Workshop, near: NearEmbedder
) -> None:
    """The warnings come with every ingest until the author mends them."""
    wanted = replace(policy.DEFAULT, canary_answer=(REFUSED,))
    first = await asking.ingest(PAGES, policy=wanted)
    times = len(near.live_then)
    again = await asking.ingest(PAGES, policy=wanted)
    assert again.unchanged
    assert (again.canaries, len(near.live_then)) == (first.canaries, times)


async def sufficiency(asking: Workshop, question: str) -> float:
    """Return the sufficiency of the book's evidence for a question."""
    report = await asking.ingest(PAGES, policy=replace(policy.DEFAULT, canary_refuse=(question,)))
    [outcome] = report.canaries
    assert outcome.sufficiency is not None
    return outcome.sufficiency
