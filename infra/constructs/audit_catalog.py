"""The audit trail as tables of Athena: one for records, one for feedback, and a view of each line once (A3).

Partitions are projected from the day in a key, so nothing has to be registered; no tier needs a restore.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

from aws_cdk import Stack
from aws_cdk import aws_glue as glue
from aws_cdk import aws_s3 as s3
from constructs import Construct

from bookbound.audit.record_schema import AuditRecord, Verdict
from bookbound.audit.sql_tables import (
    FEEDBACK,
    FEEDBACK_COPIES,
    HIVE,
    RECORD_COPIES,
    RECORDS,
    TRINO,
    columns,
    once,
)
from infra.stage import Stage

FIRST_YEAR, LAST_YEAR = 2026, 2036
"""Years of the partitions; each year that is asked for is 744 folders to look into."""

_DAY = "year=${year}/month=${month}/day=${day}/"
_PERSONAL = {"projection.personal.type": "enum", "projection.personal.values": "true,false"}


class AuditCatalog(Construct):
    """Database, tables and views.

    Attributes:
        database: its name; separate for each account and region, since SQL says it.
    """

    def __init__(self, scope: Construct, construct_id: str, *, stage: Stage, bucket: s3.IBucket) -> None:
        super().__init__(scope, construct_id)
        self.database = f"bookbound_{stage.name}_audit"
        self._made = glue.CfnDatabase(
            self,
            "Database",
            catalog_id=Stack.of(self).account,
            database_input=glue.CfnDatabase.DatabaseInputProperty(name=self.database),
        )
        records = f"s3://{bucket.bucket_name}/records/"
        feedback = f"s3://{bucket.bucket_name}/feedback/"
        self._table(RECORD_COPIES, AuditRecord, records, "personal=${personal}/", _PERSONAL)
        self._table(FEEDBACK_COPIES, Verdict, feedback, "", {})
        self._view(RECORDS, AuditRecord, RECORD_COPIES, "log_id")
        self._view(FEEDBACK, Verdict, FEEDBACK_COPIES, "feedback_id")

    def _table(self, name: str, line: type, location: str, before: str, enum: Mapping[str, str]) -> None:
        storage = glue.CfnTable.StorageDescriptorProperty(
            columns=_columns(columns(line, HIVE)),
            location=location,
            input_format="org.apache.hadoop.mapred.TextInputFormat",
            output_format="org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            serde_info=glue.CfnTable.SerdeInfoProperty(
                serialization_library="org.openx.data.jsonserde.JsonSerDe",
                # What is no record comes out as a row of nulls, which the view leaves out.
                parameters={"ignore.malformed.json": "true"},
            ),
        )
        folders = {"personal": "string"} if enum else {}
        days = dict.fromkeys(("year", "month", "day"), "int")
        table = glue.CfnTable.TableInputProperty(
            name=name,
            table_type="EXTERNAL_TABLE",
            parameters={"classification": "json", **_projection(location + before + _DAY), **enum},
            partition_keys=_columns({**folders, **days}),
            storage_descriptor=storage,
        )
        self._put(name, table)

    def _view(self, name: str, line: type, copies: str, key: str) -> None:
        described = {
            "originalSql": once(copies, key, ", ".join(f'"{one}"' for one in columns(line, TRINO))),
            "catalog": "awsdatacatalog",
            "schema": self.database,
            "columns": [{"name": one, "type": kind} for one, kind in columns(line, TRINO).items()],
        }
        encoded = base64.b64encode(json.dumps(described).encode()).decode()
        table = glue.CfnTable.TableInputProperty(
            name=name,
            table_type="VIRTUAL_VIEW",
            parameters={"presto_view": "true", "comment": "Presto View"},
            partition_keys=[],
            storage_descriptor=glue.CfnTable.StorageDescriptorProperty(
                columns=_columns(columns(line, HIVE)), location="", serde_info={}
            ),
            view_original_text=f"/* Presto View: {encoded} */",
            view_expanded_text="/* Presto View */",
        )
        self._put(name, table)

    def _put(self, name: str, table: glue.CfnTable.TableInputProperty) -> None:
        made = glue.CfnTable(
            self,
            "".join(part.capitalize() for part in name.split("_")),
            catalog_id=Stack.of(self).account,
            database_name=self.database,
            table_input=table,
        )
        made.add_resource_dependency(self._made)


def _projection(template: str) -> dict[str, str]:
    found = {"projection.enabled": "true", "storage.location.template": template}
    for name, last in {"month": 12, "day": 31}.items():
        found |= {
            f"projection.{name}.type": "integer",
            f"projection.{name}.range": f"1,{last}",
            f"projection.{name}.digits": "2",
        }
    return found | {"projection.year.type": "integer", "projection.year.range": f"{FIRST_YEAR},{LAST_YEAR}"}


def _columns(kinds: Mapping[str, str]) -> list[glue.CfnTable.ColumnProperty]:
    return [glue.CfnTable.ColumnProperty(name=name, type=kind) for name, kind in kinds.items()]
