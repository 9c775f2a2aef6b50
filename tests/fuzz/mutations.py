"""Inputs near a given one, for what is more than a row of bytes: JSON, and archives."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

Change = Callable[[bytes], bytes]
Place = tuple[Any, Any]
"""A list or dictionary, and an index or key in it."""

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 2**31, 2**63, -(2**64), 10**400, float("inf"), float("nan"), 1e308, "",
    " ", "\0", "\n", "a\r\nb: c", "é", "\ud800", "٣", "\U0010ffff", "..", "/", "%00", "{}", "null", "true",
    "x" * 3000, [], [None], [[]], ["a", "a"], {}, {"": None}, {"a": {}},
)  # fmt: skip
_MOST_PARTS = 40
_VALUE = re.compile(rb'="[^"]*"|>[^<>]+<')
_NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"16384",
    b"1048576",
    b"99999999999",
    b"1e400",
    b"NaN",
    b"A1",
    b"XFD1048576",
    b"",
)


def mutated_json(content: bytes, random: Random, change: Change) -> bytes:
    """One to three changes of a JSON text's value; where it is none, of its bytes."""
    try:
        value = [json.loads(content)]
        for _ in range(random.randint(1, 3)):
            _change_at(random.choice(list(_places(value))), random, change)
        return json.dumps(value[0]).encode()
    except (ValueError, RecursionError):
        return change(content)


def _places(value: Any) -> Iterator[Place]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _change_at(place: Place, random: Random, change: Change) -> None:
    holder, key = place
    value = holder[key]
    match random.randrange(6):
        case 0:
            holder[key] = random.choice(ODD)
        case 1 if isinstance(holder, dict):
            del holder[key]
        case 2 if isinstance(holder, dict):
            holder[_text(key, change)] = deepcopy(value)
        case 3:
            holder[key] = [value, deepcopy(value)]
        case 4 if isinstance(value, dict):
            value[random.choice(("", "__proto__", "kid", "origin"))] = random.choice(ODD)
        case _ if isinstance(value, str):
            inside = mutated_json if value.startswith("{") else _bytes_changed
            holder[key] = inside(value.encode("utf-8", "surrogatepass"), random, change).decode(
                "utf-8", "replace"
            )
        case _:
            holder[key] = random.choice(ODD)


def _bytes_changed(content: bytes, random: Random, change: Change) -> bytes:
    return change(content)


def _text(value: str, change: Change) -> str:
    return change(value.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def mutated_archive(content: bytes, random: Random, change: Change) -> bytes:
    """Another ZIP file: a part changed, copied, renamed or left out, or else any bytes of the whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = [(info.filename, archive.read(info)) for info in archive.infolist()[:_MOST_PARTS]]
    except Exception:  # whatever a damaged archive leads to
        return change(content)
    if not parts or random.random() < 0.2:
        return _with_number(content, random) if random.random() < 0.5 else change(content)
    at = random.randrange(len(parts))
    name, inside = parts[at]
    match random.randrange(8):
        case 0:
            del parts[at]
        case 1:
            parts.append((_text(name, change), inside))
        case 2:
            parts[at] = (_text(name, change), inside)
        case 3 | 4:
            parts[at] = (name, change(inside))
        case _:
            parts[at] = (name, _with_value(inside, random, change))
    return zipped(parts)


def _with_value(xml: bytes, random: Random, change: Change) -> bytes:
    """An attribute or a text of an XML file as another."""
    found = list(_VALUE.finditer(xml))
    if not found:
        return change(xml)
    value = random.choice(found)
    first, last = value.start() + 2 - xml.startswith(b">", value.start()), value.end() - 1
    new = random.choice(_NUMBERS) if random.random() < 0.5 else change(xml[first:last])
    if random.random() < 0.2:
        new = xml[slice(*sorted(random.choices(range(len(xml)), k=2)))]
    return xml[:first] + new + xml[last:]


def _with_number(content: bytes, random: Random) -> bytes:
    """The archive with another number in one of its headers."""
    changed = bytearray(content)
    heads = [found.start() for found in re.finditer(rb"PK\x01\x02|PK\x03\x04|PK\x05\x06", content)]
    place = random.choice(heads) + random.randrange(4, 46) if heads else 0
    if place + 4 <= len(changed):
        struct.pack_into(
            "<L", changed, place, random.choice((0, 1, 0xFFFF, 0xFFFFFFFF, 2**31, 8, len(content)))
        )
    return bytes(changed)


def zipped(parts: list[tuple[str, bytes]]) -> bytes:
    """Build an archive of these parts, under any names, with a fixed date."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts:
            info = zipfile.ZipInfo("x")
            info.filename = name[:2000]
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=1)
    return whole.getvalue()


def stretched(content: bytes, random: Random, longest: int = 30_000) -> bytes:
    """The input with a slice of it repeated: what takes more than linear time shows it."""
    start, end = sorted(random.choices(range(len(content) + 1), k=2))
    piece = content[start : min(end, start + 64)] or b"("
    return content[:start] + piece * ((longest - len(content)) // len(piece)) + content[end:]
