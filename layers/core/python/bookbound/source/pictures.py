"""Pictures of a book that its own site serves, and where their files may lie."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Page

STATIC = "static"
"""Docusaurus' folder for files that are served as they are; it lies next to the docs folder."""

MEDIA_TYPES = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}


def site_path(url: str) -> str | None:
    """The path at which the book's site serves a URL: decoded, without slashes around it.

    None when another site serves it, or when the path could lead out of the site.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path).strip("/")
    is_local = not parts.scheme and not parts.netloc and parts.path.startswith("/")
    return path if is_local and not _is_unsafe(path) else None


def media_type(path: str) -> str | None:
    """The content type of a picture, by its name; None for what is no picture."""
    return MEDIA_TYPES.get(PurePosixPath(path).suffix.lower())


def picture_places(pages: Iterable[Page], policy: Policy) -> dict[str, tuple[str, ...]]:
    """Return possible places of each picture: `site_path` → paths from the docs folder, likeliest first."""
    return {
        path: tuple(_places(path, page, policy))
        for page in pages
        for piece in page.pieces
        for image in piece.images
        if (path := site_path(image.url)) and media_type(path)
    }


def _is_unsafe(path: str) -> bool:
    return "\\" in path or not path.isprintable() or ".." in path.split("/")


def _places(path: str, page: Page, policy: Policy) -> Iterator[str]:
    is_docusaurus = policy.site == "docusaurus"
    if is_docusaurus:
        yield posixpath.join("..", STATIC, path.removeprefix(f"{policy.base_url.strip('/')}/"))
    page_path = site_path(page.url)
    if page_path is not None:
        # The way from page to picture is the same among the files as on the site. MkDocs gives a page that is
        # no index a folder of its own, which it leaves out of that way.
        stands_in_folder = page.url.endswith("/") and (is_docusaurus or _is_index(page.document))
        folder = page_path if stands_in_folder else posixpath.dirname(page_path)
        way = posixpath.relpath(f"/{path}", f"/{folder}")
        yield posixpath.normpath(posixpath.join(posixpath.dirname(page.document), way))


def _is_index(document: str) -> bool:
    return PurePosixPath(document).stem in ("index", "README")
