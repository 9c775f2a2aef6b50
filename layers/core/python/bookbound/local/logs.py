"""Destination of the log: JSON lines on stderr while serving; other commands print their own messages."""

from __future__ import annotations

import logging

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter


def as_json_lines() -> None:
    """Log every event from INFO on, in exactly the form of the cloud's log."""
    handler = logging.StreamHandler()
    handler.setFormatter(LambdaPowertoolsFormatter(utc=True))
    _replace(handler, logging.INFO)


def failures_only() -> None:
    """Log failures, a plain line each."""
    _replace(logging.StreamHandler(), logging.ERROR)


def _replace(handler: logging.Handler, level: int) -> None:
    logger = logging.getLogger("bookbound")
    logger.handlers[:] = [handler]
    logger.setLevel(level)
    logger.propagate = False
