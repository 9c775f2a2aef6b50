"""What holds for all tests."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# How long an example takes says more of the machine than of the law.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")

TOGETHER = ("infra", "layers", "runtime_test")
"""Folders whose tests share something expensive: templates, layers, a stage in Lambda's runtime."""


class ByPlace(LoadScopeScheduling):
    """Keeps the tests of a file in one process, and those of such a folder."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        folder = file.split("/")[1]
        return folder if folder in TOGETHER else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByPlace:
    """Share the tests out among processes where there are several."""
    return ByPlace(config, log)
