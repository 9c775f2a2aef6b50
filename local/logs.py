"""Where the log goes: JSON lines on stderr while serving; other commands speak for themselves."""

from __future__ import annotations

import logging

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter


def as_json_lines() -> None:
    """Every event from INFO on, in the very form that the cloud's log has."""
    handler = logging.StreamHandler()
    handler.setFormatter(LambdaPowertoolsFormatter(utc=True))
    _replace(handler, logging.INFO)


def failures_only() -> None:
    """What went wrong, a plain line each."""
    _replace(logging.StreamHandler(), logging.ERROR)


def _replace(handler: logging.Handler, level: int) -> None:
    logger = logging.getLogger("bookbound")
    logger.handlers[:] = [handler]
    logger.setLevel(level)
    logger.propagate = False
