"""Folders of Markdown without a site generator, as GitHub shows them (I3)."""

from __future__ import annotations

from textwrap import dedent

import pytest

from bookbound.policy.book_policy import Policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page, SourceFile

POLICY = Policy(title="A book", covered_subjects=(), out_of_scope=(), site="markdown", base_url="/book/")


def read(files: dict[str, str]) -> list[Page]:
    sources = [SourceFile(path, dedent(text).encode()) for path, text in files.items()]
    return list(read_book(sources, POLICY, book_id="book").pages)


@pytest.mark.rule("I3", "C3")
def test_an_address_is_the_files_own() -> None:
    """Below base_url; no prefix comes off, nothing is a partial, and a README stands first in its folder."""
    pages = read({"02-b/_x y.md": "Text.", "02-b/README.md": "# B", "01-a.md": "# A", "README.md": "# All"})
    assert [(page.page, page.url, page.title) for page in pages] == [
        (1, "/book/README.md", "All"),
        (2, "/book/01-a.md", "A"),
        (3, "/book/02-b/README.md", "B"),
        (4, "/book/02-b/_x%20y.md", " x y"),
    ]


@pytest.mark.rule("C3")
def test_heading_ids_are_those_of_github() -> None:
    """A number after repeats; braces are text; a heading of the first level can be linked to as well."""
    [page] = read({"a.md": "# A\n\n## Set up\n\n## Set up\n\n## Own {#id}\n\n# `Second` & last\n"})
    anchors = [section.anchor for section in page.sections[1:]]
    assert anchors == ["set-up", "set-up-1", "own-id", "second--last"]


def test_alerts_and_definitions_are_read() -> None:
    """The mark of an alert is not shown to readers."""
    [page] = read({"a.md": "# A\n\n> [!NOTE]\n> Take care.\n\nTerm\n: What it means.\n\n    code\n"})
    assert [piece.text for piece in page.pieces] == ["Take care.", "Term: What it means.", "code"]


def test_places_of_docusaurus_are_ignored_but_drafts_are_left_out() -> None:
    """A slug is only a field; a draft is a draft anywhere."""
    pages = read({"a.md": "---\nslug: /x\n---\n# A\n", "b.md": "---\ndraft: true\n---\n# B\n"})
    assert [page.url for page in pages] == ["/book/a.md"]
