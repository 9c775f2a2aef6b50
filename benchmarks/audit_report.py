"""Time of `bookbound audit report --html` over generated records: `python -m benchmarks.audit_report`.

The command runs as a user runs it, in a separate process, next to the sample book, which is ingested first.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from trials import audit_records

SAMPLE = Path(__file__).parents[1] / "sample_book" / "docs"


def main() -> None:
    """Generate, report, and print the times; `--keep FOLDER` keeps the report and its input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit_report", description=__doc__)
    parser.add_argument("--records", type=int, default=audit_records.RECORDS)
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        _measure(folder, chosen.records)


def _measure(folder: Path, count: int) -> None:
    start = time.perf_counter()
    audit_records.write(folder / "audit", count)
    size = sum(path.stat().st_size for path in (folder / "audit").rglob("*.jsonl")) / 1e9
    print(f"{count:,} records, {size:.2f} GB, generated in {time.perf_counter() - start:.1f} s")
    _bookbound("ingest", str(SAMPLE), "--book-id", "generated", "--data", str(folder))
    for name, command in {
        "report, terminal": ["report"],
        "report, HTML": ["report", "--html", str(folder / "report.html")],
        "query --feedback incorrect": ["query", "--feedback", "incorrect", "--json"],
        "query --sql": [
            "query",
            "--sql",
            "SELECT client_id, count(*) AS asked FROM records GROUP BY client_id",
        ],
    }.items():
        start = time.perf_counter()
        _bookbound("audit", *command, "--data", str(folder))
        print(f"{name}: {time.perf_counter() - start:.1f} s")
    highest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory of a command: {highest:,.0f} MiB, on {os.cpu_count()} processors")


def _bookbound(*arguments: str) -> None:
    command = str(Path(sys.executable).with_name("bookbound"))
    subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
