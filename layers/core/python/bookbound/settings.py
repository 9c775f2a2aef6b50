"""Settings, read once from the environment (prefix BOOKBOUND_) by `wiring`, nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError(f"{url!r} is no http or https URL")
    return url


Url = Annotated[str, AfterValidator(_http)]


class Settings(BaseSettings):
    """How this process is wired. An unknown value is an error at start, not a surprise later."""

    model_config = SettingsConfigDict(env_prefix="BOOKBOUND_", extra="ignore", frozen=True)

    data: Path = Path(".bookbound")
    """Where indexes, cached vectors, audit records and feedback lie on this machine."""

    book: str | None = None
    """The default book's id; needed only when more than one is ingested."""

    generator: Literal["extractive", "ollama", "claude"] = "extractive"
    embedder: Literal["minilm", "cohere"] = "minilm"

    claude_api_key: SecretStr | None = None
    claude_url: str | None = None
    """Of another endpoint than the vendor's own."""
    claude_model: str = "claude-haiku-5-5"
    claude_max_tokens: int = Field(default=700, ge=64, le=2048)
    """An answer of six sentences takes some 300; one that is cut here is no answer."""
    claude_thinking: Literal["disabled", "adaptive"] = "disabled"
    """Thinking costs seconds, of which an answer has 2.5."""
    claude_effort: Literal["low", "medium", "high"] = "low"

    ollama_url: str = "http://127.0.0.1:11434"
    ollama_model: str = "llama3.2"
    ollama_keep_alive: str = "30m"
    """How long the model stays in memory after a question; loading it takes longer than an answer may."""

    cohere_api_key: SecretStr | None = None
    cohere_url: Url | None = None
    cohere_passages_model: str = "embed-v5.0-pro"
    cohere_questions_model: str = "embed-v5.0-fast"
    """Of the same vector space as the passages' model."""
    cohere_dimensions: int = Field(default=1024, ge=256, le=2048)

    qdrant_url: Url | None = None
    """Of a Qdrant server, at port 6333 unless it names one; without one, each index version is a store."""
    qdrant_api_key: SecretStr | None = None

    @model_validator(mode="after")
    def _keys_are_there(self) -> Settings:
        """A vendor that is chosen needs its key."""
        if self.generator == "claude" and self.claude_api_key is None:
            raise ValueError("BOOKBOUND_GENERATOR=claude needs BOOKBOUND_CLAUDE_API_KEY")
        if self.embedder == "cohere" and self.cohere_api_key is None:
            raise ValueError("BOOKBOUND_EMBEDDER=cohere needs BOOKBOUND_COHERE_API_KEY")
        return self
