"""Pages that ingest derives from a docs folder and its `mkdocs.yml`, compared with MkDocs' own build (I3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.built_mkdocs import SITES, Sides, sides_of


@pytest.fixture(scope="module", params=SITES)
def sides(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sides:
    folder: Path = tmp_path_factory.mktemp("mkdocs")
    return sides_of(request.param, folder)


@pytest.mark.rule("I3")
def test_the_same_pages_are_part_of_the_book(sides: Sides) -> None:
    """The book holds the pages that MkDocs builds: nothing excluded, no draft, no README next to an index."""
    assert sides.derived.keys() == sides.built.keys()


@pytest.mark.rule("I3", "C3")
def test_every_address_is_that_of_the_build(sides: Sides) -> None:
    """A citation leads to the page."""
    found = {path: page.url for path, page in sides.derived.items()}
    assert found == {path: page.url for path, page in sides.built.items()}


@pytest.mark.rule("I3", "C1")
def test_every_page_number_is_its_place_in_the_navigation(sides: Sides) -> None:
    """From 1 on; pages that are not in it follow as MkDocs builds them."""
    found = {path: page.page for path, page in sides.derived.items()}
    assert found == {path: page.page for path, page in sides.built.items()}


@pytest.mark.rule("I3", "C3")
def test_every_heading_id_is_that_of_the_build(sides: Sides) -> None:
    """In the order of reading; a first heading that is the page's title is the page itself."""
    assert {path: sides.derived_ids(path) for path in sides.derived} == {
        path: sides.built_ids(path) for path in sides.built
    }
