"""`bookbound-pages.json`: the places and ids that the site's plugin wrote down as it built the site (I3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bookbound.model import Section

FILE_NAME = "bookbound-pages.json"


class SiteManifestError(ValueError):
    """The file is not a manifest of ours; the message names the field."""


class SiteHeading(BaseModel):
    """A heading of the built page: `text` as a reader sees it, `id` as the link to it ends."""

    model_config = ConfigDict(frozen=True, strict=True)

    level: Annotated[int, Field(ge=1, le=6)]
    text: str
    id: str


class SitePage(BaseModel):
    """A built page: permalink, 1-based place in the sidebar, headings in order."""

    model_config = ConfigDict(frozen=True, strict=True)

    url: Annotated[str, Field(min_length=1)]
    page: Annotated[int, Field(ge=1)]
    headings: Sequence[SiteHeading] = ()


class _Manifest(BaseModel):
    version: Literal[1]
    pages: dict[str, SitePage]


def parse_site_manifest(content: bytes) -> Mapping[str, SitePage]:
    """The built pages by their path in the docs folder. Raises SiteManifestError."""
    try:
        return _Manifest.model_validate_json(content).pages
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise SiteManifestError(f"{field}: {first['msg']}" if field else first["msg"]) from error


def with_site_ids(sections: Sequence[Section], headings: Sequence[SiteHeading]) -> tuple[Section, ...]:
    """The sections with the anchors that the site gave their headings; the first, the title, stays as it is.

    Both run in reading order. A section whose heading the site does not show keeps its own anchor.
    """
    written = [_letters(section.title) for section in sections]
    shown = [_letters(heading.text) for heading in headings]
    found = list(sections)
    for at, other, size in SequenceMatcher(None, written[1:], shown, autojunk=False).get_matching_blocks():
        for n in range(size):
            found[at + 1 + n] = replace(found[at + 1 + n], anchor=headings[other + n].id)
    return tuple(found)


def _letters(text: str) -> str:
    """The text without markup, punctuation and case; the whole of it where nothing else is in it."""
    return "".join(filter(str.isalnum, text.casefold())) or text
