"""Settings, read once from the environment (prefix BOOKBOUND_) by `wiring`, nowhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){1,3}|::1")
_ORIGIN = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:]+\])(?::([1-9]\d{0,4}))?")
_USUAL_PORT = {"http": "80", "https": "443"}


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError(f"{url!r} is no http or https URL")
    return url


def _origin(text: str) -> str:
    """An origin as a browser spells it: lower case, no path, no port that goes without saying."""
    found = _ORIGIN.fullmatch(text)
    if found is None or found[3] == _USUAL_PORT[found[1]]:
        raise ValueError(f"{text!r} is no origin as browsers send it, such as https://book.example")
    if in_the_clear(text):
        raise ValueError(f"{text!r} is not https, and not this machine")
    return text


def in_the_clear(url: str) -> bool:
    """Return whether data sent there can be read on its way: http to another machine than this one."""
    parts = urlsplit(url)
    return parts.scheme != "https" and not _LOOPBACK.fullmatch(parts.hostname or "")


Url = Annotated[str, AfterValidator(_http)]
Origin = Annotated[str, AfterValidator(_origin)]
Name = Annotated[str, Field(min_length=1)]

_ELSE = ", or BOOKBOUND_VENDORS_SECRET"

LEAST_DAILY_TOKENS = 200_000
"""Minimum for a day: the largest two drafts of a question fit into it."""


CLAUDES = ("claude", "bedrock")
"""Generators that are Claude: by Anthropic's API with a key, by Amazon Bedrock with a role."""

VENDOR_KEYS = ("claude_api_key", "cohere_api_key", "qdrant_url", "qdrant_api_key")
"""Keys that the vendors' secret holds; each is a setting too."""


class Settings(BaseSettings):
    """Wiring of this process. An unknown value is an error at start, not a surprise later."""

    model_config = SettingsConfigDict(
        env_prefix="BOOKBOUND_",
        extra="ignore",
        frozen=True,
        # An error would quote the others, keys among them (S5).
        hide_input_in_errors=True,
    )

    data: Path = Path(".bookbound")
    """Folder of indexes, cached vectors, audit records and feedback on this machine."""

    book: str | None = None
    """The default book's id; needed only when more than one is ingested."""

    generator: Literal["extractive", "ollama", "claude", "bedrock"] = "extractive"
    embedder: Literal["minilm", "cohere"] = "minilm"

    claude_api_key: SecretStr | None = None
    claude_url: str | None = None
    """URL of an endpoint other than the vendor's own."""
    claude_model: str = "claude-haiku-5-5"
    claude_max_tokens: int = Field(default=700, ge=64, le=2048)
    """An answer of six sentences takes some 300; one that is cut here is no answer."""
    claude_thinking: Literal["disabled", "adaptive"] = "disabled"
    """Thinking costs seconds, of which an answer has 2.5."""
    claude_effort: Literal["low", "medium", "high"] = "low"

    bedrock_model: Name | None = None
    """Claude's id at Amazon Bedrock, or an inference profile's; Claude's other settings count there too."""
    bedrock_region: Name | None = None
    """AWS region that is asked for it, such as eu-central-1."""
    bedrock_url: str | None = None
    """URL of an endpoint other than the region's own, such as one of a private network."""

    ollama_url: str = "http://127.0.0.1:11434"
    ollama_model: str = "llama3.2"
    ollama_keep_alive: str = "30m"
    """Time that the model stays in memory after a question; loading takes longer than an answer may."""

    cohere_api_key: SecretStr | None = None
    cohere_url: Url | None = None
    cohere_passages_model: str = "embed-v5.0-pro"
    cohere_questions_model: str = "embed-v5.0-fast"
    """Model with the same vector space as the passages' model."""
    cohere_dimensions: int = Field(default=1024, ge=256, le=2048)

    qdrant_url: Url | None = None
    """URL of a Qdrant server, at port 6333 unless it names one; if None, each index version is a store."""
    qdrant_api_key: SecretStr | None = None

    stage: Name | None = None
    """The deployment's name, such as prod; a dimension of its metrics."""

    books_bucket: Name | None = None
    """Bucket of the books' versions; without one, everything lies on this machine."""
    audit_stream_personal: Name | None = None
    audit_stream_other: Name | None = None
    """The Firehose streams that take audit records: those with personal data, and the others (A2, A4)."""
    audit_queue_url: Url | None = None
    """The SQS queue for the records that a stream does not take."""
    audit_bucket: Name | None = None
    """Bucket where records end up, and feedback."""

    vendors_secret: Name | None = None
    """In Secrets Manager: VENDOR_KEYS. What the environment names itself is not looked up there."""
    signing_secret: Name | None = None
    """In Secrets Manager: the key that signs browser tokens, and the one before it."""
    table: Name | None = None
    """The DynamoDB table of client keys and counters."""
    origins: tuple[Origin, ...] = ()
    """The sites that may ask from a browser (S4), such as https://book.example."""
    author_key: Annotated[SecretStr, Field(min_length=20)] | None = None
    """The key to the author's page of `serve`; without one, only a browser on this machine gets it."""
    questions_per_session: int = Field(default=20, ge=1)
    """Questions per minute, with one browser token (S4)."""
    questions_per_address: int = Field(default=120, ge=1)
    """Questions per minute, with all the tokens of one network address: a school may be behind it."""
    tokens_per_address: int = Field(default=60, ge=1)
    """Browser tokens per minute and address."""
    questions_at_once: int | None = Field(default=None, ge=1)
    """Questions that `bookbound serve` answers at a time; None: as many as it has processors, or where
    vendors do the work, many more."""
    daily_tokens: int | None = Field(default=None, ge=LEAST_DAILY_TOKENS)
    """Tokens that a model may read and write per day (UTC), all processes together; None: any number."""
    when_spent: Literal["extractive", "refuse"] = "extractive"
    """Answers after that, and while a model's vendor takes no more calls (its 429): quotations of the book
    that say so, or a 503 until the next day, or for as long as the vendor says."""

    @model_validator(mode="after")
    def _bedrocks_model_is_named(self) -> Settings:
        """Ids differ from region to region, so none can be assumed."""
        for name in ("bedrock_model", "bedrock_region"):
            if self.generator == "bedrock" and getattr(self, name) is None:
                raise ValueError(f"BOOKBOUND_GENERATOR=bedrock needs BOOKBOUND_{name.upper()}")
        return self

    @property
    def stored_keys(self) -> tuple[str, ...]:
        """Those of VENDOR_KEYS that are needed: with Bedrock none of Anthropic's."""
        return tuple(name for name in VENDOR_KEYS if name != "claude_api_key" or self.generator == "claude")

    @model_validator(mode="after")
    def _keys_are_there(self) -> Settings:
        """A vendor that is chosen needs its key, from the environment or from the vendors' secret."""
        if self.vendors_secret:
            return self
        if self.generator == "claude" and self.claude_api_key is None:
            raise ValueError(f"BOOKBOUND_GENERATOR=claude needs BOOKBOUND_CLAUDE_API_KEY{_ELSE}")
        if self.embedder == "cohere" and self.cohere_api_key is None:
            raise ValueError(f"BOOKBOUND_EMBEDDER=cohere needs BOOKBOUND_COHERE_API_KEY{_ELSE}")
        if self.books_bucket and self.qdrant_url is None:
            raise ValueError(f"BOOKBOUND_BOOKS_BUCKET needs BOOKBOUND_QDRANT_URL{_ELSE}")
        return self

    @model_validator(mode="after")
    def _the_key_is_not_sent_in_the_clear(self) -> Settings:
        """S5."""
        if self.qdrant_url and self.qdrant_api_key and in_the_clear(self.qdrant_url):
            raise ValueError("BOOKBOUND_QDRANT_URL must be https, since BOOKBOUND_QDRANT_API_KEY goes there")
        return self

    @model_validator(mode="after")
    def _the_cloud_is_whole(self) -> Settings:
        """Books in a bucket and audit records in streams come together, and the default book is named.

        So is what callers are let in by: a setting that was left out opens nothing.
        """
        streams = ("audit_stream_personal", "audit_stream_other")
        parts = ("books_bucket", *streams, "audit_queue_url", "audit_bucket")
        entry = ("stage", "table", "signing_secret") if self.books_bucket else ()
        missing = [f"BOOKBOUND_{name.upper()}" for name in (*parts, *entry) if getattr(self, name) is None]
        if missing and any(getattr(self, name) is not None for name in parts):
            raise ValueError(f"a stage in the cloud needs {', '.join(missing)} too")
        if self.books_bucket and not self.book:
            raise ValueError("BOOKBOUND_BOOKS_BUCKET needs BOOKBOUND_BOOK, the default book's id")
        return self


class JobSettings(Settings):
    """Wiring of a step of the cloud's ingest: it answers no questions, and so keeps no audit records."""

    report_topic: Name | None = None
    """SNS topic that gets the outcome of a run."""
    embed_rate: int = Field(default=1600, ge=1)
    """Texts per minute that all steps together may have embedded. A key of Cohere's has 2,000 for
    everything, readers' questions included."""

    @model_validator(mode="after")
    def _the_cloud_is_whole(self) -> JobSettings:
        """The books' bucket, and the table that has leases and rates."""
        parts = ("books_bucket", "table")
        missing = [f"BOOKBOUND_{name.upper()}" for name in parts if getattr(self, name) is None]
        if missing:
            raise ValueError(f"an ingest in the cloud needs {', '.join(missing)}")
        return self
