"""Fixtures for both doors, built once for all tests, since no caller changes anything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from testing.runtime.contract import Contract, read
from testing.runtime.world import FOLDER
from tests.access.credentials import Keyring, furnished
from tests.access.doors import local_door, stage_door


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The stage as its template has it."""
    return read(FOLDER)


@pytest.fixture(scope="module")
def stage(contract: Contract) -> Iterator[Keyring]:
    with stage_door(contract) as door:
        yield furnished(door)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyring]:
    with local_door(tmp_path_factory.mktemp("local")) as door:
        yield furnished(door)


@pytest.fixture(params=["stage", "local"])
def ring(request: pytest.FixtureRequest) -> Keyring:
    """Each door by turns, with who is known there."""
    found: Keyring = request.getfixturevalue(request.param)
    return found
