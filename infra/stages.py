"""Differences between the stages; they have no others."""

from __future__ import annotations

from infra.stage import ConfigError, Stage

# Its origin is that of Docusaurus at work on the author's machine.
DEV = Stage(name="dev", disposable=True, demo_page=True, origins=("http://localhost:3000",))
STAGING = Stage(name="staging", disposable=True, demo_page=True)
PROD = Stage(name="prod", disposable=False)

STAGES = (DEV, STAGING, PROD)


def stage_named(name: str) -> Stage:
    """The stage of that name; raises ConfigError for none."""
    for stage in STAGES:
        if stage.name == name:
            return stage
    raise ConfigError(f"unknown stage {name!r}; there are {', '.join(stage.name for stage in STAGES)}")
