"""Lambda's entry point: `functions.release.handler.handler`, called by CodeDeploy before traffic."""

from __future__ import annotations

import os
from typing import Any

from aws_lambda_powertools import Logger

from functions.release import wiring
from functions.release.check import reasons, trials

logger = Logger(service="release")
deps = wiring.build(os.environ)


@logger.inject_lambda_context(log_event=False)
def handler(event: Any, context: Any) -> dict[str, Any]:
    """Ask the new version, and tell CodeDeploy whether the release goes on; the log says why not."""
    known = deps.known()
    if known is None:
        logger.warning("no question is known that the live book answers: one question is asked")
    found = reasons(trials(known), deps.new, deps.live)
    for reason in found:
        logger.error("the new version gets no traffic", extra={"reason": reason})
    deps.tell(event["DeploymentId"], event["LifecycleEventHookExecutionId"], not found)
    return {"reasons": found}
