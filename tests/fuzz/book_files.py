"""Book files: any bytes give pages and tables that obey the laws, or a reason to leave one out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bookbound.policy.book_policy import DEFAULT
from bookbound.source.mdx import VISIBLE_PROPS
from bookbound.source.pages import SourceFile
from bookbound.source.site_manifest import FILE_NAME
from tests.fuzz.chunks import read
from tests.fuzz.mutations import mutated_archive
from tests.fuzz.target import Target
from tests.fuzz.workbooks import workbook_seeds

PAGE, TABLE, WORKBOOK = "guide/2-page.mdx", "guide/parts.csv", "guide/parts.xlsx"
PLAIN_PAGE = "guide/2-page.md"
PLAIN, MKDOCS = replace(DEFAULT, site="markdown"), replace(DEFAULT, site="mkdocs")
MKDOCS_CONFIG = SourceFile("mkdocs.yml", Path("tests/fixtures/mkdocs/mkdocs.yml").read_bytes())
BESIDE = SourceFile("guide/1-first.md", b"# First\n\nSee parts.csv. It is here.\n")


def page_law(content: bytes) -> None:
    """The same bytes as page of each kind of site, as its folder's category and as the site's own files."""
    read(SourceFile(PAGE, content))
    read(BESIDE, SourceFile("guide/_category_.yml", content))
    read(BESIDE, SourceFile(FILE_NAME, content))
    page = SourceFile(PLAIN_PAGE, content)
    read(page, policy=PLAIN)
    read(page, MKDOCS_CONFIG, policy=MKDOCS)
    read(BESIDE, SourceFile("mkdocs.yml", content), policy=MKDOCS)


def csv_law(content: bytes) -> None:
    read(BESIDE, SourceFile(TABLE, content))


def xlsx_law(content: bytes) -> None:
    read(BESIDE, SourceFile(WORKBOOK, content))


def page_seeds() -> Iterator[bytes]:
    for folder in ("sample_book/docs", "tests/fixtures/docusaurus/docs", "tests/fixtures/mkdocs"):
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix in (".md", ".mdx", ".yml", ".json"):
                yield path.read_bytes()[:3000]
    yield b"---\nid: a\ntitle: T\nslug: /s\nsidebar_position: 1.5\npage: 7\n---\n# T\n"
    yield b"---\ndraft: no\nlast_update: {date: 2024-05-01}\n---\nText.\n"
    heading = {"level": 1, "text": "First", "id": "first"}
    manifest = {BESIDE.path: {"url": "/docs/first", "page": 4, "headings": [heading]}}
    yield json.dumps({"version": 1, "pages": manifest}).encode()
    yield b'{"position": 2, "label": "Guide", "link": {"type": "doc", "id": "guide/first"}}'


def csv_seeds() -> Iterator[bytes]:
    for path in sorted(Path("sample_book/docs").rglob("*.csv")):
        yield path.read_bytes()[:2000]
    yield b'Name;Mass\r\nArm;2,5 kg\r\n"Leg; left";"3"""\r\n'
    yield "\ufeffA title\nName\tMass\nArm\t2 kg\n\n".encode()
    yield "Name|Mass\nÄrm|2\n".encode("utf-16")
    yield "Größe,µm\n1,2\n".encode("cp1252")


PAGE_TARGET = Target(
    page_law,
    page_seeds,
    words=(
        *VISIBLE_PROPS, "---\n", "title: ", "slug: ", "page: ", "sidebar_position: ", "draft: true",
        "last_update:", "!!bool ", "!!int ", "!!float ", "!!timestamp ", "!!binary ", "!!set ", "!!omap ",
        "import x from 'y'", "export const ", "<Tabs>", "</Tabs>", "<!--", "-->", "{/*", "*/}",
        "<img src=", "<br/>", "{`", "`}", ":::note[", ":::\n", "```js title=\"", "```\n",
        "| a | b |\n|---|---|\n", "$$", "[^1]: ", "[^1]", "![", "](", "<https://", "&#xD800;", "&nbsp;",
        "\\", "**", "__", "~~", "1. ", "- [ ] ", "> ", "# ", "{#id}", "===\n", "\t", "    ", "<script>",
        "</script>", '!!! note "', "??? tip", '=== "Tab"', "\n:   ", "{: #id .c }", "<div markdown>",
        "--8<-- ", "*[A]: ", "[TOC]", "nav:\n  - ", "site_url: ", "!!python/name:", "exclude_docs: |\n  ",
        "</div>", "<h2 id=", "<table>", "[a]: /u \"t\"\n", "<a b={", "'", '"', "&amp;", "{...p}", "\r\n",
    ),
)  # fmt: skip
CSV_TARGET = Target(
    csv_law, csv_seeds, words=('"', '""', ",", ";", "\t", "|", "\r\n", "\r", "\n\n", "\ufeff")
)
XLSX_TARGET = Target(xlsx_law, workbook_seeds, mutate=mutated_archive, longest=32 * 1024)
