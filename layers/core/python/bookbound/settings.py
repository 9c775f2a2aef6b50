"""Settings, read once from the environment (prefix BOOKBOUND_) by `wiring`, nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """How this process is wired. An unknown value is an error at start, not a surprise later."""

    model_config = SettingsConfigDict(env_prefix="BOOKBOUND_", extra="ignore", frozen=True)

    data: Path = Path(".bookbound")
    """Where indexes, cached vectors, audit records and feedback lie on this machine."""

    book: str | None = None
    """The default book's id; needed only when more than one is ingested."""

    generator: Literal["extractive"] = "extractive"
    embedder: Literal["minilm"] = "minilm"
