"""From a docs folder's files to a book: which files are pages, where they stand, what they hold (I3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from uuid import NAMESPACE_URL, UUID, uuid5

from bookbound.model import Image, Section
from bookbound.policy.book_policy import Policy
from bookbound.source.docusaurus import base_id, image_url, permalink, slug
from bookbound.source.markdown import parse_page
from bookbound.source.pages import Page, Piece, Place, ReadBook, Skipped, SourceFile
from bookbound.source.sidebar import Category, is_category_file, parse_category, sidebar_order
from bookbound.source.site_manifest import FILE_NAME, SitePage, parse_site_manifest, with_site_ids
from bookbound.source.source_files import (
    Source,
    TableFile,
    attempt,
    decode,
    is_page_file,
    open_file,
    path_matcher,
)


@dataclass(frozen=True, slots=True)
class _Site:
    """Inputs that decide the places of pages."""

    policy: Policy
    categories: Mapping[str, Category]
    manifest: Mapping[str, SitePage]


def read_book(files: Sequence[SourceFile], policy: Policy, *, book_id: str) -> ReadBook:
    """Return the book that the files make: pages in sidebar order, and files left out with reasons.

    A page's number is its front matter's, else the site manifest's, else its 1-based place in the sidebar;
    a page that the policy excludes keeps its place. A CSV or XLSX file becomes a separate page, at the
    place of the page in its folder that mentions it, else of its folder's first page (T1). Of pages with one
    URL the first is taken.
    """
    ordered = sorted(files, key=lambda file: file.path)
    site, broken = _site(ordered, policy)
    opened = [open_file(file) for file in ordered if is_page_file(file.path)]
    sources = {found.path: found for found in opened if isinstance(found, Source)}
    places = _places(sources, site)
    excluded = path_matcher(policy.exclude)
    shown = {path: place for path, place in places.items() if not excluded(path)}
    hidden = _hidden(shown)
    pages = [
        _page(sources[path], place, site, book_id) for path, place in shown.items() if path not in hidden
    ]
    tables = [found for found in opened if isinstance(found, TableFile) and not excluded(found.path)]
    skipped = [_left_out(found, excluded(found.path)) for found in opened]
    return ReadBook(
        pages=tuple(_with_tables(pages, tables, sources, site, book_id)),
        skipped=(*broken, *hidden.values(), *(note for note in skipped if note is not None)),
    )


def _left_out(found: Source | TableFile | Skipped, excluded: bool) -> Skipped | None:
    if excluded and not (isinstance(found, Skipped) and not found.failed):
        return Skipped(found.path, "excluded by the policy", failed=False)
    return found if isinstance(found, Skipped) else None


# --- places ---------------------------------------------------------------------------------------


def _site(files: Sequence[SourceFile], policy: Policy) -> tuple[_Site, list[Skipped]]:
    """The category files and the manifest; a broken one is left out and the conventions hold."""
    folders = [
        (str(PurePosixPath(file.path).parent), attempt(file, lambda file: parse_category(decode(file))))
        for file in files
        if is_category_file(file.path)
    ]
    manifests = [
        attempt(file, lambda file: parse_site_manifest(file.content))
        for file in files
        if file.path == FILE_NAME
    ]
    categories = {folder: found for folder, found in folders if isinstance(found, Category)}
    manifest = next((found for found in manifests if not isinstance(found, Skipped)), {})
    broken = [found for found in (*(found for _, found in folders), *manifests) if isinstance(found, Skipped)]
    return _Site(policy, categories, manifest), broken


def _places(sources: Mapping[str, Source], site: _Site) -> dict[str, Place]:
    """Return every page's place, in the order of reading: the built site's where it is known."""
    order = sidebar_order({path: source.front_matter for path, source in sources.items()}, site.categories)
    numbers = {path: number for number, path in enumerate(order, 1)}
    numbers |= {path: page.page for path, page in site.manifest.items() if path in numbers}
    return {
        path: _place(sources[path], numbers[path], site) for path in sorted(order, key=numbers.__getitem__)
    }


def _place(source: Source, number: int, site: _Site) -> Place:
    built = site.manifest.get(source.path)
    url = built.url if built else _url(slug(source.path, source.front_matter), site.policy)
    return Place(url, source.front_matter.page or number)


def _hidden(places: Mapping[str, Place]) -> dict[str, Skipped]:
    """The pages that the site does not show, since one before them has their URL: a link would lead there."""
    first: dict[str, str] = {}
    for path, place in places.items():
        first.setdefault(place.url.rstrip("/"), path)
    return {
        path: Skipped(path, f"its URL {place.url} is that of {shown}; give it a `slug` of its own")
        for path, place in places.items()
        if (shown := first[place.url.rstrip("/")]) != path
    }


def _url(page_slug: str, policy: Policy) -> str:
    return permalink(page_slug, policy.base_url, policy.route_base_path)


# --- pages ----------------------------------------------------------------------------------------


def _page(source: Source, place: Place, site: _Site, book_id: str) -> Page:
    parsed = parse_page(
        source.markdown,
        title=source.front_matter.title,
        fallback_title=base_id(source.path, source.front_matter),
        language=site.policy.language,
    )
    built = site.manifest.get(source.path)
    return Page(
        document=source.path,
        document_id=_document_id(source.path, book_id),
        title=parsed.title,
        page=place.page,
        url=place.url,
        revision=source.revision,
        last_update=source.front_matter.last_update,
        sections=with_site_ids(parsed.sections, built.headings) if built else parsed.sections,
        pieces=tuple(_located(piece, place.url, site.policy.base_url) for piece in parsed.pieces),
        tables=parsed.tables,
        stripped=parsed.stripped,
    )


def _located(piece: Piece, page_url: str, base_url: str) -> Piece:
    """The piece with its pictures' addresses as the site serves them."""
    images = (Image(image_url(image.url, page_url, base_url), image.alt) for image in piece.images)
    return replace(piece, images=tuple(images)) if piece.images else piece


def _with_tables(
    pages: Sequence[Page],
    tables: Iterable[TableFile],
    sources: Mapping[str, Source],
    site: _Site,
    book_id: str,
) -> list[Page]:
    """The pages, each followed by the table files that stand at its place."""
    start = Place(_url("/", site.policy), 1)
    hosted: dict[str | None, list[Page]] = {}
    for file in tables:
        host = _host(file.path, pages, sources)
        place = Place(host.url, host.page) if host else start
        hosted.setdefault(host.document if host else None, []).append(_table_page(file, place, book_id))
    return hosted.get(None, []) + [
        shown for page in pages for shown in (page, *hosted.get(page.document, ()))
    ]


def _host(path: str, pages: Sequence[Page], sources: Mapping[str, Source]) -> Page | None:
    """The page of the folder that mentions the file, else the folder's first, else the nearest one above."""
    file = PurePosixPath(path)
    for folder in file.parents:
        neighbours = [page for page in pages if PurePosixPath(page.document).parent == folder]
        mentioned = [page for page in neighbours if file.name in sources[page.document].markdown]
        if neighbours:
            return (mentioned or neighbours)[0]
    return pages[0] if pages else None


def _table_page(file: TableFile, place: Place, book_id: str) -> Page:
    title = PurePosixPath(file.path).name
    return Page(
        document=file.path,
        document_id=_document_id(file.path, book_id),
        title=title,
        page=place.page,
        url=place.url,
        revision=file.revision,
        last_update=None,
        sections=(Section(title, (title,), None),),
        pieces=(),
        tables=file.tables,
    )


def _document_id(path: str, book_id: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"bookbound:{book_id}/{path}")
