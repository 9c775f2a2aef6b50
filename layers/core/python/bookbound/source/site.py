"""Kinds of sites: what each makes of a docs folder's files, in one shape (I3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol
from urllib.parse import quote, urljoin

from bookbound.model import Image
from bookbound.policy.book_policy import Policy
from bookbound.source.dialect import DOCUSAURUS, GITHUB, Dialect
from bookbound.source.docusaurus import base_id, image_url, is_partial, permalink, slug
from bookbound.source.frontmatter import FrontMatter, split_front_matter
from bookbound.source.pages import Skipped
from bookbound.source.sidebar import Category, sidebar_order


class Site(Protocol):
    """A site that shows the book. `path` is a page's in the docs folder."""

    @property
    def dialect(self) -> Dialect:
        """How it reads Markdown."""

    @property
    def own_address(self) -> str:
        """What an author does about two pages at one address."""

    @property
    def home(self) -> str:
        """The address of the book as a whole."""

    def left_out(self, path: str) -> Skipped | None:
        """The reason why the site makes no page of a file; None where it makes one."""

    def split(self, source: str) -> tuple[FrontMatter, str]:
        """A page's front matter, as far as the site heeds it, and its Markdown. Raises FrontMatterError."""

    def order(self, pages: Mapping[str, FrontMatter]) -> Sequence[str]:
        """The pages that the site shows, in the order in which a reader pages through them."""

    def url(self, path: str, front_matter: FrontMatter) -> str:
        """The page's address, URL-encoded."""

    def name(self, path: str, front_matter: FrontMatter) -> str:
        """What a page without a title and a heading is called."""

    def picture_url(self, image: Image, path: str, page_url: str) -> str:
        """The address of a picture whose `url` is as the page names it."""


@dataclass(frozen=True, slots=True)
class DocusaurusSite:
    """Docusaurus, its sidebar made from the folder."""

    policy: Policy
    categories: Mapping[str, Category]
    dialect: Dialect = DOCUSAURUS
    own_address: str = "give it a `slug` of its own"

    @property
    def home(self) -> str:
        return permalink("/", self.policy.base_url, self.policy.route_base_path)

    def left_out(self, path: str) -> Skipped | None:
        if is_partial(path):
            return Skipped(path, "a partial, not a page: _ starts its name or folder", failed=False)
        return None

    def split(self, source: str) -> tuple[FrontMatter, str]:
        return split_front_matter(source)

    def order(self, pages: Mapping[str, FrontMatter]) -> Sequence[str]:
        return sidebar_order(pages, self.categories)

    def url(self, path: str, front_matter: FrontMatter) -> str:
        return permalink(slug(path, front_matter), self.policy.base_url, self.policy.route_base_path)

    def name(self, path: str, front_matter: FrontMatter) -> str:
        return base_id(path, front_matter)

    def picture_url(self, image: Image, path: str, page_url: str) -> str:
        return image_url(image.url, page_url, self.policy.base_url)


@dataclass(frozen=True, slots=True)
class PlainSite:
    """Folders of Markdown as they lie, shown as GitHub shows them: an address is base_url and the path."""

    policy: Policy
    dialect: Dialect = GITHUB
    own_address: str = "rename it"

    @property
    def home(self) -> str:
        return self.policy.base_url

    def left_out(self, path: str) -> Skipped | None:
        return None

    def split(self, source: str) -> tuple[FrontMatter, str]:
        front_matter, markdown = split_front_matter(source)
        return without_places(front_matter), markdown

    def order(self, pages: Mapping[str, FrontMatter]) -> Sequence[str]:
        return folder_order(pages)

    def url(self, path: str, front_matter: FrontMatter) -> str:
        return self.policy.base_url + quote(path)

    def name(self, path: str, front_matter: FrontMatter) -> str:
        return name_of_file(PurePosixPath(path).stem)

    def picture_url(self, image: Image, path: str, page_url: str) -> str:
        return urljoin(page_url, image.url)


def without_places(front_matter: FrontMatter) -> FrontMatter:
    """The front matter without what Docusaurus alone makes places of."""
    return replace(front_matter, id=None, slug=None, sidebar_position=None)


def folder_order(paths: Iterable[str]) -> list[str]:
    """The pages by their paths: in a folder its index or README first, then its pages, then its folders."""
    return sorted(paths, key=lambda path: _folder_key(PurePosixPath(path)))


def _folder_key(path: PurePosixPath) -> tuple[tuple[str, ...], bool, str]:
    return path.parent.parts, not is_index(path), path.name


def is_index(path: PurePosixPath) -> bool:
    """Whether the page stands for its folder."""
    return path.stem in ("index", "README")


def name_of_file(stem: str) -> str:
    """A file's name as a title: `getting-started` → Getting started."""
    words = stem.replace("-", " ").replace("_", " ")
    return words.capitalize() if words == words.lower() else words
