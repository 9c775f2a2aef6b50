"""Lambda's entry point: `functions.digest.handler.handler`, called once a period by its schedule."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools import Logger

from bookbound.audit.digest_chain import catch_up
from functions.digest import wiring

logger = Logger(service="digest")
deps = wiring.build(os.environ)


@logger.inject_lambda_context(log_event=False)
def handler(event: Any, context: Any) -> dict[str, Any]:
    """The names of the digests that were due: as a rule one, none when it is called twice."""
    made = catch_up(deps, datetime.now(UTC))
    logger.info("digests made", extra={"digests": made})
    return {"made": made}
