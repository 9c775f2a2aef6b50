"""The parts at work in the runtime's Python, alone on its path: what was trimmed is not missed."""

from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path
from typing import Any

import pytest

from layers.deps.build import INGEST, WEEKLY, Built
from layers.deps.tools import ROOT
from layers.deps.trim import AWS_SERVICES
from testing.hosting import hosted
from testing.vendors.qdrant import Qdrant
from tests.layers.conftest import BUILDING

STEPS = ("begin", "discover", "index", "tally", "finish", "verify", "publish", "prune", "report")

INGEST_AND_THIS_MACHINE = {
    "bookbound.ingesting",
    "bookbound.source.book_reader",
    "bookbound.index.run_report",
    "bookbound.source.block_rules",
    "bookbound.source.dialect",
    "bookbound.source.gitignore",
    "bookbound.source.markdown",
    "bookbound.source.mdx",
    "bookbound.source.mkdocs",
    "bookbound.source.mkdocs_markdown",
    "bookbound.source.site",
    "bookbound.source.toc_ids",
    "bookbound.source.html_table_blocks",
    "bookbound.source.html_tables",
    "bookbound.source.inline_text",
    "bookbound.source.source_files",
    "bookbound.source.workbooks",
    "bookbound.adapters.files.book_archive",
    "bookbound.adapters.files.docs_folder",
    "bookbound.adapters.crypto.digest_keys",
    "bookbound.adapters.bundled.minilm",
    "bookbound.adapters.qdrant.embedded",
    "bookbound.adapters.qdrant.remote",
    "bookbound.adapters.qdrant.point_writer",
    "bookbound.adapters.files.vector_cache",
    "bookbound.ingest_wiring",
    "bookbound.authoring.weekly",
}
"""Modules unused by cloud questions: they read and embed pages, write points, hold a key, make a report."""

ASSISTANTS = {"bookbound.api.mcp.server", "bookbound.api.mcp.stdio"}
"""Modules that only a question's function has the SDK for."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(BUILDING),
    pytest.mark.skipif(
        (platform.system(), platform.machine()) != ("Linux", "x86_64"),
        reason="the libraries run on Linux x86_64",
    ),
]


ENVIRONMENT = {
    "BOOKBOUND_GENERATOR": "claude",
    "BOOKBOUND_EMBEDDER": "cohere",
    "BOOKBOUND_VENDORS_SECRET": "vendors",
    "BOOKBOUND_STAGE": "dev",
    "BOOKBOUND_TABLE": "shared",
    "BOOKBOUND_SIGNING_SECRET": "signing",
    "BOOKBOUND_BOOK": "kestrel",
    "BOOKBOUND_BOOKS_BUCKET": "books",
    "BOOKBOUND_AUDIT_STREAM_PERSONAL": "audit-personal",
    "BOOKBOUND_AUDIT_STREAM_OTHER": "audit-other",
    "BOOKBOUND_AUDIT_QUEUE_URL": "https://sqs.eu-west-1.amazonaws.com/1/audit",
    "BOOKBOUND_AUDIT_BUCKET": "audit",
    "BOOKBOUND_DIGEST_BUCKET": "digests",
    "BOOKBOUND_DIGEST_KEY": "key",
    "BOOKBOUND_DIGEST_HOURS": "24",
    "BOOKBOUND_DIGEST_EXPIRES": "{}",
    "BOOKBOUND_NEW": "arn:aws:lambda:eu-west-1:123456789012:function:api:7",
    "BOOKBOUND_LIVE": "arn:aws:lambda:eu-west-1:123456789012:function:api:live",
    "BOOKBOUND_REPORTS_BUCKET": "reports",
    "BOOKBOUND_REPORTS_TOPIC": "arn:aws:sns:eu-west-1:123456789012:author",
    "AWS_REGION": "eu-west-1",
    "AWS_DEFAULT_REGION": "eu-west-1",
}


def alone(python: str, script: str, *arguments: str | Path) -> Any:
    """Run a script with no packages except those that its arguments name; return what it printed."""
    command = [python, "-I", "-S", Path(__file__).with_name(script), *arguments]
    done = subprocess.run(command, env=ENVIRONMENT, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def paths(built: Built, function: str) -> list[Path]:
    """Return the paths that a function imports from."""
    layers = [built.below(function).path / "python", built.core.path / "python"]
    return [*layers, built.functions[function].path]


@pytest.mark.parametrize("function", ["api", "authorizer", "digest", "release"])
def test_all_that_a_function_needs_can_be_imported(here: Built, function: str, python: str) -> None:
    """These are handler, wiring and adapters, and clients only for the services that are called."""
    modules, missing, services = alone(python, "standalone.py", "functions", *paths(here, function))
    assert {f"functions.{function}.handler", "bookbound.wiring", "bookbound.adapters.vendors.claude"} <= set(
        modules
    )
    assert set(missing) <= INGEST_AND_THIS_MACHINE, missing
    assert set(services) == AWS_SERVICES


@pytest.mark.rule("A4")
def test_what_tells_who_somebody_is_is_found_there_too(here: Built, python: str) -> None:
    """The tables of telephone numbers, which are loaded when the first number is looked up, are there."""
    text = "I am Jane Doe, call +49 170 1234567."
    assert alone(python, "standalone_audit.py", text, *paths(here, "api")) == ["name", "phone"]


def test_all_that_the_weekly_report_needs_can_be_imported(here: Built, python: str) -> None:
    """It asks no vendor, and is deployed without their clients."""
    modules, missing, _ = alone(python, "standalone.py", "functions", *paths(here, WEEKLY))
    assert {"functions.weekly.handler", "bookbound.authoring.weekly"} <= set(modules)
    assert "bookbound.adapters.vendors.claude" in missing


def test_all_that_the_steps_of_an_ingest_need_can_be_imported(here: Built, python: str) -> None:
    """These are all modules of the core and all steps, except what others alone need."""
    modules, missing, services = alone(python, "standalone.py", "ingest_job", *paths(here, INGEST))
    assert {f"ingest_job.{step}" for step in STEPS} <= set(modules)
    here_alone = ("crypto.digest_keys", "bundled.minilm", "qdrant.embedded")
    elsewhere = {f"bookbound.adapters.{module}" for module in here_alone} | ASSISTANTS
    assert set(missing) == elsewhere | {"bookbound.authoring.weekly"}, missing
    assert set(services) == AWS_SERVICES


def test_what_the_steps_of_an_ingest_use_works(here: Built, python: str) -> None:
    """A workbook is read, tokens are counted, points get to Qdrant: what was trimmed has no part in it."""
    with hosted(Qdrant()) as server:
        done = alone(python, "standalone_ingest.py", server.url, server.api_key, *paths(here, INGEST))
    assert done == {"rows": [["metal", "melts at"], ["tin", "232"]], "tokens": 4, "points": 1}
