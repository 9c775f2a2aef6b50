"""The parts at work in the runtime's Python, alone on its path: what was trimmed is not missed."""

from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path

import pytest

from layers.deps.build import Built
from layers.deps.tools import ROOT
from layers.deps.trim import AWS_SERVICES
from tests.layers.conftest import BUILDING

INGEST_AND_THIS_MACHINE = {
    "bookbound.ingesting",
    "bookbound.reading",
    "bookbound.markdown",
    "bookbound.mdx",
    "bookbound.readertext",
    "bookbound.source_files",
    "bookbound.workbooks",
    "bookbound.adapters.book_archive",
    "bookbound.adapters.docs_folder",
    "bookbound.adapters.minilm",
    "bookbound.adapters.qdrant_embedded",
    "bookbound.adapters.qdrant_remote",
    "bookbound.adapters.qdrant_writing",
    "bookbound.adapters.vector_cache",
}
"""What a question in the cloud never touches: it reads and embeds pages, or holds and writes points."""

pytestmark = [
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
    "AWS_REGION": "eu-west-1",
    "AWS_DEFAULT_REGION": "eu-west-1",
}


@pytest.mark.parametrize("function", ["api", "authorizer"])
def test_all_that_a_function_needs_can_be_imported(here: Built, function: str, python: str) -> None:
    """Handler, wiring and adapters; and clients for the services that are called, for no other."""
    paths = [here.deps.path / "python", here.core.path / "python", here.functions[function].path]
    command = [python, "-I", "-S", Path(__file__).with_name("standalone.py"), *paths]
    done = subprocess.run(command, env=ENVIRONMENT, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    modules, missing, services = json.loads(done.stdout)
    assert {f"functions.{function}.handler", "bookbound.wiring", "bookbound.adapters.claude"} <= set(modules)
    assert set(missing) <= INGEST_AND_THIS_MACHINE, missing
    assert set(services) == AWS_SERVICES
