from __future__ import annotations

import pytest

from layers.deps.build import Built, build
from layers.deps.tools import find_python, find_uv, pythons

BUILDING = 600
"""Seconds: the first build on a machine fetches every wheel."""


@pytest.fixture(scope="session", params=["x86_64", "arm64"])
def built(request: pytest.FixtureRequest) -> Built:
    """Return what is deployed, for each architecture, where `python -m layers.deps` puts it."""
    return build(request.param)


@pytest.fixture(scope="session")
def here() -> Built:
    """Return what is deployed to machines like those that run the tests."""
    return build("x86_64")


@pytest.fixture(scope="session")
def python() -> str:
    """A Python of the version that Lambda runs."""
    return find_python(pythons(find_uv()))
