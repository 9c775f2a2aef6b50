"""Settings that name a vendor: what they need, and what is no address."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bookbound.settings import Settings


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
