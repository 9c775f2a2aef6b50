"""Reader of `bookbound.yaml`. Any error in it is reported with file and line."""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml

from bookbound.errors import PolicyError
from bookbound.policy.book_policy import DEFAULT, Policy, ScopeRule, Thresholds
from bookbound.policy.scope import matcher

MAX_BYTES = 256 * 1024
_MAX_DEPTH = 8
_LONGEST_DETAIL = 300
_LONGEST_PATH_PATTERN = 200
_NULL = "tag:yaml.org,2002:null"
_BEYOND_UNICODE = re.compile(r"\\U(?!000|0010)")

Read = Callable[[yaml.Node], Any]


class _LineError(Exception):
    """A mistake in the file, at a 1-based line."""

    def __init__(self, line: int, detail: str) -> None:
        super().__init__(detail)
        self.line = line
        one_line = " ".join(detail.split())
        self.detail = one_line[:_LONGEST_DETAIL] + "…" * (len(one_line) > _LONGEST_DETAIL)


def load(text: str, name: str = "bookbound.yaml") -> Policy:
    """The policy that the file states; what it leaves out is the default's (X13).

    Args:
        text: the whole file, at most 256 KiB.
        name: the file's name, for messages.

    Raises:
        PolicyError: "name:line: what is wrong".
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise PolicyError(f"{name}:1: the file is larger than {MAX_BYTES // 1024} KiB")
    try:
        root = _compose(text)
        stated = _policy_values(root) if root and root.tag != _NULL else {}
    except _LineError as fault:
        raise PolicyError(f"{name}:{fault.line}: {fault.detail}") from fault
    return dataclasses.replace(DEFAULT, **stated)


# --- YAML -----------------------------------------------------------------------------------------


def _compose(text: str) -> yaml.Node | None:
    try:
        _refuse_traps(text)
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _LineError(line, f"a character that YAML does not allow (U+{error.character:04X})") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _LineError(mark.line + 1 if mark else 1, _plain_words(error)) from error
    except (ValueError, OverflowError) as error:
        raise _LineError(_line_of_bad_escape(text), "an escape that names no character") from error


def _refuse_traps(text: str) -> None:
    """An alias can blow a small file up or make it endless; a policy needs neither it nor depth."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _LineError(_line(event), f"aliases (*{event.anchor}) are not allowed; write the value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            raise _LineError(_line(event), "nested too deeply")


def _plain_words(error: yaml.MarkedYAMLError) -> str:
    problem = ", ".join(filter(None, (error.context, error.problem)))
    if "'\\t'" in problem:
        return "a tab; YAML is indented with spaces"
    return f"not valid YAML: {problem}"


def _line_of_bad_escape(text: str) -> int:
    """PyYAML does not tell where an escape beyond the last Unicode character stands."""
    escape = _BEYOND_UNICODE.search(text)
    return text.count("\n", 0, escape.start()) + 1 if escape else 1


def _line(at: yaml.Node | yaml.Event) -> int:
    mark = at.start_mark
    return int(mark.line) + 1 if mark else 1


# --- values ---------------------------------------------------------------------------------------


def _text(node: yaml.Node) -> str:
    """Text on one line, white space collapsed."""
    return " ".join(_characters(node).split())


def _characters(node: yaml.Node) -> str:
    """Return text as it stands, without the line break that YAML's block style leaves at its end."""
    value = _scalar(node, "str", "text (a number, yes, no or a date needs quotes)").strip()
    if not value:
        raise _LineError(_line(node), "expected text, found nothing")
    if any(
        unicodedata.category(character) in {"Cc", "Cs"} and character not in "\t\n" for character in value
    ):
        raise _LineError(_line(node), "the text holds a control character or half a character")
    return value


def _pattern(node: yaml.Node) -> str:
    pattern = _characters(node)
    try:
        matches = matcher(pattern)
    except ValueError as error:
        raise _LineError(
            _line(node),
            f"the pattern {pattern!r} can't be used: {error} "
            "(RE2 syntax: no lookaround, no backreferences, which could take for ever)",
        ) from error
    if matches(""):
        raise _LineError(_line(node), f"the pattern {pattern!r} matches every question")
    return pattern


def _path_pattern(node: yaml.Node) -> str:
    pattern = _text(node)
    if len(pattern) > _LONGEST_PATH_PATTERN:
        raise _LineError(_line(node), f"a path pattern has at most {_LONGEST_PATH_PATTERN} characters")
    return pattern


def _share(node: yaml.Node) -> float:
    return _number(node, "float|int", 0, 1, "a number from 0 to 1")


def _passages(node: yaml.Node) -> int:
    """At most five passages ever reach a generator (R2)."""
    return int(_number(node, "int", 1, 5, "a whole number from 1 to 5"))


def _number(node: yaml.Node, kinds: str, low: int, high: int, expected: str) -> float:
    written = _scalar(node, kinds, expected)
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise _LineError(_line(node), f"expected {expected}, found {written[:40]}")
    return value


def _one_of(*choices: str) -> Read:
    def read(node: yaml.Node) -> str:
        value = _text(node)
        if value not in choices:
            raise _LineError(_line(node), f"expected {' or '.join(choices)}, found {value!r}")
        return value

    return read


def _shaped(shape: str, expected: str) -> Read:
    def read(node: yaml.Node) -> str:
        value = _text(node)
        if re.fullmatch(shape, value) is None:
            raise _LineError(_line(node), f"expected {expected}, found {value!r}")
        return value

    return read


def _scalar(node: yaml.Node, kinds: str, expected: str) -> str:
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    if not isinstance(node, yaml.ScalarNode) or kind not in kinds.split("|"):
        raise _LineError(_line(node), f"expected {expected}, found {_found(node)}")
    return str(node.value)


def _found(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value[:40]) or "nothing"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"


# --- collections ----------------------------------------------------------------------------------


def _list_of(read: Read) -> Read:
    def read_all(node: yaml.Node) -> tuple[Any, ...]:
        if not isinstance(node, yaml.SequenceNode):
            raise _LineError(_line(node), f"expected a list, found {_found(node)}")
        return tuple(read(item) for item in node.value)

    return read_all


def _mapping_of(read: Read) -> Read:
    return lambda node: {key: read(value) for key, (_, value) in _entries(node).items()}


def _fields(readers: Mapping[str, Read]) -> Read:
    """A mapping whose keys are known."""

    def read(node: yaml.Node) -> dict[str, Any]:
        entries = _entries(node)
        for key, (at, _) in entries.items():
            if key not in readers:
                raise _LineError(_line(at), f"unknown key {key!r}{_did_you_mean(key, readers)}")
        return {key: readers[key](value) for key, (_, value) in entries.items()}

    return read


def _entries(node: yaml.Node) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        raise _LineError(_line(node), f"expected a mapping (key: value), found {_found(node)}")
    entries: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for at, value in node.value:
        key = _text(at)
        if key in entries:
            raise _LineError(_line(at), f"{key!r} stands here twice; first in line {_line(entries[key][0])}")
        entries[key] = (at, value)
    return entries


def _did_you_mean(key: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; the keys are {', '.join(known)}"


# --- the policy -----------------------------------------------------------------------------------


def _scope_rule(node: yaml.Node) -> ScopeRule:
    values = _fields({"topic": _text, "patterns": _list_of(_pattern)})(node)
    for key in ("topic", "patterns"):
        if not values.get(key):
            raise _LineError(_line(node), f"an out-of-scope rule needs {key!r}")
    return ScopeRule(values["topic"], values["patterns"])


def _thresholds(node: yaml.Node) -> Thresholds:
    shares = ("empty", "sufficient", "blend", "semantic_weight", "lexical_weight")
    readers = dict.fromkeys(shares, _share) | dict.fromkeys(("min_chunks", "max_chunks"), _passages)
    stated = dataclasses.replace(Thresholds(), **_fields(readers)(node))
    if stated.empty > stated.sufficient:
        raise _LineError(_line(node), f"empty ({stated.empty:g}) is above sufficient ({stated.sufficient:g})")
    if stated.min_chunks > stated.max_chunks:
        raise _LineError(
            _line(node), f"min_chunks ({stated.min_chunks}) is above max_chunks ({stated.max_chunks})"
        )
    if not math.isclose(stated.semantic_weight + stated.lexical_weight, 1):
        raise _LineError(_line(node), "semantic_weight and lexical_weight must add up to 1")
    return stated


def _policy_values(root: yaml.Node) -> dict[str, Any]:
    values: dict[str, Any] = _fields(_KEYS)(root)
    for kind, questions in values.pop("canary_questions", {}).items():
        values[f"canary_{kind}"] = questions
    return values


_texts = _list_of(_text)
_KEYS: Mapping[str, Read] = {
    "title": _text,
    "language": _shaped(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", "a language code such as en or pt-BR"),
    "covered_subjects": _texts,
    "out_of_scope": _list_of(_scope_rule),
    "thresholds": _thresholds,
    "weak_evidence": _one_of("answer", "refuse"),
    "related": _one_of("show", "hide"),
    "starters": _texts,
    "glossary": _mapping_of(_text),
    "aliases": _mapping_of(_texts),
    "answered_in": _mapping_of(_texts),
    "canary_questions": _fields({"answer": _texts, "refuse": _texts}),
    "exclude": _list_of(_path_pattern),
    "site": _one_of("docusaurus", "mkdocs", "markdown"),
    "base_url": _shaped(r"/(\S*/)?", "a path that begins and ends with a slash, such as /book/"),
    "route_base_path": _shaped(r"\S+", "a path without spaces, such as docs"),
}
