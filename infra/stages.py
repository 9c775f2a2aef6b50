"""Differences between the stages; they have no others."""

from __future__ import annotations

from infra.stage import ConfigError, Stage

# Its origin is that of Docusaurus at work on the author's machine.
DEV = Stage(name="dev", disposable=True, demo_page=True, origins=("http://localhost:3000",))
STAGING = Stage(name="staging", disposable=True, demo_page=True)
PROD = Stage(name="prod", disposable=False)

STAGES = (DEV, STAGING, PROD)

# Stands for an hour, while `make trial` shows that all of this works in an account.
TRIAL = Stage(name="trial", disposable=True, throttle_rate=5, daily_tokens=1_000_000)


def stage_named(name: str) -> Stage:
    """The stage of that name; raises ConfigError for none."""
    for stage in (*STAGES, TRIAL):
        if stage.name == name:
            return stage
    raise ConfigError(f"unknown stage {name!r}; there are {', '.join(stage.name for stage in STAGES)}")
