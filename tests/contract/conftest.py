"""What holds for all generators."""

from __future__ import annotations

import pytest

from testing.vendors import bedrock


@pytest.fixture(autouse=True)
def role(monkeypatch: pytest.MonkeyPatch) -> None:
    """The credentials by which Amazon Bedrock knows this process."""
    for name, value in bedrock.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
