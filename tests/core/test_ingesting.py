"""The ingest story: what is read, what is embedded, what is published, and what stays as it was."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bookbound import policy
from bookbound.adapters.index_folder import IndexFolder
from bookbound.adapters.local_library import LocalLibrary
from bookbound.chunking import ChunkSizes
from bookbound.errors import IngestError, Unavailable
from bookbound.ingesting import EMBED_AT_ONCE, IngestDeps, IngestReport, Manifest, ingest
from bookbound.model import Passage
from bookbound.pages import Skipped
from bookbound.policy import Policy
from bookbound.scoring import IDENTITY, ScoreMap
from bookbound.site_manifest import FILE_NAME
from bookbound.terms import query_stems, sparse
from tests.fakes import FilesInMemory, HashEmbedder, MemoryOfVectors

PAGES = {
    "intro.md": "# The Kestrel\n\nKestrel is a walking robot. It weighs 31 kg.\n",
    "power.md": "# Power\n\nThe battery lasts for 90 minutes.\n\n## Charging\n\nCharge it at 54.6 V.\n",
    "safety.md": "# Safety\n\nThe red button stops every motor.\n",
}


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
    ) -> IngestReport:
        """Bring the index up to these pages."""
        deps = IngestDeps(
            embedder=self.embedder,
            memory=self.memory,
            index=self.index,
            count_tokens=lambda text: len(text.split()),
            sizes=ChunkSizes(),
            score_map=score_map,
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
        library = LocalLibrary(self.index, "kestrel", self.embedder.model_id)
        book = await library.open(None)
        dense = await self.embedder.embed_question(question)
        hits = await book.store.search(dense, sparse(dict.fromkeys(query_stems(question), 1.0)), 100)
        library.close()
        return {hit.passage.document: hit.passage for hit in hits}


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(IndexFolder(tmp_path))


@pytest.mark.rule("I4")
async def test_a_first_ingest_embeds_and_publishes_everything(workshop: Workshop) -> None:
    """The report counts what went in, and readers find every page."""
    report = await workshop.ingest(PAGES)
    assert (report.pages, report.unchanged, report.reused, report.removed_pages) == (3, False, 0, ())
    assert report.embedded == report.windows == len(workshop.embedder.embedded) > 0
    assert workshop.live.book.version == report.version
    assert set(await workshop.passages()) == set(PAGES)


@pytest.mark.rule("I4")
async def test_an_unchanged_book_is_left_alone(workshop: Workshop) -> None:
    """Same version, nothing embedded, nothing published."""
    first = await workshop.ingest(PAGES)
    workshop.steps.clear()
    again = await workshop.ingest(PAGES)
    assert (again.version, again.unchanged, again.embedded) == (first.version, True, 0)
    assert again.reused == again.windows
    assert len(workshop.embedder.embedded) == first.embedded
    assert not [step for step, _, _ in workshop.steps if step == "publish"]


@pytest.mark.rule("I4")
async def test_a_changed_page_embeds_only_what_changed(workshop: Workshop) -> None:
    """The windows of other pages are reused, and the changed text replaces the old one."""
    await workshop.ingest(PAGES)
    before = len(workshop.embedder.embedded)
    report = await workshop.ingest(PAGES | {"safety.md": "# Safety\n\nThe blue lever stops every motor.\n"})
    [fresh] = workshop.embedder.embedded[before:]
    assert "blue lever" in fresh
    assert (report.embedded, report.reused, report.unchanged) == (1, report.windows - 1, False)
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
    assert (report.windows, report.embedded) == (2, 1)
    assert set(await workshop.passages()) == {"one.md", "two.md"}


@pytest.mark.rule("I4")
async def test_skipped_pages_are_reported_and_the_rest_goes_in(workshop: Workshop) -> None:
    """What the folder could not read and what the reader could not parse stand in one list."""
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
        {"score_map": ScoreMap("identity", ((0.1, 0.0), (1.0, 1.0)), "by hand")},
    ],
    ids=["title", "base_url", "score map"],
)
async def test_what_is_stored_with_the_index_is_part_of_its_version(
    workshop: Workshop, changed: dict[str, Policy | ScoreMap]
) -> None:
    """Another policy or score map is another version, without a text embedded again."""
    first = await workshop.ingest(PAGES)
    report = await workshop.ingest(PAGES, **changed)  # type: ignore[arg-type]
    assert report.version != first.version
    assert report.embedded == 0


@pytest.mark.rule("I3", "I4")
async def test_heading_ids_that_only_the_site_knows_are_part_of_the_version(workshop: Workshop) -> None:
    """The same pages with a site manifest that names other anchors are published anew."""
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
