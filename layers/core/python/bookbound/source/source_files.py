"""Opening files of a book: bytes → front matter and Markdown, or tables, or a reason to leave it out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import re2

from bookbound.source.frontmatter import FrontMatter, FrontMatterError
from bookbound.source.mkdocs import CONFIG_FILES
from bookbound.source.pages import Skipped, SourceFile, Table
from bookbound.source.sidebar import is_category_file
from bookbound.source.site import Site
from bookbound.source.site_manifest import FILE_NAME, SiteManifestError
from bookbound.source.workbooks import WorkbookError, read_csv, read_xlsx

PARSER_VERSION = "3"
"""Part of every revision: raise it when the same file would give another page."""

MAX_BYTES = 2 * 2**20
"""Maximum bytes of a page or table."""

SITE_FILES = (FILE_NAME, *CONFIG_FILES)
"""Files about the site as a whole; they may lie next to the docs folder."""

_WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}

T = TypeVar("T")


class NotTextError(ValueError):
    """A file that should be text is not; the message names the line."""


@dataclass(frozen=True, slots=True)
class Source:
    """A Markdown file, opened; `revision` is the SHA-256 of its bytes and the parser's version, in hex."""

    path: str
    front_matter: FrontMatter
    markdown: str
    revision: str


@dataclass(frozen=True, slots=True)
class TableFile:
    """A CSV or XLSX file, opened; `revision` as of a Source."""

    path: str
    tables: tuple[Table, ...]
    revision: str


def is_page_file(path: str) -> bool:
    """Return whether the file is Markdown or a table."""
    return path.endswith((".md", ".mdx")) or _is_table(path)


def is_book_file(path: str) -> bool:
    """Return whether a book has a use for the file: a page, a category file, or one of SITE_FILES."""
    return is_page_file(path) or is_category_file(path) or path in SITE_FILES


def open_file(file: SourceFile, site: Site) -> Source | TableFile | Skipped:
    """Open a page or table file; what the site shows no page of is Skipped without being a failure."""
    if left_out := site.left_out(file.path):
        return left_out
    if len(file.content) > MAX_BYTES:
        size = len(file.content) / 2**20
        return Skipped(file.path, f"{size:.1f} MiB, a page may have {MAX_BYTES // 2**20} MiB")
    if _is_table(file.path):
        return attempt(file, _table_file)
    found = attempt(file, lambda file: _source(file, site))
    if isinstance(found, Source) and (found.front_matter.draft or found.front_matter.unlisted):
        return Skipped(file.path, "draft" if found.front_matter.draft else "unlisted", failed=False)
    return found


def attempt(file: SourceFile, read: Callable[[SourceFile], T]) -> T | Skipped:
    """Return what `read` makes of the file, or why it cannot."""
    try:
        return read(file)
    except (NotTextError, FrontMatterError, SiteManifestError, WorkbookError) as error:
        return Skipped(file.path, str(error))


def _source(file: SourceFile, site: Site) -> Source:
    front_matter, markdown = site.split(decode(file))
    return Source(file.path, front_matter, markdown, _revision(file))


def _table_file(file: SourceFile) -> TableFile:
    is_csv = file.path.lower().endswith(".csv")
    tables = (read_csv(file.content),) if is_csv else read_xlsx(file.content)
    return TableFile(file.path, tables, _revision(file))


def _is_table(path: str) -> bool:
    return path.lower().endswith((".csv", ".xlsx"))


def decode(file: SourceFile) -> str:
    """The file's text, UTF-8 with or without a mark. Raises NotTextError."""
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.content.count(b"\n", 0, error.start) + 1
        raise NotTextError(f"line {line}: not UTF-8") from error
    before, nul, _ = text.partition("\0")
    if nul:
        raise NotTextError(f"line {before.count(chr(10)) + 1}: a NUL character, so this is not text")
    return text


def _revision(file: SourceFile) -> str:
    return hashlib.sha256(file.content + PARSER_VERSION.encode()).hexdigest()


def path_matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Return a test for paths by globs: `*` within a name, `**` over folders, `folder/` all below it."""
    # In linear time: a few asterisks would keep the standard library's engine busy for ever.
    compiled = [re2.compile(_glob(pattern)) for pattern in patterns]
    return lambda path: any(pattern.fullmatch(path) for pattern in compiled)


def _glob(pattern: str) -> str:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", f"{pattern}**" if pattern.endswith("/") else pattern)
    return "(?s)" + "".join(_WILDCARDS.get(part, re2.escape(part)) for part in parts)
