"""Docusaurus' conventions for names: number prefixes, ids, slugs, permalinks, heading ids (I3)."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from urllib.parse import quote, urljoin

from bookbound.source.frontmatter import FrontMatter

_DATE_OR_VERSION = re.compile(r"[0-9]+[-_.][0-9]+")
_NUMBER_PREFIX = re.compile(r"([0-9]+)\s*[-_.]+\s*([^-_.\s].*)")
_PARTIAL = re.compile(r"(?:^|/)(?:_|__tests__/)")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PROTOCOL = re.compile(r"^[^/:]+://")
_EXPLICIT_ID = re.compile(r"\\?\{#(?P<id>(?:(?!\{#|\}).)+)\}$")
_COMMENT_ID = re.compile(r"\{/\*\s*#(?P<id>[^\s*]+)(?:\s[^*]*)?\*/\}$")
_CIRCLED_LETTERS = re.compile(
    "[\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189]"
)
_SLUG_CATEGORIES = ("L", "M", "Nd", "Nl", "Pc")


def split_number_prefix(name: str) -> tuple[str, int | None]:
    """A file's or folder's name without its number prefix, and the prefix: `01-intro` → ("intro", 1).

    Dates and versions are no prefixes: `2021-11-foo` and `7.0-foo` stay whole.
    """
    match = None if _DATE_OR_VERSION.match(name) else _NUMBER_PREFIX.fullmatch(name)
    return (match[2], int(match[1])) if match else (name, None)


def is_partial(path: str) -> bool:
    """Return whether Docusaurus makes no page of this path: a name starts with "_", or it is a test."""
    return _PARTIAL.search(path) is not None


def base_id(path: str, front_matter: FrontMatter) -> str:
    """The last part of a document's id, which also names a page without a title."""
    stem = PurePosixPath(path).stem
    unprefixed = split_number_prefix(stem)[0] if front_matter.parse_number_prefixes else stem
    return front_matter.id or unprefixed


def document_id(path: str, front_matter: FrontMatter) -> str:
    """The id by which a sidebar names the document, e.g. `guides/intro` for `02-guides/01-intro.md`."""
    folder = _folder(path, front_matter)
    return f"{folder}/{base_id(path, front_matter)}" if folder else base_id(path, front_matter)


def is_category_index(path: str) -> bool:
    """Return whether the page is its folder's own: index, README, or named like the folder."""
    page = PurePosixPath(path)
    return page.stem.lower() in ("index", "readme", page.parent.name.lower())


def slug(path: str, front_matter: FrontMatter) -> str:
    """The page's address below the docs route, starting with "/"; not URL-encoded."""
    wanted = front_matter.slug
    if wanted is not None and wanted.startswith("/"):
        return wanted
    folder = _folder(path, front_matter)
    folder_slug = f"/{folder}/" if folder else "/"
    if wanted is None and is_category_index(path):
        return folder_slug
    return _resolve(wanted or base_id(path, front_matter), folder_slug)


def permalink(page_slug: str, base_url: str, route_base_path: str) -> str:
    """The page's URL: base_url + route_base_path + slug, one slash between, URL-encoded as in a sitemap."""
    protocol = _PROTOCOL.match(base_url)
    start = protocol[0] if protocol else ""
    joined = "/".join((base_url.removeprefix(start), route_base_path, page_slug))
    path = re.sub(r"/{2,}", "/", joined if start else f"/{joined}")
    return start + quote(_STRAY_PERCENT.sub("%25", path), safe="/;,:@&=+$!*'()%")


def heading_id(text: str) -> tuple[str, str | None]:
    r"""Split an explicit id off a heading: `Title {#id}`, `Title \{#id}`, `Title {/* #id */}`."""
    match = _EXPLICIT_ID.search(text) or _COMMENT_ID.search(text)
    return (text[: match.start()].rstrip(), match["id"].strip()) if match else (text, None)


class HeadingSlugger:
    """Makes the ids of one page's headings as github-slugger does; those with an explicit id don't count."""

    def __init__(self) -> None:
        self._occurrences: dict[str, int] = {}

    def slug(self, text: str) -> str:
        """The id of the next heading; a repeated one gets -1, -2, …"""
        wanted = unique = _slugify(text)
        while unique in self._occurrences:
            self._occurrences[wanted] += 1
            unique = f"{wanted}-{self._occurrences[wanted]}"
        self._occurrences[unique] = 0
        return unique


def _slugify(text: str) -> str:
    return "".join(char for char in text.lower() if _stays(char)).replace(" ", "-")


def _stays(char: str) -> bool:
    return (
        char in " -"
        or unicodedata.category(char).startswith(_SLUG_CATEGORIES)
        or _CIRCLED_LETTERS.match(char) is not None
    )


def _folder(path: str, front_matter: FrontMatter) -> str:
    """The page's folder, "" for the root, its number prefixes gone unless the page wants them kept."""
    names = PurePosixPath(path).parent.parts
    strip = front_matter.parse_number_prefixes
    return "/".join(split_number_prefix(name)[0] if strip else name for name in names)


def _resolve(relative: str, folder_slug: str) -> str:
    """Resolve a slug against its folder's, as a browser resolves a link."""
    resolved: list[str] = []
    parts = [*folder_slug.strip("/").split("/"), *relative.split("/")]
    for part in parts:
        if part == "..":
            del resolved[-1:]
        elif part not in ("", "."):
            resolved.append(part)
    closing = "/" if parts[-1] in ("", ".", "..") and resolved else ""
    return "/" + "/".join(resolved) + closing


def image_url(source: str, page_url: str, base_url: str) -> str:
    """Return a picture's URL on the site: static files below base_url, relative ones next to its page."""
    if source.startswith("/") and not source.startswith(("//", base_url)):
        return base_url.rstrip("/") + source
    return urljoin(page_url, source)
