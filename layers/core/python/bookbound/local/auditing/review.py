"""Answers that readers call wrong, each with what an author can put into bookbound.yaml about it (E3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from bookbound.text.terms import STOP_WORDS, stem, tokens

_ASKING = STOP_WORDS | {"many", "much"}

Record = Mapping[str, Any]


def mend(record: Record) -> str:
    """Lines for bookbound.yaml, to be copied or merged: a canary question, and an alias where there is one.

    A wrong answer is to be refused; where the book does answer the question, the lines after # are for that.
    A refusal that is called wrong is to be answered.
    """
    answer = _canary("answer", record) + _alias(record)
    if record["was_refusal"]:
        return answer
    instead = "".join(f"# {line}\n" for line in answer.splitlines())
    return f"{_canary('refuse', record)}# or, where the book does answer it:\n{instead}"


def unknown_words(record: Record) -> list[str]:
    """The question's words that stand in no passage that was found, in order, each once."""
    found = {stem(token) for chunk in record["chunks_returned"] or [] for token in tokens(chunk["text"])}
    asked = dict.fromkeys(tokens(record["user_query_text"]))
    return [word for word in asked if word not in _ASKING and stem(word) not in found]


def shown(record: Record) -> list[str]:
    """Return the sections that an answer cited, else those that were found, a line each."""
    cited = [f"{one['section']} (page {one['page']})" for one in record["citations"] or []]
    found = [
        f"{one['section']} (page {one['page']}), {one['document']}, similarity {one['similarity']:.2f}"
        for one in record["chunks_returned"] or []
    ]
    return list(dict.fromkeys(cited or found))


def as_text(records: Sequence[Record]) -> str:
    """The review list for a terminal."""
    return "\n".join(_entry(number, record) for number, record in enumerate(records, 1))


def as_json(record: Record) -> dict[str, Any]:
    """A record with its mend."""
    return {**record, "mend": mend(record)}


def _entry(number: int, record: Record) -> str:
    ended = record["refusal_reason"] or f"answered, confidence {record['confidence_level'] or 'unknown'}"
    lines = [
        f"{number}. {record['user_query_text']}",
        f"   {record['timestamp']}, book {record['book_id']} {record['book_version']}, {ended}",
        f"   answer: {record['answer_text']}",
        *(f"   section: {one}" for one in shown(record)),
        *([f"   the reader: {record['comment']}"] if record["comment"] else []),
        "   for bookbound.yaml:",
        *(f"     {line}" for line in mend(record).splitlines()),
    ]
    return "\n".join(_printable(line) for line in lines) + "\n"


def _printable(text: str) -> str:
    """Return a reader's text such that it moves no cursor and clears no screen."""
    return "".join(char if char.isprintable() else " " for char in text)


def _canary(wish: str, record: Record) -> str:
    return f"canary_questions:\n  {wish}:\n    - {_quoted(record['user_query_text'])}\n"


def _alias(record: Record) -> str:
    words, sections = unknown_words(record), [one["section"] for one in record["chunks_returned"] or []]
    if not words or not sections:
        return ""
    return f"aliases:\n  {_quoted(sections[0])}: [{', '.join(map(_quoted, words))}]\n"


def _quoted(text: str) -> str:
    """Return a scalar of YAML on one line, with any content."""
    return str(yaml.safe_dump(text, default_style='"', allow_unicode=True, width=10_000)).strip()
