"""Places in the live book where an author would look for what it did not answer."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from bookbound import ingest_wiring, wiring
from bookbound.local.auditing.nearest import Section, sections
from bookbound.settings import Settings

BOOK = Path(__file__).parents[2] / "sample_book"
PAGES = ("01-foundations/03-safety-around-robots.md", "04-nvidia-isaac/03-navigation-with-nav2.md")

pytestmark = pytest.mark.rule("E2")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Return the settings of a folder in which two pages of the sample book are live."""
    folder = tmp_path_factory.mktemp("nearest")
    for page in PAGES:
        (folder / "docs" / page).parent.mkdir(parents=True)
        shutil.copy(BOOK / "docs" / page, folder / "docs" / page)
    shutil.copy(BOOK / "bookbound.yaml", folder)
    made = Settings(data=folder / "data", _env_file=None)  # type: ignore[call-arg]
    ingest_wiring.ingest(made, folder / "docs", "sample-book", None, lambda step, done, of: None)
    return made


def nearest(settings: Settings, questions: Sequence[tuple[str, str | None]]) -> list[Section | None]:
    async def look() -> list[Section | None]:
        async with wiring.local(settings) as app:
            return await sections(app, questions)

    return asyncio.run(look())


def test_a_question_comes_with_the_section_that_is_nearest(settings: Settings) -> None:
    """Each with its own, in the order of the questions, with how near it is."""
    asked = [
        "How far must people stay away from a moving robot?",
        "How does a robot plan a path around walls?",
    ]
    safety, navigation = nearest(settings, [(question, "sample-book") for question in asked])
    assert safety is not None
    assert navigation is not None
    assert (safety.document, navigation.document) == PAGES
    assert safety.url.partition("#")[0] != navigation.url.partition("#")[0]
    assert all(0 < one.similarity <= 1 for one in (safety, navigation))


def test_what_lies_far_from_the_book_is_less_similar(settings: Settings) -> None:
    """An author sees which gap is one of the book's."""
    asked = ["How far must people stay away from a moving robot?", "How long does a soft-boiled egg take?"]
    near, far = nearest(settings, [(question, None) for question in asked])
    assert near is not None
    assert far is not None
    assert far.similarity < near.similarity


def test_a_book_that_is_not_there_has_no_section(settings: Settings) -> None:
    """The others' questions keep theirs."""
    question = "How far must people stay away from a moving robot?"
    found = nearest(settings, [(question, "nonesuch"), (question, None), (question, "nonesuch")])
    assert [one is None for one in found] == [True, False, True]
