"""What holds for all tests."""

from __future__ import annotations

import ssl
from functools import cache
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


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByPlace:
    """Share the tests out among processes where there are several."""
    return ByPlace(config, log)
