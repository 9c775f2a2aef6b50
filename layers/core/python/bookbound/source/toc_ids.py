"""Heading ids as Python-Markdown's `toc` and `attr_list` extensions make them, for MkDocs (I3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from markdown_it.token import Token

Slugify = Callable[[str, str], str]
"""From a heading's text and the separator to its id; empty where nothing of the text can be in an id."""

RESERVED = "reserved ids"
"""Key under which a parser notes ids that stand elsewhere in the page."""

_LONGEST_LEAD = 100
"""Characters between a brace and what it holds."""
_ATTRIBUTE = re.compile(r"""[^ =}]+="[^"]*"|[^ =}]+='[^']*'|[^ =}]+=[^ =}]+|[^ =}]+""")
_COUNTED = re.compile(r"(.*)_([0-9]+)", re.DOTALL)
_NO_WORD = re.compile(r"[^\w\s-]")
_NO_WORD_OR_SPACE = re.compile(r"[^\w\- ]")
_TAG = re.compile(r"</?[^>]*>")


def ascii_slug(text: str, separator: str) -> str:
    """Python-Markdown's default: what is not ASCII loses its accents or is left out."""
    return unicode_slug(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode(), separator)


def unicode_slug(text: str, separator: str) -> str:
    """`markdown.extensions.toc.slugify_unicode`."""
    words = _NO_WORD.sub("", text).strip().lower()
    return re.sub(rf"[{re.escape(separator)}\s]+", lambda _: separator, words)


def pymdownx_slug(options: Mapping[str, Any]) -> Slugify:
    """`pymdownx.slugs.slugify` with its options `case`, `percent_encode` and `normalize`."""
    form = str(options.get("normalize", "NFC"))
    lower: Callable[[str], str] = {
        "lower": str.lower,
        "fold": str.casefold,
        "lower-ascii": lambda text: re.sub("[A-Z]", lambda letter: letter[0].lower(), text),
    }.get(str(options.get("case", "none")), str)
    encode = options.get("percent_encode") in (True, "true")

    def slug(text: str, separator: str) -> str:
        normal = _without_tags(unicodedata.normalize(form, text)).strip()  # type: ignore[arg-type]
        written = _NO_WORD_OR_SPACE.sub("", lower(normal)).replace(" ", separator)
        return quote(written) if encode else written

    return slug


def _without_tags(text: str) -> str:
    # Behind the last > there is none to look for, again and again.
    end = text.rfind(">") + 1
    return _TAG.sub("", text[:end]) + text[end:]


@dataclass(frozen=True, slots=True)
class TocRules:
    """The settings that decide a heading's id.

    Attributes:
        slugify: None where the site's function is unknown; then no id is known but those of authors.
        attributes: whether `{#id}` gives an id (`attr_list`).
    """

    slugify: Slugify | None = ascii_slug
    separator: str = "-"
    attributes: bool = False


class TocIds:
    """The ids of one page's headings; fits `dialect.HeadingIds`."""

    def __init__(self, rules: TocRules, sources: Iterable[str], noted: Mapping[str, Any]) -> None:
        self._rules = rules
        explicit = (self.split(source)[1] for source in sources)
        self._used = {one for one in (*explicit, *noted.get(RESERVED, ())) if one}
        self._last: dict[str, int] = {}

    def split(self, source: str) -> tuple[str, str | None]:
        """Split attributes such as `{#id .class}` off; the last id among them counts."""
        at = _attributes_at(source) if self._rules.attributes else None
        if at is None:
            return source, None
        attributes = read_attributes(source[at:].strip(" ")[1:-1].removeprefix(":"))
        return (source, None) if attributes is None else (_without_hashes(source[:at]), attributes or None)

    def slug(self, text: str) -> str | None:
        """The id of the next heading; one that is taken gets _1, _2, …"""
        if self._rules.slugify is None:
            return None
        return self._unique(self._rules.slugify(" ".join(text.split()), self._rules.separator))

    def _unique(self, wanted: str) -> str:
        unique = wanted
        if not wanted or wanted in self._used:
            counted = _COUNTED.fullmatch(wanted)
            base, count = (counted[1], int(counted[2])) if counted else (wanted, 0)
            count = self._last.get(wanted, count) + 1
            while (unique := f"{base}_{count}") in self._used:
                count += 1
            self._last[wanted] = count
        self._used.add(unique)
        return unique


def _attributes_at(source: str) -> int | None:
    """Where the attributes at the end of a heading begin: at the first brace that could be theirs."""
    if not source.rstrip(" ").endswith("}"):
        return None
    at = source.find(" {")
    while at >= 0:
        inner = source[at + 2 : at + 2 + _LONGEST_LEAD].removeprefix(":").lstrip(" ")
        if inner and inner[0] != "}":
            return at
        at = source.find(" {", at + 1)
    return None


def _without_hashes(text: str) -> str:
    return text.rstrip().rstrip("#").rstrip()


def read_attributes(source: str) -> str | None:
    """The id that a list of attributes gives, "" where it gives none; None where it is no such list."""
    rest = _ATTRIBUTE.sub(" ", source)
    if "}" in rest:
        return None
    ids = [_id_of(one) for one in _ATTRIBUTE.findall(source)]
    return next((found for found in reversed(ids) if found), "")


def _id_of(attribute: str) -> str:
    if attribute.startswith("#"):
        return attribute[1:]
    return attribute.removeprefix("id=").strip("\"'") if attribute.startswith("id=") else ""


def shown_text(tokens: Iterable[Token]) -> str:
    """The text of a heading without tags and pictures."""
    return "".join(
        " "
        if token.type == "softbreak"
        else ""
        if token.type in ("image", "markup")
        else shown_text(token.children)
        if token.children
        else token.content
        for token in tokens
    )
