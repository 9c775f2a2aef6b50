"""Sites as MkDocs builds them with Material's theme, and as ingest derives them.

`python -m tests.end_to_end.built_mkdocs` builds them all, and prints how many addresses and heading ids are
equal. With a folder it only makes the sample book's site there, as `sample`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

from bookbound.adapters.files.docs_folder import DocsFolder
from bookbound.policy.book_policy import Policy
from bookbound.source.book_reader import read_book
from bookbound.source.pages import Page

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "tests" / "fixtures" / "mkdocs"
_PYMDOWN = "!!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}"
_UNICODE = "!!python/name:markdown.extensions.toc.slugify_unicode"
ODD_CASES: dict[str, dict[str, str]] = {
    "odd cases": {},
    "addresses that end in .html": {"plugins: []": "plugins: []\nuse_directory_urls: no"},
    "the folder's own order": {"\nnav:\n": "\nno_nav:\n"},
    "ids in Unicode": {"permalink: true": f"slugify: {_UNICODE}"},
    "PyMdown's ids": {"permalink: true": f"slugify: {_PYMDOWN}\n      separator: _"},
    "fewer extensions": {"  - attr_list\n": "", "  - md_in_html\n": "", "  - admonition\n": ""},
}
SITES = (*ODD_CASES, "sample book")
POLICY = Policy(title="A book", covered_subjects=(), out_of_scope=(), site="mkdocs")
SAMPLE_CONFIG = """\
site_name: Sample
site_url: https://example.org/
theme: {name: material, font: false}
plugins: []
hooks: [hook.py]
markdown_extensions: [admonition, attr_list]
"""


@dataclass
class Heading:
    """A heading with an id in a page's article."""

    level: int
    id: str
    text: str = ""


@dataclass(frozen=True)
class BuiltPage:
    """A page of the built site: its address, its place in the order of reading, its headings."""

    url: str
    page: int
    headings: list[Heading] = field(default_factory=list)


@dataclass(frozen=True)
class Sides:
    """The same pages, as they are derived and as they were built, by their path."""

    derived: Mapping[str, Page]
    built: Mapping[str, BuiltPage]

    def derived_ids(self, path: str) -> list[str]:
        return [section.anchor for section in self.derived[path].sections if section.anchor]

    def built_ids(self, path: str) -> list[str]:
        """The ids of a built page, without that of its title."""
        headings = self.built[path].headings
        first = (headings[0].level, headings[0].text) if headings else None
        is_title = path in self.derived and first == (1, self.derived[path].title)
        return [heading.id for heading in headings[is_title:] if heading.id]


def sides_of(name: str, folder: Path) -> Sides:
    """Both sides of a site of SITES, which is made in the folder."""
    odd = ODD_CASES.get(name)
    site = sample_book(folder) if odd is None else odd_cases(folder, odd)
    files, _ = DocsFolder(site / "docs").read()
    pages = read_book(files, POLICY, book_id="book").pages
    return Sides({page.document: page for page in pages if page.document.endswith(".md")}, build(site))


def odd_cases(folder: Path, replaced: Mapping[str, str]) -> Path:
    """A copy of the fixture, with parts of its config replaced."""
    site = Path(shutil.copytree(FIXTURE, folder / "odd"))
    config = site / "mkdocs.yml"
    text = config.read_text("utf-8")
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    config.write_text(text, "utf-8")
    return site


def sample_book(folder: Path) -> Path:
    """The sample book as a site of MkDocs, its pages of MDX renamed."""
    site = folder / "sample"
    shutil.copytree(ROOT / "sample_book" / "docs", site / "docs")
    for page in site.rglob("*.mdx"):
        page.rename(page.with_suffix(".md"))
    shutil.copy(FIXTURE / "hook.py", site)
    (site / "mkdocs.yml").write_text(SAMPLE_CONFIG)
    return site


def build(site: Path) -> dict[str, BuiltPage]:
    """The site's pages by their path in its docs folder."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=site, env=quiet, capture_output=True, text=True, timeout=100)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr
    out = site / "site"
    return {
        path: BuiltPage(page["url"], page["page"], _headings((out / page["file"]).read_text("utf-8")))
        for path, page in json.loads((out / "built-pages.json").read_text("utf-8")).items()
    }


def _headings(html: str) -> list[Heading]:
    reader = _Article()
    reader.feed(html)
    return reader.headings


class _Article(HTMLParser):
    """Collects the headings in a page's article, without the link to themselves that a theme adds."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[Heading] = []
        self._articles = 0
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._articles += tag == "article"
        if self._articles and tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._open = True
            self.headings.append(Heading(int(tag[1]), given.get("id") or ""))
        elif given.get("class") == "headerlink":
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.headings[-1].text += data

    def handle_endtag(self, tag: str) -> None:
        self._articles -= tag == "article"
        self._open = self._open and tag not in ("h1", "h2", "h3", "h4", "h5", "h6")


def _main(folder: str | None = None) -> None:
    if folder:
        sample_book(Path(folder))
        return
    for name in SITES:
        with TemporaryDirectory() as made:
            sides = sides_of(name, Path(made))
        both = sides.derived.keys() & sides.built.keys()
        addresses = sum(sides.derived[path].url == sides.built[path].url for path in both)
        ids = sum(
            len(sides.built_ids(path)) for path in both if sides.derived_ids(path) == sides.built_ids(path)
        )
        told = sum(len(sides.built_ids(path)) for path in sides.built)
        print(f"{name}: addresses {addresses}/{len(sides.built)}, heading ids {ids}/{told}")


if __name__ == "__main__":
    _main(*sys.argv[1:])
