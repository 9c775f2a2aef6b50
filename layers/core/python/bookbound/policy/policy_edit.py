"""One addition to `bookbound.yaml`, every other byte of the file as it was: comments, order, quotes, breaks.

A YAML library that writes a file anew moves comments and quotes with it, so the addition is put in at the
place that the parser's marks name. The caller compares what the result states with what is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from bookbound.errors import PolicyError

_INDENT = 2
_NULL = "tag:yaml.org,2002:null"


@dataclass(frozen=True, slots=True)
class Addition:
    """Texts at the end of the keys, at least one.

    Attributes:
        kind: "value" of the last key, which is one text, "item" for items of the list there, or "in_line" for
            items of a list that is begun on one line.
    """

    keys: tuple[str, ...]
    texts: tuple[str, ...]
    kind: str

    def lines(self) -> list[str]:
        """The addition as a file by itself."""
        return _block(self.keys, self, 0)


def added(text: str, addition: Addition) -> str:
    """The file's text with the addition. Raises PolicyError where it has no place in it."""
    try:
        return _put(text, yaml.compose(text, Loader=yaml.SafeLoader), addition)
    except (yaml.YAMLError, _NoPlaceError) as error:
        raise PolicyError("the addition has no place in the file; put its lines there by hand") from error


class _NoPlaceError(Exception):
    """The file has something else where the addition belongs."""


def _put(text: str, root: yaml.Node | None, addition: Addition) -> str:
    if root is None or root.tag == _NULL:
        return _insert(text, len(text), addition.lines())
    node, keys = root, addition.keys
    while keys:
        if not isinstance(node, yaml.MappingNode):
            raise _NoPlaceError
        entry = next((pair for pair in node.value if pair[0].value == keys[0]), None)
        if entry is None:
            return _into_mapping(text, node, keys, addition)
        (key, node), keys = entry, keys[1:]
        if node.tag == _NULL and not node.value:
            column = key.start_mark.column + _INDENT
            return _insert(text, key.end_mark.index, _block(keys, addition, column))
    if addition.kind == "value" or not isinstance(node, yaml.SequenceNode):
        raise _NoPlaceError
    return _into_list(text, node, addition)


def _into_mapping(text: str, node: yaml.MappingNode, keys: Sequence[str], addition: Addition) -> str:
    if node.flow_style or not node.value:
        return _into_flow(text, node, _flow(keys, addition))
    return _insert(text, _end(text, node), _block(keys, addition, node.value[0][0].start_mark.column))


def _into_list(text: str, node: yaml.SequenceNode, addition: Addition) -> str:
    if node.flow_style or not node.value:
        return _into_flow(text, node, _flow((), addition))
    return _insert(text, _end(text, node), _block((), addition, node.start_mark.column))


def _into_flow(text: str, node: yaml.CollectionNode, content: str) -> str:
    """Behind the last entry, so that a comma or a comment after it stays where it is."""
    at = _end(text, node, inside=True)
    return f"{text[:at]}{', ' if node.value else ''}{content}{text[at:]}"


def _end(text: str, node: yaml.Node, *, inside: bool = False) -> int:
    """The place after a node's last character; of a flow collection's last entry where asked `inside`."""
    if isinstance(node, yaml.CollectionNode) and (inside or not node.flow_style):
        if not node.value:
            return int(node.start_mark.index) + 1
        last = node.value[-1]
        if isinstance(last, tuple):
            last = last[0] if last[1].tag == _NULL and not last[1].value else last[1]
        return _end(text, last)
    end = int(node.end_mark.index)
    return len(text[:end].rstrip()) if getattr(node, "style", None) in ("|", ">") else end


def _insert(text: str, after: int, lines: Sequence[str]) -> str:
    """Lines behind the line that holds the place `after`, with the file's own line breaks."""
    newline = "\r\n" if "\r\n" in text else "\n"
    found = text.find("\n", after)
    at = len(text) if found < 0 or after >= len(text) else found + 1
    before = text[:at]
    if before and not before.endswith("\n"):
        before += newline
    return before + "".join(line + newline for line in lines) + text[at:]


def _block(keys: Sequence[str], addition: Addition, column: int) -> list[str]:
    indent = " " * column
    if not keys:
        return [indent + _dumped(text, in_flow=False) for text in addition.texts]
    if len(keys) == 1 and addition.kind != "item":
        return [indent + _flow(keys, addition)]
    return [f"{indent}{_scalar(keys[0])}:", *_block(keys[1:], addition, column + _INDENT)]


def _flow(keys: Sequence[str], addition: Addition) -> str:
    value = ", ".join(map(_scalar, addition.texts))
    if not keys:
        return value
    if len(keys) > 1:
        return f"{_scalar(keys[0])}: {{{_flow(keys[1:], addition)}}}"
    return f"{_scalar(keys[0])}: {value if addition.kind == 'value' else f'[{value}]'}"


def _scalar(text: str) -> str:
    """A text on one line such that it reads the same in any place, quoted where it must be."""
    return _dumped(text, in_flow=True)[1:-1]


def _dumped(text: str, *, in_flow: bool) -> str:
    """A list of the text alone, on one line."""
    return str(yaml.safe_dump([text], default_flow_style=in_flow, allow_unicode=True, width=10**6)).strip()
