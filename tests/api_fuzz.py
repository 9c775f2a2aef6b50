"""`python -m tests.api_fuzz`: schemathesis on the app, by the OpenAPI document that it serves.

The server runs on a free port of this machine, over the sample book: once open to all callers, once guarded
and asked with a client's key. Exit 1 when a check failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import schemathesis

from bookbound.question.validation import COMMENT_LIMIT, QUESTION_LIMIT, SELECTED_TEXT_LIMIT

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
CONFIG = """
[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503, 504]
negative_data_rejection.expected-statuses = ["4xx", 503, 504]
"""
"""A machine under load misses the deadline of five seconds now and then, and says so (504); it is counted.

What breaks the schema may also be too large to be looked at (413)."""
CALLS_A_MINUTE = 1_000_000
"""Limit of the key, so high that limits play no part here."""
LIMITS = {"question": QUESTION_LIMIT, "selected_text": SELECTED_TEXT_LIMIT, "comment": COMMENT_LIMIT}


@schemathesis.hook
def filter_body(context: schemathesis.HookContext, body: Any) -> bool:
    """Return whether the schema can judge the texts' lengths, counted after NFC and trimming."""
    texts = [(body.get(name), limit) for name, limit in LIMITS.items()] if isinstance(body, dict) else []
    return all(
        (len(text) > limit) == (_length(text) > limit) for text, limit in texts if isinstance(text, str)
    )


def _length(text: str) -> int:
    return len(unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.api_fuzz", description="Fuzz the served API.")
    parser.add_argument(
        "--cases", type=int, default=500, help="at most, of an operation and a phase (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        _bookbound(data, "ingest", "sample_book/docs")
        added = _bookbound(data, "clients", "add", "fuzzer", "--limit", str(CALLS_A_MINUTE))
        failed = _run("open", data, given, [], [])
        key = re.findall(r"\bbb_\S+", added)[0]
        failed |= _run(
            "guarded", data, given, ["--guarded"], [f"Authorization: Bearer {key}", "Origin: {url}"]
        )
    return int(failed)


def _bookbound(data: Path, *arguments: str) -> str:
    command = [str(BIN / "bookbound"), "--data", str(data), *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _run(name: str, data: Path, given: argparse.Namespace, serve: list[str], headers: list[str]) -> bool:
    """Return whether a check failed."""
    report, log = data / f"{name}.json", data / f"{name}.log"
    (data / "schemathesis.toml").write_text(CONFIG)
    hooks = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.api_fuzz", "PYTHONPATH": str(ROOT)}
    with _served(data, serve, log) as url:
        asked = [header.replace("{url}", url) for header in headers]
        command = _command(url, given, asked, report)
        done = subprocess.run(command, cwd=data, check=False, capture_output=True, text=True, env=hooks)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
    late = len(re.findall(r"status=50[34]", log.read_text()))
    print(f"{name}: {_counts(json.loads(report.read_text()))}; {late} answered 503 or 504", flush=True)
    return done.returncode != 0


def _command(url: str, given: argparse.Namespace, headers: list[str], report: Path) -> list[str]:
    options = {"--url": url, "--checks": "all", "--max-examples": given.cases, "--seed": given.seed}
    options |= {"--warnings": "off", "--report": "json", "--report-json-path": report}
    command = [
        str(BIN / "schemathesis"),
        "run",
        f"{url}/v1/openapi.json",
        "--continue-on-failure",
        "--no-color",
    ]
    command += [str(part) for option in options.items() for part in option]
    return command + [part for header in headers for part in ("--header", header)]


def _counts(report: dict[str, Any]) -> str:
    """Cases, how many of the valid ones got a 2xx, and failures by check."""
    rates = [rate for operation in report["valid_rates"].values() for rate in operation.values()]
    failures = "".join(f", {found['title']} x{found['count']}" for found in report["failures"])
    return (
        f"{report['test_cases']['generated']:,} cases in {report['running_time']:.0f} s "
        f"over {report['operations']['tested']} operations, phases {', '.join(report['phases'])}; "
        f"{sum(rate['accepted'] for rate in rates):,} of {sum(sum(rate.values()) for rate in rates):,} valid "
        f"requests accepted; {report['test_cases']['unique_failures']} failures{failures}"
    )


@contextmanager
def _served(data: Path, arguments: list[str], log: Path) -> Iterator[str]:
    """The URL at which the server takes questions."""
    command = [str(BIN / "bookbound"), "--data", str(data), "serve", "--port", "0", *arguments]
    with (
        log.open("w") as lines,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=lines,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as server,
    ):
        assert server.stdout
        announced = server.stdout.readline()
        try:
            yield re.findall(r"http://[^ ]+", announced)[0]
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
