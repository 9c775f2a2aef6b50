"""Access to a stage's audit trail by SQL, and those who have it."""

from __future__ import annotations

import base64
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bookbound.audit.record_builder import record
from bookbound.audit.sql_tables import DUCKDB
from bookbound.local.auditing.trail import opened
from infra.constructs.audit_reading import QUERIES
from tests.core.test_record_builder import ANSWER, NOW
from tests.infra.conftest import Synthesised
from tests.local.audit_lines import answered, refused, verdict, write


def tables(stack: Synthesised) -> dict[str, dict[str, Any]]:
    """Tables and views of the catalogue, by name."""
    found = stack.resources("state", "AWS::Glue::Table")
    return {one["TableInput"]["Name"]: one["TableInput"] for one in found}


def view(table: dict[str, Any]) -> dict[str, Any]:
    """A view as Athena reads it out of the catalogue."""
    encoded = table["ViewOriginalText"].removeprefix("/* Presto View: ").removesuffix(" */")
    described: dict[str, Any] = json.loads(base64.b64decode(encoded))
    return described


def names(table: dict[str, Any]) -> list[str]:
    return [column["Name"] for column in table["StorageDescriptor"]["Columns"]]


@pytest.mark.rule("A3")
def test_the_table_lies_over_the_records_day_by_day(stack: Synthesised) -> None:
    """Its folders are those that the stream writes to, projected from their names."""
    table = tables(stack)["record_copies"]
    template = "".join(str(part) for part in table["Parameters"]["storage.location.template"]["Fn::Join"][1])
    assert template.endswith("/records/personal=${personal}/year=${year}/month=${month}/day=${day}/")
    assert [key["Name"] for key in table["PartitionKeys"]] == ["personal", "year", "month", "day"]
    projected = table["Parameters"]
    assert projected["projection.enabled"] == "true"
    assert (projected["projection.month.digits"], projected["projection.day.digits"]) == ("2", "2")
    first, last = map(int, projected["projection.year.range"].split(","))
    assert first <= date.today().year <= last


@pytest.mark.rule("A1", "A3")
def test_every_field_of_a_record_is_a_column(stack: Synthesised) -> None:
    """The columns are in the table and in the view, in addition to the partitions."""
    found = tables(stack)
    assert set(names(found["record_copies"])) == set(record(ANSWER, now=NOW))
    assert names(found["records"]) == names(found["record_copies"])
    assert [column["name"] for column in view(found["records"])["columns"]] == names(found["records"])


@pytest.mark.rule("A2", "A3")
@pytest.mark.parametrize(("name", "key"), [("records", "log_id"), ("feedback", "feedback_id")])
def test_the_view_holds_each_line_once(stack: Synthesised, tmp_path: Path, name: str, key: str) -> None:
    """Its SQL is the same that this machine reads with, so it can be run here."""
    table = tables(stack)[name]
    described = view(table)
    assert (table["TableType"], described["schema"]) == (
        "VIRTUAL_VIEW",
        f"bookbound_{stack.stage.name}_audit",
    )
    said = verdict(1, "correct")
    write(tmp_path, [answered(1), answered(1), answered(2)], [said, said])
    with opened(tmp_path) as trail:
        rows = trail.rows(described["originalSql"])
    assert len(rows) == len({row[key] for row in rows}) == (2 if name == "records" else 1)


@pytest.mark.rule("A3", "E3")
def test_the_named_queries_are_there(stack: Synthesised) -> None:
    """In the stage's workgroup and database."""
    found = stack.resources("state", "AWS::Athena::NamedQuery")
    assert {one["Name"]: one["QueryString"] for one in found} == QUERIES
    assert {(one["WorkGroup"], one["Database"]) for one in found} == {
        (f"bookbound-{stack.stage.name}-audit", f"bookbound_{stack.stage.name}_audit")
    }


@pytest.mark.rule("A3", "E3")
@pytest.mark.parametrize("name", [name for name in QUERIES if "Latency" not in name])
def test_a_named_query_runs(tmp_path: Path, name: str) -> None:
    """It runs here as in Athena, except for the partitions and Athena's own percentiles."""
    write(tmp_path, [answered(1), refused(2)], [verdict(1, "incorrect")])
    sql = QUERIES[name].replace("year = year(current_date) AND month = month(current_date)", "TRUE")
    with opened(tmp_path) as trail:
        assert trail.rows(sql) or name == "One session, all of it"
    assert DUCKDB.text not in sql


def test_results_are_encrypted_and_gone_in_a_day(stack: Synthesised) -> None:
    """Clients cannot choose the place; versions go a day later. No query reads more than allowed."""
    (group,) = stack.resources("state", "AWS::Athena::WorkGroup")
    settings = group["WorkGroupConfiguration"]
    assert settings["EnforceWorkGroupConfiguration"]
    assert settings["BytesScannedCutoffPerQuery"] == 100 * 1024**3
    result = settings["ResultConfiguration"]
    assert result["EncryptionConfiguration"] == {"EncryptionOption": "SSE_S3"}
    bucket = result["OutputLocation"]["Fn::Join"][1][1]["Ref"]
    rules = stack.whole("state", "AWS::S3::Bucket")[bucket]["Properties"]["LifecycleConfiguration"]["Rules"]
    assert [rule["ExpirationInDays"] for rule in rules if "ExpirationInDays" in rule] == [1]
    assert [
        rule["NoncurrentVersionExpiration"] for rule in rules if "NoncurrentVersionExpiration" in rule
    ] == [{"NoncurrentDays": 1}]


@pytest.mark.rule("A3", "S5")
def test_the_auditor_reads_and_changes_nothing(stack: Synthesised) -> None:
    """It writes only its own results."""
    (policy,) = [
        one
        for one in stack.resources("state", "AWS::IAM::Policy")
        if one["PolicyName"].startswith("AuditReadingAuditor")
    ]
    writing = [
        str(statement["Resource"])
        for statement in policy["PolicyDocument"]["Statement"]
        if any("Put" in action for action in statement["Action"])
    ]
    assert len(writing) == 1
    assert "AuditReadingResults" in writing[0]
    assert "/results/*" in writing[0]
