"""Reads a file of one JSON object a line into typed records, and says which line is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from bookbound.errors import BookboundError

Record = TypeVar("Record")


class InputError(BookboundError):
    """An input file breaks its format; the message names file, line and field."""


def load(path: Path, record: type[Record]) -> list[Record]:
    """Every line of `path` as a `record` (a dataclass), blank lines and unknown fields ignored.

    Raises InputError at the first line that does not fit, or when there is none at all; OSError when the
    file cannot be read.
    """
    adapter = TypeAdapter(record)
    records = [_parse(adapter, line, f"{path}:{number}") for number, line in _lines(path)]
    if not records:
        raise InputError(f"{path}: the file holds no records")
    return records


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start})") from error
    # Not splitlines(): JSON strings may hold U+2028 and its like.
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _parse(adapter: TypeAdapter[Record], line: str, where: str) -> Record:
    try:
        value: Any = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object")
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {field}: {first['msg']}") from error
