"""Settings that name a vendor: what they need, and what is no address."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bookbound.settings import JobSettings, Settings


@pytest.mark.parametrize(
    "url", ["", "qdrant", "qdrant:6333", "ftp://qdrant", "http://", "http://host:port", "http://host:99999"]
)
@pytest.mark.parametrize("vendor", ["qdrant_url", "cohere_url"])
def test_what_is_no_url_is_named_at_the_start(vendor: str, url: str) -> None:
    """Not at the first question."""
    with pytest.raises(ValidationError, match=vendor):
        Settings(**{vendor: url})


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:6333", "https://book.cloud.example", "http://[::1]:80/path"]
)
def test_an_http_url_is_kept_as_it_is(url: str) -> None:
    """With or without a port or a path."""
    assert Settings(qdrant_url=url).qdrant_url == url


@pytest.mark.rule("S5")
def test_a_key_is_needed_and_never_shown() -> None:
    """Neither in the settings' text nor in the error about them."""
    with pytest.raises(ValidationError, match="BOOKBOUND_COHERE_API_KEY"):
        Settings(embedder="cohere")
    shown = repr(Settings(embedder="cohere", cohere_api_key="the-key", qdrant_api_key="the-key"))
    assert "the-key" not in shown


CLOUD: dict[str, Any] = {
    "books_bucket": "books",
    "book": "kestrel",
    "audit_stream_personal": "personal",
    "audit_stream_other": "other",
    "audit_queue_url": "https://sqs.example/queue",
    "audit_bucket": "audit",
    "vendors_secret": "vendors",
    "stage": "dev",
    "table": "table",
    "signing_secret": "signing",
}


def test_a_stage_s_vendors_need_no_key_in_the_environment() -> None:
    """The vendors' secret has them; so it has Qdrant's address."""
    settings = Settings(generator="claude", embedder="cohere", **CLOUD)
    assert settings.claude_api_key is settings.cohere_api_key is settings.qdrant_url is None


@pytest.mark.parametrize("left_out", ["bedrock_model", "bedrock_region"])
def test_bedrock_needs_a_model_and_a_region_and_no_key(left_out: str) -> None:
    """Ids differ from region to region; the process's role is its credentials."""
    named = {"bedrock_model": "eu.anthropic.claude-x", "bedrock_region": "eu-central-1"}
    settings = Settings(generator="bedrock", **named)
    assert settings.stored_keys == ("cohere_api_key", "qdrant_url", "qdrant_api_key")
    with pytest.raises(ValidationError, match=f"needs BOOKBOUND_{left_out.upper()}"):
        Settings(generator="bedrock", **named | {left_out: None})


@pytest.mark.parametrize(
    ("chosen", "missing"),
    [
        ({"generator": "claude"}, "BOOKBOUND_CLAUDE_API_KEY, or BOOKBOUND_VENDORS_SECRET"),
        ({"embedder": "cohere"}, "BOOKBOUND_COHERE_API_KEY, or BOOKBOUND_VENDORS_SECRET"),
        ({}, "BOOKBOUND_QDRANT_URL, or BOOKBOUND_VENDORS_SECRET"),
    ],
)
def test_without_the_secret_the_environment_has_to_name_each_vendor(
    chosen: dict[str, Any], missing: str
) -> None:
    """And the error says both ways out."""
    with pytest.raises(ValidationError, match=missing):
        Settings(**CLOUD | {"vendors_secret": None} | chosen)


@pytest.mark.parametrize(
    "name",
    ["books_bucket", "audit_stream_personal", "audit_stream_other", "audit_queue_url", "audit_bucket"],
)
def test_a_stage_is_named_whole_or_not_at_all(name: str) -> None:
    """Books in the cloud whose audit records stayed on a machine that ends would have none (A1)."""
    with pytest.raises(ValidationError, match=f"needs BOOKBOUND_{name.upper()} too"):
        Settings(**{key: value for key, value in CLOUD.items() if key != name})


def test_a_stage_has_a_default_book() -> None:
    """A bucket is not listed for the only book that it may hold."""
    with pytest.raises(ValidationError, match="BOOKBOUND_BOOK,"):
        Settings(**CLOUD | {"book": None})


@pytest.mark.parametrize("name", ["stage", "books_bucket", "vendors_secret", "signing_secret", "table"])
def test_an_empty_name_is_an_error(name: str) -> None:
    """A template that left a value out is noticed at the start."""
    with pytest.raises(ValidationError, match=name):
        Settings(**CLOUD | {name: ""})


@pytest.mark.rule("S5")
@pytest.mark.parametrize("url", ["http://qdrant.example:6333", "http://10.0.0.1", "http://127.evil.example"])
def test_a_key_is_not_sent_in_the_clear(url: str) -> None:
    """To another machine it goes by https alone; without a key there is nothing to hide."""
    with pytest.raises(ValidationError, match="BOOKBOUND_QDRANT_URL must be https") as caught:
        Settings(qdrant_url=url, qdrant_api_key="the-key")
    assert "the-key" not in str(caught.value)
    assert Settings(qdrant_url=url).qdrant_url == url


@pytest.mark.parametrize(
    "url", ["https://qdrant.example", "http://localhost:6333", "http://127.1:6333", "http://[::1]:6333"]
)
def test_on_this_machine_a_key_needs_no_https(url: str) -> None:
    """No third party listens in between."""
    assert Settings(qdrant_url=url, qdrant_api_key="the-key").qdrant_url == url


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    "origin",
    [
        *("https://book.example/", "https://book.example/docs", "https://Book.example", "book.example"),
        *("https://*.example", "*", "null", "", "https://book.example:443", "http://localhost:80"),
        *(
            "http://book.example",
            "https://book.example?x",
            "https://ann@book.example",
            "https://book.example:0",
        ),
        "https://book.example\n",
    ],
)
def test_what_no_browser_sends_as_an_origin_is_an_error(origin: str) -> None:
    """It would match nothing, or more than was meant."""
    with pytest.raises(ValidationError, match="origin"):
        Settings(origins=(origin,))


@pytest.mark.rule("S4")
def test_origins_are_read_from_the_environment_as_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is JSON, with a port where it is not the usual one, and http on this machine."""
    monkeypatch.setenv("BOOKBOUND_ORIGINS", '["https://book.example", "http://localhost:3000"]')
    assert Settings().origins == ("https://book.example", "http://localhost:3000")


def test_a_step_of_the_job_needs_the_bucket_and_the_table_and_no_audit_trail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The job answers no reader; the settings that it lacks are named."""
    with pytest.raises(ValidationError, match="BOOKBOUND_BOOKS_BUCKET, BOOKBOUND_TABLE"):
        JobSettings()
    for name in ("BOOKS_BUCKET", "BOOK", "TABLE"):
        monkeypatch.setenv(f"BOOKBOUND_{name}", "kestrel")
    monkeypatch.setenv("BOOKBOUND_QDRANT_URL", "http://127.0.0.1:6333")
    assert JobSettings().embed_rate == 1600


@pytest.mark.parametrize(
    "wrong", [{"daily_tokens": 199_999}, {"when_spent": "guess"}], ids=["too small", "unknown"]
)
def test_a_budget_has_room_for_a_question_and_a_way_out(wrong: dict[str, Any]) -> None:
    """Smaller than what one question can cost at most, it would never let any through."""
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        Settings(**wrong)
    assert Settings().daily_tokens is None
