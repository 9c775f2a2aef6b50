"""Lambda's entry point: `functions.api.handler.handler`."""

from __future__ import annotations

import logging
import os
import time
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.correlation_paths import API_GATEWAY_REST
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers

from bookbound.access.rate_limiter import RateLimiter
from bookbound.api import metrics, snapshot, tracing
from bookbound.api.app import create_app
from bookbound.api.boundary import Observer
from bookbound.api.deps import ApiDeps
from bookbound.api.entry import Entry, OpenEntry, rates
from bookbound.api.gateway import Event, behind_gateway
from bookbound.api.system import System
from bookbound.settings import Settings

_VERSION = "AWS_LAMBDA_FUNCTION_VERSION"

logger = Logger()
copy_config_to_registered_loggers(logger, include={"bookbound"})
# Its line for each request would hold the path, and with it what a reader may have written there.
logging.getLogger("mangum.http").setLevel(logging.WARNING)


def _deps(settings: Settings, system: System) -> ApiDeps:
    return ApiDeps(
        system.answer,
        system.ready,
        system,
        book=settings.book,
        entry=_entry(settings, system),
        consult=system,
    )


def _entry(settings: Settings, system: System) -> Entry | OpenEntry:
    """A stage's, whose gateway has told who asks; else open."""
    if settings.books_bucket is None:
        return OpenEntry()
    limiter = RateLimiter(system, time.time)
    return Entry(limiter, rates(settings), system, settings.origins, time.time)


def _observers(settings: Settings) -> list[Observer]:
    """Return the observers: metrics belong to a stage, and without one they have no reader."""
    told = [metrics.to_stdout(settings.stage, os.environ.get(_VERSION, ""))] if settings.stage else []
    return [tracing.annotate, *told]


settings = Settings()
system = System(settings)
snapshot.prepare(system)
_serve = behind_gateway(
    create_app(_deps(settings, system), origins=settings.origins, observers=_observers(settings))
)


@logger.inject_lambda_context(correlation_id_path=API_GATEWAY_REST, log_event=False)
def handler(event: Any, context: Any) -> Event:
    """Answer one event; each log line on the way carries the gateway's id of the request."""
    with tracing.subsegment():
        return _serve(event, context)
