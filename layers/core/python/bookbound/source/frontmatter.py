"""A page's front matter, read as Docusaurus reads it: YAML 1.2 between two lines of dashes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

_LANGUAGES = ("", "yaml", "json")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]{1,15}(?:\.[0-9]*)?)")
_PAGE = re.compile(r"[1-9][0-9]{0,8}")
_LONGEST = 64 * 1024
"""Characters; the parser takes its time for each."""
_LONGEST_FIELD = 2000
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")

Fields = Mapping[str, Any]
"""Content of a YAML mapping; numbers and dates stand in it as text."""


class FrontMatterError(ValueError):
    """Front matter or category file that cannot be used; the message names the line or the field."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields that decide a page's place and name (I3); None where the author wrote nothing.

    Attributes:
        sidebar_position: may be negative or a fraction.
        page: the author's own page number, 1 or more.
        last_update: the author's date, as written.
    """

    id: str | None = None
    title: str | None = None
    slug: str | None = None
    sidebar_position: float | None = None
    parse_number_prefixes: bool = True
    draft: bool = False
    unlisted: bool = False
    page: int | None = None
    last_update: str | None = None


def split_front_matter(source: str) -> tuple[FrontMatter, str]:
    """Split a page's source into its front matter and its Markdown.

    Raises:
        FrontMatterError: the YAML is broken, or a field has a value of the wrong kind.
    """
    if not source.startswith("---") or source.startswith("----"):
        return FrontMatter(), source
    opening, newline, rest = source.partition("\n")
    if opening[3:].strip() not in _LANGUAGES:
        raise FrontMatterError(f"line 1: front matter in {opening[3:].strip()!r}, only YAML is supported")
    matter, _, body = (newline + rest).partition("\n---")
    return _front_matter(load_fields(matter)), body.removeprefix("\r").removeprefix("\n")


def load_fields(text: str, loader: type[yaml.SafeLoader] | None = None) -> Fields:
    """The mapping that a YAML 1.2 (or JSON) text holds; empty for an empty text.

    Raises:
        FrontMatterError: not YAML, or not a mapping; the message starts with the 1-based line.
    """
    if len(text) > _LONGEST:
        raise FrontMatterError(f"line 1: more than {_LONGEST // 1024} KiB of fields")
    try:
        value = yaml.load(text, Loader=loader or Yaml12Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise FrontMatterError(f"line {line}: {error.problem}") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position)) + 1
        raise FrontMatterError(f"line {line}: {error.reason}") from error
    except (RecursionError, ValueError, KeyError) as error:
        raise FrontMatterError(f"line 1: not readable as YAML ({type(error).__name__})") from error
    if value is not None and not isinstance(value, dict):
        raise FrontMatterError("line 1: expected fields such as `title: …`")
    return value or {}


def text_field(fields: Fields, name: str) -> str | None:
    """A field's text, trimmed; None when absent or blank. Raises FrontMatterError for lists and the like."""
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise FrontMatterError(f"`{name}` must be text")
    if value and _LONE_SURROGATE.search(value):
        raise FrontMatterError(f"`{name}` holds half a character (a lone surrogate)")
    if len(value or "") > _LONGEST_FIELD:
        raise FrontMatterError(f"`{name}` is longer than {_LONGEST_FIELD:,} characters")
    return (value or "").strip() or None


def number_field(fields: Fields, name: str) -> float | None:
    """A field's number; None when absent. Raises FrontMatterError for anything else."""
    value = text_field(fields, name)
    if value is not None and not _NUMBER.fullmatch(value):
        raise FrontMatterError(f"`{name}` must be a number, not {value!r}")
    return None if value is None else float(value)


def _flag_field(fields: Fields, name: str, default: bool) -> bool:
    value = fields.get(name)
    flag = {None: default, True: True, False: False, "true": True, "false": False}
    if not isinstance(value, str | bool | None) or value not in flag:
        raise FrontMatterError(f"`{name}` must be true or false")
    return flag[value]


def _front_matter(fields: Fields) -> FrontMatter:
    return FrontMatter(
        id=_id_field(fields),
        title=text_field(fields, "title"),
        slug=text_field(fields, "slug"),
        sidebar_position=number_field(fields, "sidebar_position"),
        parse_number_prefixes=_flag_field(fields, "parse_number_prefixes", True),
        draft=_flag_field(fields, "draft", False),
        unlisted=_flag_field(fields, "unlisted", False),
        page=_page_field(fields),
        last_update=_date_field(fields),
    )


def _id_field(fields: Fields) -> str | None:
    value = text_field(fields, "id")
    if value is not None and "/" in value:
        raise FrontMatterError("`id` must not hold a slash")
    return value


def _page_field(fields: Fields) -> int | None:
    value = text_field(fields, "page")
    if value is not None and not _PAGE.fullmatch(value):
        raise FrontMatterError(f"`page` must be a whole number from 1, not {value!r}")
    return None if value is None else int(value)


def _date_field(fields: Fields) -> str | None:
    last_update = fields.get("last_update")
    updated = text_field(last_update, "date") if isinstance(last_update, dict) else None
    return updated or text_field(fields, "date")


class Yaml12Loader(yaml.SafeLoader):
    """Takes yes, no, dates and numbers for the text that they are; only null, true and false are more."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as PyYAML declares it
    # The others fail each in its own way when a tag such as !!timestamp asks for them.
    yaml_constructors = {  # noqa: RUF012
        tag: construct
        for tag, construct in yaml.SafeLoader.yaml_constructors.items()
        if tag is None or tag.rpartition(":")[2] in ("null", "bool", "str", "seq", "map")
    }

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """YAML 1.2 has no merge keys; a few lines of them could fill any memory."""


Yaml12Loader.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]
)
Yaml12Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
