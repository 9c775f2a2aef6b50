"""`python -m tests.audit_schema` writes the record's JSON Schema; `--check` says if it drifted (A1)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bookbound.audit.record_builder import SCHEMA_VERSION
from bookbound.audit.record_schema import audit_record_json

COMMITTED = Path(__file__).parents[1] / "docs" / "audit-record.schema.json"


def document() -> str:
    """The schema as it is committed, of the version that is written today."""
    schema = audit_record_json().json_schema(mode="serialization")
    schema["properties"]["schema_version"] = {"const": SCHEMA_VERSION}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None, committed: Path = COMMITTED) -> int:
    """0 when written or equal, 1 when the committed file differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.audit_schema", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    if not parser.parse_args(arguments).check:
        committed.write_text(document(), encoding="utf-8")
        return 0
    if committed.is_file() and committed.read_text(encoding="utf-8") == document():
        return 0
    print(f"{committed.name} differs from the code; run: python -m tests.audit_schema", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
