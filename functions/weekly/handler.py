"""Lambda's entry point: `functions.weekly.handler.handler`, called once a week by its schedule."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools import Logger

from bookbound.authoring.weekly import report
from functions.weekly import wiring

logger = Logger(service="weekly")
deps = wiring.build(os.environ)


@logger.inject_lambda_context(log_event=False)
def handler(event: Any, context: Any) -> dict[str, Any]:
    """The report's key; none when it is called twice for one week."""
    key = asyncio.run(report(deps, datetime.now(UTC)))
    logger.info("report", extra={"key": key})
    return {"report": key}
