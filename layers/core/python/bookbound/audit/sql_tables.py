"""The audit trail as tables of SQL: columns in each engine's words, and each line once."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

RECORD_COPIES, FEEDBACK_COPIES = "record_copies", "feedback_copies"
"""Every line as it was written, some of them twice."""
RECORDS, FEEDBACK = "records", "feedback"
"""Each record and each verdict once."""

QUESTIONS = "coalesce(asked_for, 'answer') = 'answer'"
"""The condition on a record that an answer was asked for, and not passages alone."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Type names of an SQL engine; {} stands for what they are made of."""

    text: str
    integer: str
    number: str
    boolean: str
    array: str
    struct: str
    member: str


DUCKDB = Dialect("VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN", "{}[]", "STRUCT({})", '"{}" {}')
HIVE = Dialect("string", "bigint", "double", "boolean", "array<{}>", "struct<{}>", "{}:{}")
"""Types of a table in the Glue catalogue; …"""
TRINO = Dialect("varchar", "bigint", "double", "boolean", "array({})", "row({})", "{} {}")
"""… of a view that Athena reads."""


def columns(line: type, dialect: Dialect) -> dict[str, str]:
    """Column → type, for a dataclass of audit_record; moments and ids are text, as they are in JSON."""
    return {name: _type(hint, dialect) for name, hint in _members(line)}


def once(table: str, key: str, what: str = "*", where: str = "TRUE") -> str:
    """Return the SELECT that takes one of the lines with the same key, of those that `where` passes.

    Copies of a line are equal except for the object that they lie in, so a condition may come first.
    """
    # No value of a reader's gets in here: names and conditions are ours, values are bound.
    return (
        f"SELECT {what} FROM (SELECT *, row_number() OVER "  # noqa: S608
        f'(PARTITION BY {key} ORDER BY "timestamp") AS copy '
        f"FROM {table} WHERE {key} IS NOT NULL AND ({where})) AS copies WHERE copy = 1"
    )


def _members(line: Any) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(line, include_extras=False)
    yield from ((field.name, hints[field.name]) for field in fields(line))


def _type(hint: Any, dialect: Dialect) -> str:
    origin = get_origin(hint)
    if origin is Annotated:
        return _type(get_args(hint)[0], dialect)
    if origin in (Union, types.UnionType):
        inner = [one for one in get_args(hint) if one is not type(None)]
        return _type(inner[0], dialect) if len(inner) == 1 else dialect.text
    if origin is list:
        return dialect.array.format(_type(get_args(hint)[0], dialect))
    if origin is not Literal and is_dataclass(hint):
        members = (dialect.member.format(name, _type(one, dialect)) for name, one in _members(hint))
        return dialect.struct.format(", ".join(members) if dialect is not HIVE else ",".join(members))
    return {int: dialect.integer, float: dialect.number, bool: dialect.boolean}.get(hint, dialect.text)
