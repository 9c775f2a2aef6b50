"""MkDocs' conventions: `mkdocs.yml`, the order of `nav`, addresses, front matter (I3)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import yaml

from bookbound.model import Image
from bookbound.policy.book_policy import Policy
from bookbound.source.dialect import Dialect
from bookbound.source.frontmatter import (
    Fields,
    FrontMatter,
    FrontMatterError,
    Yaml12Loader,
    load_fields,
    split_front_matter,
    text_field,
)
from bookbound.source.gitignore import ignored_by
from bookbound.source.mdx import HtmlImage
from bookbound.source.mkdocs_markdown import mkdocs_dialect
from bookbound.source.pages import Skipped
from bookbound.source.site import folder_order, is_index, name_of_file, without_places
from bookbound.source.toc_ids import Slugify, TocRules, ascii_slug, pymdownx_slug, unicode_slug

CONFIG_FILES = ("mkdocs.yml", "mkdocs.yaml")

_DEFAULT_EXCLUDED = (".*", "/templates/")
_DEFAULT_EXTENSIONS = ("toc", "tables", "fenced_code")
_BUNDLES = {
    "extra": ("abbr", "attr_list", "def_list", "footnotes", "md_in_html"),
    "pymdownx.extra": ("abbr", "attr_list", "def_list", "footnotes", "md_in_html"),
}
_MOVES_PAGES = frozenset(
    {"awesome-nav", "awesome-pages", "blog", "gen-files", "i18n", "literate-nav", "material/blog"}
    | {"monorepo", "multirepo", "section-index"}
)
_META_LINE = re.compile(r" {0,3}(?P<key>[A-Za-z0-9_-]{1,100}):\s*(?P<value>.*)")
_META_MORE = re.compile(r"(?: {4}|\t)\s*(?P<value>.*)")
_FRONT_MATTER_DOTS = re.compile(r"^\.{3}[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tagged:
    """A value behind a YAML tag of Python's, of which nothing is run."""

    tag: str
    value: Any


class _ConfigLoader(Yaml12Loader):
    """Takes `!!python/name:…`, `!ENV` and the like for the text that they are."""


def _tagged(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> Tagged:
    if isinstance(node, yaml.MappingNode):
        return Tagged(suffix, loader.construct_mapping(node, deep=True))
    if isinstance(node, yaml.SequenceNode):
        return Tagged(suffix, loader.construct_sequence(node, deep=True))
    return Tagged(suffix, loader.construct_scalar(node))  # type: ignore[arg-type]


_ConfigLoader.add_multi_constructor("tag:yaml.org,2002:python/", _tagged)
_ConfigLoader.add_multi_constructor("!", _tagged)


@dataclass(frozen=True, slots=True)
class MkDocsConfig:
    """Content of `mkdocs.yml`, as far as it decides places and ids.

    Attributes:
        base_path: path of `site_url`, with both slashes.
        nav: path → title (None without one), in order; None where the folder decides.
        excluded: patterns of `exclude_docs`, and those of MkDocs itself.
        drafts: patterns of `draft_docs`.
        not_in_nav: patterns of pages that follow at the end, where there is no nav.
        extensions: the Markdown extensions by their full names.
        notes: what of the file is not followed, for the author.
    """

    base_path: str = "/"
    docs_dir: str = "docs"
    use_directory_urls: bool = True
    nav: Mapping[str, str | None] | None = None
    excluded: Sequence[str] = _DEFAULT_EXCLUDED
    drafts: Sequence[str] = ()
    not_in_nav: Sequence[str] = ()
    extensions: frozenset[str] = frozenset(_DEFAULT_EXTENSIONS)
    toc: TocRules = field(default_factory=TocRules)
    notes: tuple[str, ...] = ()


def parse_config(text: str) -> MkDocsConfig:
    """Read `mkdocs.yml`. Raises FrontMatterError, its message begins with the line or names the field."""
    fields = load_fields(text, _ConfigLoader)
    extensions = _extensions(fields.get("markdown_extensions"))
    toc, toc_note = _toc_rules(extensions)
    plugins = [name for name, _ in _named(fields.get("plugins"))]
    notes = [
        f"its plugin {name} can move pages, and is not followed" for name in plugins if name in _MOVES_PAGES
    ]
    if "INHERIT" in fields:
        notes.append("its INHERIT is not followed: write nav and markdown_extensions into this file")
    return MkDocsConfig(
        base_path=_base_path(fields),
        docs_dir=posixpath.normpath(_text(fields, "docs_dir") or "docs"),
        use_directory_urls=_flag(fields, "use_directory_urls"),
        nav=dict(_nav(fields["nav"])) if isinstance(fields.get("nav"), list | dict) else None,
        excluded=(*_DEFAULT_EXCLUDED, *_lines(fields, "exclude_docs")),
        drafts=_lines(fields, "draft_docs"),
        not_in_nav=_lines(fields, "not_in_nav"),
        extensions=frozenset((*_DEFAULT_EXTENSIONS, *extensions)),
        toc=toc,
        notes=(*notes, *toc_note),
    )


# --- mkdocs.yml -----------------------------------------------------------------------------------


def _text(fields: Fields, name: str) -> str | None:
    """A field's text; a value from the environment is not known here."""
    return None if isinstance(fields.get(name), Tagged) else text_field(fields, name)


def _base_path(fields: Fields) -> str:
    path = urlsplit(_text(fields, "site_url") or "").path
    return f"/{path.strip('/')}/".replace("//", "/")


def _flag(fields: Fields, name: str) -> bool:
    value = fields.get(name)
    flag = {None: True, True: True, False: False, "yes": True, "on": True, "no": False, "off": False}
    known = value.lower() if isinstance(value, str) else value
    if isinstance(known, Tagged) or known not in flag:
        raise FrontMatterError(f"`{name}` must be true or false")
    return flag[known]


def _lines(fields: Fields, name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise FrontMatterError(f"`{name}` must be text with a pattern on each line")
    return tuple((value or "").splitlines())


def _nav(items: Any, title: str | None = None) -> Iterator[tuple[str, str | None]]:
    """The pages of `nav` in reading order; a page that stands in it twice counts once, as dict keeps it."""
    seen: set[str] = set()
    for path, name in _nav_entries(items, title):
        if path not in seen:
            seen.add(path)
            yield path, name


def _nav_entries(items: Any, title: str | None) -> Iterator[tuple[str, str | None]]:
    if isinstance(items, str):
        yield posixpath.normpath(items), title
    elif isinstance(items, list):
        for item in items:
            yield from _nav_entries(item, None)
    elif isinstance(items, dict):
        for name, item in items.items():
            yield from _nav_entries(item, str(name))


def _named(items: Any) -> Iterator[tuple[str, Any]]:
    """The entries of a list such as `plugins`: names alone, or names with settings."""
    if isinstance(items, dict):
        yield from ((str(name), settings) for name, settings in items.items())
    elif isinstance(items, list):
        for item in items:
            yield from _named(item) if isinstance(item, dict) else [(str(item), None)]


def _extensions(items: Any) -> dict[str, Any]:
    """The Markdown extensions and their settings; one that brings others along stands for them too."""
    found: dict[str, Any] = {}
    for name, settings in _named(items):
        short = name.removeprefix("markdown.extensions.")
        found[short] = settings
        found |= dict.fromkeys(_BUNDLES.get(short, ()))
    return found


def _toc_rules(extensions: Mapping[str, Any]) -> tuple[TocRules, tuple[str, ...]]:
    settings = extensions.get("toc")
    settings = settings if isinstance(settings, dict) else {}
    slugify = _slugify(settings.get("slugify"))
    note = () if slugify else ("its toc.slugify is unknown, so citations lead to pages, not to headings",)
    separator = settings.get("separator")
    return TocRules(
        slugify=slugify,
        separator=separator if isinstance(separator, str) and len(separator) == 1 else "-",
        attributes="attr_list" in extensions,
    ), note


def _slugify(value: Any) -> Slugify | None:
    if value is None:
        return ascii_slug
    name = value.tag.rpartition(":")[2] if isinstance(value, Tagged) else value
    if name in ("markdown.extensions.toc.slugify", "markdown.extensions.headerid.slugify"):
        return ascii_slug
    if name == "markdown.extensions.toc.slugify_unicode":
        return unicode_slug
    if name != "pymdownx.slugs.slugify" or not isinstance(value, Tagged):
        return None
    options = value.value.get("kwds") if isinstance(value.value, dict) else None
    return pymdownx_slug(options if isinstance(options, dict) else {})


# --- the site -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MkDocsSite:
    """MkDocs, Material's or another theme; fits `site.Site`."""

    policy: Policy
    config: MkDocsConfig
    dialect: Dialect
    excluded: Callable[[str], bool]
    drafts: Callable[[str], bool]
    outside_nav: Callable[[str], bool]
    own_address: str = "rename it"

    @classmethod
    def of(cls, policy: Policy, config: MkDocsConfig) -> MkDocsSite:
        """The site that a config describes."""
        return cls(
            policy,
            config,
            mkdocs_dialect(config.extensions, config.toc),
            ignored_by(config.excluded),
            ignored_by(config.drafts),
            ignored_by(config.not_in_nav),
        )

    def left_out(self, path: str) -> Skipped | None:
        reason = (
            "MkDocs makes no page of .mdx"
            if path.endswith(".mdx")
            else "excluded by MkDocs: exclude_docs, or templates/"
            if self.excluded(path)
            else "draft: draft_docs"
            if self.drafts(path)
            else None
        )
        return Skipped(path, reason, failed=False) if reason else None

    def split(self, source: str) -> tuple[FrontMatter, str]:
        front_matter, markdown = split_meta(source)
        return replace(without_places(front_matter), draft=False, unlisted=False), markdown

    def order(self, pages: Mapping[str, FrontMatter]) -> Sequence[str]:
        built = [path for path in folder_order(pages) if not self._is_second_index(path, pages)]
        in_folder = (path for path in built if not self.outside_nav(path))
        shown = set(built)
        nav = in_folder if self.config.nav is None else self.config.nav
        listed = dict.fromkeys(path for path in nav if path in shown)
        return [*listed, *(path for path in built if path not in listed)]

    def url(self, path: str, front_matter: FrontMatter) -> str:
        page = PurePosixPath(path)
        stem = "index" if page.stem == "README" else page.stem
        if not self.config.use_directory_urls:
            return self.home + quote(str(page.with_name(f"{stem}.html")))
        folder = page.parent if stem == "index" else page.parent / stem
        return self.home + (f"{quote(str(folder))}/" if folder.parts else "")

    def name(self, path: str, front_matter: FrontMatter) -> str:
        title = (self.config.nav or {}).get(path)
        page = PurePosixPath(path)
        home = "Home" if is_index(page) and not page.parent.parts else None
        return title or home or name_of_file("index" if page.stem == "README" else page.stem)

    def picture_url(self, image: Image, path: str, page_url: str) -> str:
        """In Markdown a picture's path is relative to the page's file; in HTML to the page's address."""
        return urljoin(page_url if isinstance(image, HtmlImage) else self.home + quote(path), image.url)

    @property
    def home(self) -> str:
        """The policy's base_url, unless it is left to `site_url`."""
        return self.config.base_path if self.policy.base_url == "/" else self.policy.base_url

    def _is_second_index(self, path: str, pages: Iterable[str]) -> bool:
        """MkDocs leaves out a README next to an index."""
        page = PurePosixPath(path)
        return page.stem == "README" and str(page.with_name("index.md")) in pages


def split_meta(source: str) -> tuple[FrontMatter, str]:
    """Split a page into its front matter and Markdown, as MkDocs: YAML, else lines such as `Title: A page`.

    Raises FrontMatterError.
    """
    if source.startswith("---"):
        return split_front_matter(
            _FRONT_MATTER_DOTS.sub("---", source, count=1) if _dotted(source) else source
        )
    lines = source.split("\n")
    meta: dict[str, list[str]] = {}
    key, used = "", 0
    for line in lines:
        first, more = _META_LINE.match(line), _META_MORE.match(line)
        if first:
            key = first["key"].lower()
        found = first or (more if key else None)
        if found is None:
            break
        meta.setdefault(key, []).append(found["value"].strip())
        used += 1
    values = {name: " ".join(parts).strip() for name, parts in meta.items()}
    return FrontMatter(title=values.get("title"), last_update=values.get("date")), "\n".join(lines[used:])


def _dotted(source: str) -> bool:
    """Whether the front matter ends by three dots, not by dashes."""
    dots, dashes = source.find("\n..."), source.find("\n---")
    return dots >= 0 and (dashes < 0 or dots < dashes)
