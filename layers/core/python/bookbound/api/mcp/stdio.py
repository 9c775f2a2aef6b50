"""The server over standard input and output: for an assistant that starts it as its own process."""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

from mcp.server.stdio import stdio_server

from bookbound.access.credentials import Grant
from bookbound.api.arrival import Arrival
from bookbound.api.deps import ApiDeps, Consult
from bookbound.api.mcp.desk import Desk, Visit
from bookbound.api.mcp.server import build
from bookbound.deadline import Deadline

CLIENT = "mcp-stdio"
"""The caller, as the audit record names it (S1)."""


async def serve(deps: ApiDeps, consult: Consult, book_id: str | None) -> None:
    """Serve until the input ends. What is asked is one session, so that one erasure reaches all of it."""
    session = uuid4()
    grant = Grant(CLIENT)

    def visit(context: Any) -> Visit:
        arrival = Arrival(str(uuid4()), grant, Deadline(), time.monotonic())
        return Visit(arrival, grant, book_id, session)

    server = build(Desk(deps, consult), visit)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
