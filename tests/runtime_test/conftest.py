"""Lambda's runtime on this machine, and one stage for all tests; where neither can be, they are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from layers.deps.tools import BuildError
from testing.runtime.tools import Tools, fetch, obstacle
from testing.runtime.world import FOLDER, World, world
from tests.runtime_test.asking import warm


@pytest.fixture(scope="session")
def tools() -> Tools:
    """The emulator and the runtime's Python."""
    if reason := obstacle():
        pytest.skip(reason)
    try:
        return fetch(FOLDER / "tools")
    except BuildError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def stage(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The whole stage, with slots that have answered before."""
    logs = tmp_path_factory.mktemp("logs")
    with world(progress=lambda step: None, embed=MiniLmEmbedder().embed, logs=logs) as running:
        with ThreadPoolExecutor() as readers:
            list(readers.map(warm, running.api.emulators))
        yield running
