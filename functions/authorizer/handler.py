"""Lambda's entry point: `functions.authorizer.handler.handler`."""

from __future__ import annotations

import os
from typing import Any

from bookbound.access.authorizer import Event
from functions.authorizer import wiring

authorizer = wiring.build(os.environ)


def handler(event: Event, context: object) -> dict[str, Any]:
    """The policy for a REQUEST authorizer's event (payload of REST APIs)."""
    return authorizer.policy(event)
