"""What holds for all tests."""

from __future__ import annotations

import ssl
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from botocore.loaders import JSONFileLoader
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# How long an example takes says more of the machine than of the law.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")

TOGETHER = ("infra", "layers", "runtime_test")
"""Folders whose tests share something expensive: templates, layers, a stage in Lambda's runtime."""

LONGEST = ("runtime_test", "infra", "packages", "layers", "end_to_end", "job")
"""Folders that are begun first: what takes minutes and is begun last is waited for by all processes."""


_read = JSONFileLoader.load_file


@cache
def _described(path: str) -> Any:
    return _read(JSONFileLoader(), path)


def _load_file(_: JSONFileLoader, file_path: str) -> Any:
    return _described(file_path)


def read_once() -> None:
    """Read once per process what a fresh account or a client reads anew, and what no test changes.

    Each account is a new session of botocore with megabytes of descriptions of services; each HTTP client
    reads all certificates of this machine.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
    patch.setattr(JSONFileLoader, "load_file", _load_file)


read_once()


class ByPlace(LoadScopeScheduling):
    """Keeps the tests of a file in one process, and those of such a folder."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        folder = file.split("/")[1]
        return folder if folder in TOGETHER else file


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the folders that take longest before all others."""
    here = Path(__file__).parent
    items.sort(key=lambda item: _rank(item.path.relative_to(here).parts[0]))


def _rank(folder: str) -> int:
    return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByPlace:
    """Share the tests out among processes where there are several."""
    return ByPlace(config, log)
