"""Pages that ingest derives from a docs folder alone, compared with the site's build (I3).

`make site-test` builds the sites and runs this; the plain suite, which builds none, does not.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.policy import book_policy as policies
from bookbound.policy.book_policy import Policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page
from bookbound.source.site_manifest import FILE_NAME

ROOT = Path(__file__).parents[2]
SAMPLE = DocsFolder(ROOT / "sample_book" / "docs")
BUILT = ROOT / "build"
CASES = {
    "sample book": (SAMPLE, replace(SAMPLE.policy(), exclude=()), BUILT / "site" / "html"),
    "odd cases": (
        DocsFolder(ROOT / "tests" / "fixtures" / "docusaurus" / "docs"),
        replace(policies.DEFAULT, base_url="/book/"),
        BUILT / "site-test" / "fixture" / "build",
    ),
}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES))
def case(request: pytest.FixtureRequest) -> tuple[dict[str, Page], dict[str, Any]]:
    """The pages as they are derived, and as they were built, by their path."""
    folder, policy, out = request.param
    built: dict[str, Any] = json.loads((out / FILE_NAME).read_text("utf-8"))["pages"]
    return derived(folder, policy), built


def derived(folder: DocsFolder, policy: Policy) -> dict[str, Page]:
    files, _ = folder.read()
    book = read_book([file for file in files if file.path != FILE_NAME], policy, book_id="book")
    return {page.document: page for page in book.pages if not page.document.endswith((".csv", ".xlsx"))}


@pytest.mark.rule("I3")
def test_the_same_pages_are_part_of_the_book(case: tuple[dict[str, Page], dict[str, Any]]) -> None:
    """The book holds only the pages that the site lists: no draft, no unlisted page, no partial."""
    pages, built = case
    assert pages.keys() == built.keys()


@pytest.mark.rule("I3", "C3")
def test_every_url_is_that_of_the_build(case: tuple[dict[str, Page], dict[str, Any]]) -> None:
    """A citation leads to the page."""
    pages, built = case
    assert {path: page.url for path, page in pages.items()} == {
        path: page["url"] for path, page in built.items()
    }


@pytest.mark.rule("I3", "C1")
def test_every_page_number_is_that_of_the_build(case: tuple[dict[str, Page], dict[str, Any]]) -> None:
    """The place in the sidebar, from 1 on."""
    pages, built = case
    assert {path: page.page for path, page in pages.items()} == {
        path: page["page"] for path, page in built.items()
    }


@pytest.mark.rule("I3", "C3")
def test_every_heading_id_is_that_of_the_build(case: tuple[dict[str, Page], dict[str, Any]]) -> None:
    """In the order of reading, so that a citation leads to the section."""
    pages, built = case
    found = {path: [one.anchor for one in page.sections if one.anchor] for path, page in pages.items()}
    assert found == {path: [one["id"] for one in page["headings"]] for path, page in built.items()}
