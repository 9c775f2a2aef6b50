"""MDX as a markdown-it plugin: what a reader does not see of it becomes separate tokens.

Block tokens: `esm` (import, export), `markup` (lines of only tags, expressions and comments) and
`directive` (a `:::` line, its title as content). Inline token: `markup`, whose `meta` holds a `Markup`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from bookbound.model import Image

VISIBLE_PROPS = ("title", "caption", "label")
"""Props that a component shows to the reader; on an HTML element they are no running text."""

_INLINE = re.compile(
    "a|abbr|b|cite|code|del|dfn|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strong|su[bp]|u|var|wbr"
)
_UNSEEN = frozenset({"script", "style"})
_IMAGES = frozenset({"img", "Image", "IdealImage"})

_NAME = re.compile(r"<(/?)(?:([A-Za-z][\w.:-]*)|(?=>))")
_PROP = re.compile(
    r"""\s+([A-Za-z_:@][\w:.@-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(?=(\{))|([^\s"'=<>`{}]+)))?"""
)
_SPREAD = re.compile(r"\s*(?=\{)")
_TAG_END = re.compile(r"\s*(/?)>")
_STRING = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)'|`((?:(?!\$\{)[^`\\])*)`)\s*""")
_QUOTED = re.compile(r"""["']([^"']+)["']""")

_IMPORT = re.compile(
    r"""import\s(?:[\w$*{},\s]{1,2000}(?<=[\s}])from\s*)?(["'])[^"'\n]+\1[ \t]*(?:;[ \t]*)?(?://.*)?(?:\n//.*)*$""",
    re.MULTILINE,
)
_EXPORT = re.compile(r"export\s+(?:default|const|let|var|async|function|class)\b|export\s*[{*]")
_LONGEST_EXPORT = 1000
"""Lines that are searched for the end of an export."""
_DIRECTIVE = re.compile(r":{3,}[ \t]*(?:[A-Za-z][\w-]*(?:\[(.*)\])?(?:\{[^{}]*\})?(?:[ \t]+(.*))?)?$")


@dataclass(frozen=True, slots=True)
class HtmlImage(Image):
    """A picture of an HTML tag, whose source a site may leave as it is where it mends those of Markdown."""


@dataclass(frozen=True, slots=True)
class Markup:
    """A tag, an expression or a comment, up to `end` in its source.

    Attributes:
        note: what was stripped, None when nothing was.
        text: what a reader sees of it, one piece per line.
        breaks: whether text before and after it stands on separate lines.
    """

    end: int
    note: str | None = None
    text: str = ""
    image: Image | None = None
    breaks: bool = False


Scan = Callable[[str, int], Markup | None]

_INTERRUPTING: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


def mdx_plugin(md: MarkdownIt) -> None:
    """Teach a parser MDX, and take the plain HTML rules and indented code from it, as MDX does."""
    md.disable("code")
    md.block.ruler.before("fence", "esm", _esm)
    md.block.ruler.before("fence", "directive", _directive, _INTERRUPTING)
    _markup_rules(md, scan)


def html_plugin(md: MarkdownIt) -> None:
    """Teach a parser HTML alone, as `markup` tokens too: braces are text, and a tag's props are not shown."""
    _markup_rules(md, _scan_html)


def _markup_rules(md: MarkdownIt, scan: Scan) -> None:
    def flow(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        return _flow(state, line, end_line, silent, scan)

    def inline(state: StateInline, silent: bool) -> bool:
        return _inline(state, silent, scan)

    md.disable(["html_block", "html_inline"])
    md.block.ruler.before("fence", "markup", flow, _INTERRUPTING)
    md.inline.ruler.after("autolink", "markup", inline)


def scan(source: str, pos: int) -> Markup | None:
    """The tag, expression or comment that starts at `pos`; None when it is plain text after all."""
    if source.startswith("<!--", pos):
        return _comment(source, pos, "-->")
    if source.startswith("{/*", pos):
        return _comment(source, pos, "*/}")
    if source.startswith("<", pos):
        return _tag(source, pos)
    if source.startswith("{", pos):
        return _expression(source, pos)
    return None


def _scan_html(source: str, pos: int) -> Markup | None:
    found = scan(source, pos) if source.startswith("<", pos) else None
    if found is None:
        return None
    image = found.image and HtmlImage(found.image.url, found.image.alt)
    return replace(found, text="", image=image, breaks=found.breaks and not found.text)


def _comment(source: str, pos: int, closer: str) -> Markup | None:
    if _last(source, closer) < pos:
        return None
    return Markup(source.index(closer, pos) + len(closer), "comment")


@lru_cache(maxsize=4)
def _last(source: str, closer: str) -> int:
    return source.rfind(closer)


def _expression(source: str, pos: int) -> Markup | None:
    end = _closers(source).get(pos)
    if end is None:
        return None
    text = _literal(source[pos + 1 : end])
    return Markup(end + 1, "expression") if text is None else Markup(end + 1, text=text)


def _literal(expression: str) -> str | None:
    """Return the value of a JavaScript expression that is only a string."""
    found = _STRING.fullmatch(expression)
    return next((group for group in found.groups() if group is not None), None) if found else None


@lru_cache(maxsize=2)
def _closers(source: str) -> dict[int, int]:
    """Return where each opening brace is closed; one pass, so that no text makes parsing quadratic."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for brace in re.finditer(r"[{}]", source):
        if brace.group() == "{":
            opened.append(brace.start())
        elif opened:
            pairs[opened.pop()] = brace.start()
    return pairs


def _tag(source: str, pos: int) -> Markup | None:
    start = _NAME.match(source, pos)
    if start is None:
        return None
    props, pos = _props(source, start.end())
    end = _TAG_END.match(source, pos)
    if end is None:
        return None
    name = start[2] or ""
    if start[1]:
        return Markup(end.end(), breaks=_breaks(name))
    stop = end.end() if end[1] or name.lower() not in _UNSEEN else _past(source, f"</{name}>", end.end())
    text = "\n".join(props[prop] for prop in VISIBLE_PROPS if name[:1].isupper() and props.get(prop))
    return Markup(stop, f"<{name}> tag", text, _image(name, props), _breaks(name) or bool(text))


def _props(source: str, pos: int) -> tuple[dict[str, str], int]:
    """The string props from `pos` on, and where they end; of an expression only a string in it counts."""
    props: dict[str, str] = {}
    while found := _PROP.match(source, pos) or _SPREAD.match(source, pos):
        pos = found.end()
        if found.re is _SPREAD or found[4]:
            close = _closers(source).get(pos)
            if close is None:
                break
            value = _value(source[pos + 1 : close]) if found.re is _PROP else None
            pos = close + 1
        else:
            value = next((html.unescape(group) for group in found.group(2, 3, 5) if group is not None), None)
        if value is not None:
            props[found[1]] = value
    return props, pos


def _value(expression: str) -> str | None:
    """The string of `{"…"}`, and of `{require("…").default}` or `{useBaseUrl("…")}`."""
    quoted = _QUOTED.search(expression) if re.match(r"\s*(require|useBaseUrl)\(", expression) else None
    return quoted[1] if quoted else _literal(expression)


def _image(name: str, props: dict[str, str]) -> Image | None:
    return Image(props["src"], props.get("alt", "")) if name in _IMAGES and props.get("src") else None


def _breaks(name: str) -> bool:
    return name.islower() and not _INLINE.fullmatch(name)


def _past(source: str, closer: str, pos: int) -> int:
    found = source.find(closer, pos)
    return pos if found < 0 else found + len(closer)


def _inline(state: StateInline, silent: bool, scan: Scan) -> bool:
    markup = scan(state.src, state.pos)
    if markup is None or markup.end > state.posMax:
        return False
    if not silent:
        token = state.push("markup", "", 0)
        token.meta = {"markup": markup}
        # What Docusaurus takes for the text of an expression, comments in braces included: its source.
        token.content = state.src[state.pos + 1 : markup.end - 1] if state.src[state.pos] == "{" else ""
    state.pos = markup.end
    return True


def _flow(state: StateBlock, line: int, end_line: int, silent: bool, scan: Scan) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    end = _markup_only(state.src, start, state.eMarks[end_line - 1], scan, interrupting=silent)
    if end is None:
        return False
    if not silent:
        while state.eMarks[line] < end:
            line += 1
        push_text(state, "markup", state.src[start:end], line + 1)
    return True


def _markup_only(source: str, pos: int, limit: int, scan: Scan, *, interrupting: bool) -> int | None:
    """Return the end of the line on which the markup at `pos` ends, if there is only markup."""
    while (markup := scan(source, pos)) and markup.end <= limit:
        if interrupting and not markup.breaks:
            return None
        pos = markup.end
        while pos < limit and source[pos] in " \t":
            pos += 1
        if pos == limit or source[pos] == "\n":
            return pos
        interrupting = False
    return None


def _directive(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    found = _DIRECTIVE.match(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
    if found is None:
        return False
    if not silent:
        push_text(state, "directive", (found[1] or found[2] or "").rstrip(" \t"), line + 1)
    return True


def push_text(state: StateBlock, kind: str, content: str, next_line: int) -> None:
    """Push a block of a kind that holds this inline content, and go on at `next_line`."""
    state.push(f"{kind}_open", "", 1)
    inline = state.push("inline", "", 0)
    inline.content = content
    inline.children = []
    state.push(f"{kind}_close", "", -1)
    state.line = next_line


def _esm(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    start = state.bMarks[line]
    if state.level or state.sCount[line] or not state.src.startswith(("import", "export"), start):
        return False
    if statement := _IMPORT.match(state.src, start):
        while line < end_line and state.eMarks[line] < statement.end():
            line += 1
    elif _EXPORT.match(state.src, start):
        line = _last_line_of_export(state, line, end_line)
    else:
        return False
    if not silent:
        state.push("esm", "", 0).info = state.src[start : start + len("import")]
        state.line = line + 1
    return True


def _last_line_of_export(state: StateBlock, first: int, end_line: int) -> int:
    """An export ends before a blank line, though not inside its own brackets."""
    depth, blank = 0, None
    # A page of exports that never end would have each of its lines counted again and again.
    opened: dict[int, int] = state.env.setdefault("brackets_opened", {})
    for line in range(first, min(end_line, first + _LONGEST_EXPORT)):
        if line not in opened:
            opened[line] = _opened(state.src[state.bMarks[line] : state.eMarks[line]])
        depth += opened[line]
        if line + 1 == end_line or state.isEmpty(line + 1):
            if depth <= 0:
                return line
            blank = line if blank is None else blank
    return first if blank is None else blank


def _opened(text: str) -> int:
    return sum(map(text.count, "{[(")) - sum(map(text.count, "}])"))
