"""From a docs folder's files to a book: which files are pages, where they stand, what they hold (I3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from uuid import NAMESPACE_URL, UUID, uuid5

from bookbound.model import Image, Section
from bookbound.policy.book_policy import Policy
from bookbound.source.markdown import parse_page
from bookbound.source.mkdocs import CONFIG_FILES, MkDocsConfig, MkDocsSite, parse_config
from bookbound.source.pages import Page, Piece, Place, ReadBook, Skipped, SourceFile
from bookbound.source.sidebar import Category, is_category_file, parse_category
from bookbound.source.site import DocusaurusSite, PlainSite, Site
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
class _Built:
    """What decides the places of pages: the kind of site, and what its build wrote down."""

    policy: Policy
    site: Site
    manifest: Mapping[str, SitePage]


def read_book(files: Sequence[SourceFile], policy: Policy, *, book_id: str) -> ReadBook:
    """Return the book that the files make: pages in the site's order, and files left out with reasons.

    A page's number is its front matter's, else the site manifest's, else its 1-based place in that order;
    a page that the policy excludes keeps its place. A CSV or XLSX file becomes a separate page, at the
    place of the page in its folder that mentions it, else of its folder's first page (T1). Of pages with one
    URL the first is taken.
    """
    ordered = sorted(files, key=lambda file: file.path)
    built, broken = _built(ordered, policy)
    opened = [open_file(file, built.site) for file in ordered if is_page_file(file.path)]
    sources = {found.path: found for found in opened if isinstance(found, Source)}
    places = _places(sources, built)
    excluded = path_matcher(policy.exclude)
    shown = {path: place for path, place in places.items() if not excluded(path)}
    hidden = _hidden(shown, built.site)
    pages = [
        _page(sources[path], place, built, book_id) for path, place in shown.items() if path not in hidden
    ]
    tables = [found for found in opened if isinstance(found, TableFile) and not excluded(found.path)]
    skipped = [_left_out(found, excluded(found.path)) for found in opened]
    return ReadBook(
        pages=tuple(_with_tables(pages, tables, sources, built, book_id)),
        skipped=(*broken, *hidden.values(), *(note for note in skipped if note is not None)),
    )


def _left_out(found: Source | TableFile | Skipped, excluded: bool) -> Skipped | None:
    if excluded and not (isinstance(found, Skipped) and not found.failed):
        return Skipped(found.path, "excluded by the policy", failed=False)
    return found if isinstance(found, Skipped) else None


# --- places ---------------------------------------------------------------------------------------


def _built(files: Sequence[SourceFile], policy: Policy) -> tuple[_Built, list[Skipped]]:
    """The site and its manifest; a broken file about it is left out and the conventions hold."""
    site, broken = _site(files, policy)
    manifests = [
        attempt(file, lambda file: parse_site_manifest(file.content))
        for file in files
        if file.path == FILE_NAME
    ]
    manifest = next((found for found in manifests if not isinstance(found, Skipped)), {})
    broken += [found for found in manifests if isinstance(found, Skipped)]
    return _Built(policy, site, manifest), broken


def _site(files: Sequence[SourceFile], policy: Policy) -> tuple[Site, list[Skipped]]:
    match policy.site:
        case "docusaurus":
            return _docusaurus(files, policy)
        case "mkdocs":
            return _mkdocs(files, policy)
        case "markdown":
            return PlainSite(policy), []


def _docusaurus(files: Sequence[SourceFile], policy: Policy) -> tuple[Site, list[Skipped]]:
    folders = [
        (str(PurePosixPath(file.path).parent), attempt(file, lambda file: parse_category(decode(file))))
        for file in files
        if is_category_file(file.path)
    ]
    categories = {folder: found for folder, found in folders if isinstance(found, Category)}
    return DocusaurusSite(policy, categories), [found for _, found in folders if isinstance(found, Skipped)]


def _mkdocs(files: Sequence[SourceFile], policy: Policy) -> tuple[Site, list[Skipped]]:
    """Without a readable mkdocs.yml, MkDocs' defaults hold."""
    file = next((file for file in files if file.path in CONFIG_FILES), None)
    if file is None:
        missing = "not found in the docs folder or next to it, so MkDocs' defaults are taken"
        return MkDocsSite.of(policy, MkDocsConfig()), [Skipped(CONFIG_FILES[0], missing)]
    config = attempt(file, lambda file: parse_config(decode(file)))
    if isinstance(config, Skipped):
        return MkDocsSite.of(policy, MkDocsConfig()), [config]
    notes = [Skipped(file.path, note, failed=False) for note in config.notes]
    if _is_folder_above(config, files):
        notes.append(
            Skipped(file.path, f"its docs_dir is {config.docs_dir}: ingest that folder, not the one above")
        )
    return MkDocsSite.of(policy, config), notes


def _is_folder_above(config: MkDocsConfig, files: Sequence[SourceFile]) -> bool:
    """Whether the files are those of the project, with the docs folder among them."""
    below = {file.path.removeprefix(f"{config.docs_dir}/") for file in files if is_page_file(file.path)}
    paths = {file.path for file in files}
    wanted = set(config.nav or ("index.md",))
    return not wanted & paths and bool(wanted & below)


def _places(sources: Mapping[str, Source], built: _Built) -> dict[str, Place]:
    """Return every page's place, in the order of reading: the built site's where it is known."""
    order = built.site.order({path: source.front_matter for path, source in sources.items()})
    numbers = {path: number for number, path in enumerate(order, 1)}
    numbers |= {path: page.page for path, page in built.manifest.items() if path in numbers}
    return {
        path: _place(sources[path], numbers[path], built) for path in sorted(order, key=numbers.__getitem__)
    }


def _place(source: Source, number: int, built: _Built) -> Place:
    page = built.manifest.get(source.path)
    url = page.url if page else built.site.url(source.path, source.front_matter)
    return Place(url, source.front_matter.page or number)


def _hidden(places: Mapping[str, Place], site: Site) -> dict[str, Skipped]:
    """The pages that the site does not show, since one before them has their URL: a link would lead there."""
    first: dict[str, str] = {}
    for path, place in places.items():
        first.setdefault(place.url.rstrip("/"), path)
    return {
        path: Skipped(path, f"its URL {place.url} is that of {shown}; {site.own_address}")
        for path, place in places.items()
        if (shown := first[place.url.rstrip("/")]) != path
    }


# --- pages ----------------------------------------------------------------------------------------


def _page(source: Source, place: Place, built: _Built, book_id: str) -> Page:
    site = built.site
    parsed = parse_page(
        source.markdown,
        title=source.front_matter.title,
        fallback_title=site.name(source.path, source.front_matter),
        language=built.policy.language,
        dialect=site.dialect,
    )
    shown = built.manifest.get(source.path)
    return Page(
        document=source.path,
        document_id=_document_id(source.path, book_id),
        title=parsed.title,
        page=place.page,
        url=place.url,
        revision=source.revision,
        last_update=source.front_matter.last_update,
        sections=with_site_ids(parsed.sections, shown.headings) if shown else parsed.sections,
        pieces=tuple(_located(piece, source.path, place.url, site) for piece in parsed.pieces),
        tables=parsed.tables,
        stripped=parsed.stripped,
    )


def _located(piece: Piece, path: str, page_url: str, site: Site) -> Piece:
    """The piece with its pictures' addresses as the site serves them."""
    images = (Image(_picture_url(image, path, page_url, site), image.alt) for image in piece.images)
    return replace(piece, images=tuple(images)) if piece.images else piece


def _picture_url(image: Image, path: str, page_url: str, site: Site) -> str:
    try:
        return site.picture_url(image, path, page_url)
    except ValueError:  # no address at all, such as `//[x`; it stays as it is written, and nothing is fetched
        return image.url


def _with_tables(
    pages: Sequence[Page],
    tables: Iterable[TableFile],
    sources: Mapping[str, Source],
    built: _Built,
    book_id: str,
) -> list[Page]:
    """The pages, each followed by the table files that stand at its place."""
    start = Place(built.site.home, 1)
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
