"""The schema of the audit trail's lines, and the columns that follow from it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bookbound.answer.decision_trace import Trace
from bookbound.audit import record_builder
from bookbound.audit.record_schema import AuditRecord, Verdict, audit_record_json
from bookbound.audit.sql_tables import DUCKDB, HIVE, TRINO, columns, once
from bookbound.errors import DeadlineExceeded, Unavailable
from bookbound.model import RefusalReason, Refused
from tests import audit_schema
from tests.core.test_record_builder import ANSWER, NOW, REFUSAL, question

SELECTION = replace(
    REFUSAL,
    question=question(selected_text="Wren is small."),
    outcome=Refused(RefusalReason.SELECTED_TEXT_INSUFFICIENT, "The selection does not say."),
    candidates=(),
    max_score=None,
)
KINDS = {
    "answer": record_builder.record(ANSWER, now=NOW),
    "answer without a model": record_builder.record(replace(ANSWER, draft=None), now=NOW),
    "refusal": record_builder.record(REFUSAL, now=NOW),
    "selection": record_builder.record(SELECTION, now=NOW),
    "store down": record_builder.failure_record(Trace(question()), "wren", Unavailable("store"), NOW),
    "timeout": record_builder.failure_record(
        Trace(question(), book=ANSWER.book), None, DeadlineExceeded("late"), NOW
    ),
}


def committed() -> dict[str, Any]:
    """The JSON Schema in the project."""
    found: dict[str, Any] = json.loads(audit_schema.COMMITTED.read_text(encoding="utf-8"))
    return found


@pytest.mark.rule("A1", "D4")
@pytest.mark.parametrize("record", KINDS.values(), ids=KINDS.keys())
def test_every_record_fits_the_committed_schema(record: dict[str, Any]) -> None:
    """Answers, refusals, selections and faults fit it, and the type from which it is generated."""
    validator = jsonschema.Draft202012Validator(committed())
    assert list(validator.iter_errors(record)) == []
    audit_record_json().validate_json(json.dumps(record))


@pytest.mark.rule("A1")
@pytest.mark.parametrize(
    "change",
    [
        {"refusal_reason": "no idea"},
        {"schema_version": 1},
        {"log_id": None},
        {"confidence_score": 1.5},
        {"another": "field"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_is_no_record_does_not_fit(change: dict[str, Any]) -> None:
    """The schema says what a field may be, which there are, and of which version they are."""
    validator = jsonschema.Draft202012Validator(committed())
    assert list(validator.iter_errors(KINDS["answer"] | change))


@pytest.mark.rule("A1")
def test_every_field_is_always_there() -> None:
    """A reader need not ask whether there is one."""
    assert set(committed()["required"]) == set(KINDS["answer"])


def test_the_command_tells_a_drift(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It compares, or writes; the committed file is as the code has it."""
    assert audit_schema.main(["--check"]) == 0
    path = tmp_path / "schema.json"
    path.write_text("{}")
    assert audit_schema.main(["--check"], path) == 1
    assert "run: python -m tests.audit_schema" in capsys.readouterr().err
    assert audit_schema.main([], path) == 0
    assert audit_schema.main(["--check"], path) == 0


@pytest.mark.rule("A3")
def test_each_engine_has_the_same_columns_in_its_own_words() -> None:
    """Nested values as its structures, either-or as text."""
    for line in (AuditRecord, Verdict):
        assert list(columns(line, DUCKDB)) == list(columns(line, HIVE)) == list(columns(line, TRINO))
    tokens = [columns(AuditRecord, dialect)["tokens"] for dialect in (DUCKDB, HIVE, TRINO)]
    assert tokens == [
        'STRUCT("input_tokens" BIGINT, "output_tokens" BIGINT)',
        "struct<input_tokens:bigint,output_tokens:bigint>",
        "row(input_tokens bigint, output_tokens bigint)",
    ]
    assert columns(AuditRecord, HIVE)["draft_attributions"] == "array<double>"
    assert "value:string" in columns(AuditRecord, HIVE)["findings"]


@pytest.mark.rule("A2", "A3")
def test_lines_of_one_key_are_one() -> None:
    """By the same words wherever they are read; a condition narrows what is read."""
    sql = once("copies", "log_id", "question", "month = 3")
    assert sql.startswith("SELECT question FROM (SELECT *, row_number() OVER (PARTITION BY log_id")
    assert "(month = 3)" in sql
