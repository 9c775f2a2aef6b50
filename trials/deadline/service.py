"""The service over loopback vendors: a small book ingested for each of them, and the API on a socket."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import uvicorn

from bookbound import ingest_wiring, wiring
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.local import serving
from bookbound.settings import Settings
from testing.small_book import PAGES
from trials.deadline.vendors import Vendors

QUESTION = "How often does the lidar of Kestrel scan?"
_USED_BY: Mapping[str, Mapping[str, Any]] = {
    "claude": {"generator": "claude"},
    "ollama": {"generator": "ollama"},
    "cohere": {"embedder": "cohere"},
    "qdrant": {},
}
"""The service's settings for a trial of each vendor; for Qdrant, its URL is enough."""


def settings(root: Path, vendors: Vendors, name: str) -> Settings:
    """The service that uses this vendor, with its URL as it is now; its data is that vendor's own."""
    vendor = vendors.by_name[name]
    prefix = "BOOKBOUND_"
    named = {key.removeprefix(prefix).lower(): value for key, value in vendor.environment.items()}
    return Settings(data=root / name, **_USED_BY[name], **named)


def ingest(root: Path, vendors: Vendors) -> None:
    """Ingest the small book for every vendor."""
    docs = root / "site" / "docs"
    docs.mkdir(parents=True)
    for name, text in PAGES.items():
        (docs / name).write_text(text, encoding="utf-8")
    for name in vendors.by_name:
        ingest_wiring.ingest(settings(root, vendors, name), docs, "kestrel", None, lambda *_: None)


class OwnClock(logging.Handler):
    """Collects what the service itself says of each request's time, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the latency of a request's line."""
        if "latency_ms" in record.__dict__:
            self.seconds.append(record.__dict__["latency_ms"] / 1000)


@asynccontextmanager
async def serving_api(app: wiring.App) -> AsyncIterator[str]:
    """The API's URL, for as long as the block lasts."""
    with serving.listen("127.0.0.1", 0) as listening:
        api = create_app(ApiDeps(app.answer, app.ready, app.feedback))
        server = uvicorn.Server(uvicorn.Config(api, lifespan="off", log_config=None))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield serving.url(listening)
        finally:
            server.should_exit = True
            await running
            _forget_routes()


def _forget_routes() -> None:
    """Let go of what FastAPI remembers of every app's routes, and by them of the app, some 120 MB each."""
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper) and one.__module__.startswith("fastapi."):
            one.cache_clear()
