"""What the plugin's build of the sample book gives to language models, compared with what ingest reads of it.

`make site-test` builds the site and runs this; the plain suite, which builds none, does not.
`python -m tests.end_to_end.built_llms FILE` prints how much of the book stands in any such file.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.evaluation.literal import readable
from bookbound.policy.book_policy import Policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page
from bookbound.source.site_manifest import FILE_NAME

ROOT = Path(__file__).parents[2]
OUT = ROOT / "build" / "site" / "html"
SITE = "https://example.org"


FOLDER = DocsFolder(ROOT / "sample_book" / "docs")


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """The pages of the book, those that its policy excludes left out."""
    return pages_by(FOLDER.policy())


def pages_by(policy: Policy) -> list[Page]:
    files, _ = FOLDER.read()
    book = read_book([file for file in files if file.path != FILE_NAME], policy, book_id="book")
    return [page for page in book.pages if page.document.endswith((".md", ".mdx"))]


def read(name: str) -> str:
    return (OUT / name).read_text("utf-8")


def twin(page: Page) -> str:
    """Where the convention has a page's Markdown."""
    return f"{page.url}index.html.md" if page.url.endswith("/") else f"{page.url}.md"


def texts_of(page: Page) -> list[str]:
    """The page's pieces and its tables' cells."""
    cells = [cell for table in page.tables for row in (table.header, *table.rows) for cell in row]
    return [*(piece.text for piece in page.pieces), *cells]


def letters(text: str) -> str:
    """The letters and digits of a text without its marks and link targets."""
    return "".join(filter(str.isalnum, readable(text)))


def test_llms_txt_links_every_page_of_the_book_once(pages: list[Page]) -> None:
    """And no other: what the policy excludes is not there."""
    links = re.findall(r"^- \[.*?\]\((\S+?)\)", read("llms.txt"), re.MULTILINE)
    assert sorted(links) == sorted(f"{SITE}{twin(page)}" for page in pages)


def test_every_link_leads_to_a_file_of_the_build(pages: list[Page]) -> None:
    """The twin of each page stands where its link says."""
    assert [page.url for page in pages if not (OUT / unquote(twin(page)).lstrip("/")).is_file()] == []


def test_every_twin_holds_all_that_ingest_reads_of_its_page(pages: list[Page]) -> None:
    """Each sentence, item, line of code and cell; a diagram is drawn in the browser, and is in neither."""
    for page in pages:
        shown = letters(read(unquote(twin(page)).lstrip("/")))
        assert [text for text in texts_of(page) if letters(text) not in shown] == []


def test_llms_full_holds_every_twin_in_the_order_of_the_book(pages: list[Page]) -> None:
    """From the first page to the last."""
    full = read("llms-full.txt")
    places = [full.index(read(unquote(twin(page)).lstrip("/")).strip()) for page in pages]
    assert places == sorted(places)


def test_nothing_of_an_excluded_page_is_told(pages: list[Page]) -> None:
    """The self-test is on the site, and in none of these files."""
    every = pages_by(replace(FOLDER.policy(), exclude=()))
    excluded = [page for page in every if page.document not in {one.document for one in pages}]
    assert [page.document for page in excluded] == ["quiz/self-test.md"]
    assert not any((OUT / twin(page).lstrip("/")).exists() for page in excluded)
    told = letters(read("llms.txt") + read("llms-full.txt"))
    assert [piece.text for page in excluded for piece in page.pieces if letters(piece.text) in told] == []


def _main(path: str) -> None:
    """Print how much of the book, and of what its policy excludes, is in a file such as another plugin's."""
    told = letters(Path(path).read_text("utf-8"))
    book = pages_by(FOLDER.policy())
    kept = {page.document for page in book}
    excluded = [page for page in pages_by(replace(FOLDER.policy(), exclude=())) if page.document not in kept]
    for name, chosen in (("book", book), ("excluded", excluded)):
        texts = [text for page in chosen for text in texts_of(page)]
        print(f"{name}: {sum(letters(text) in told for text in texts)} of {len(texts)} pieces and cells")


if __name__ == "__main__":
    _main(*sys.argv[1:])
