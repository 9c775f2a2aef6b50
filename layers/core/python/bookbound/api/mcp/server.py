"""The protocol's server, over its own SDK: tools, the table of contents, and their errors."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)
from starlette.types import Receive, Scope, Send

from bookbound import __version__
from bookbound.api.bodies import LIMIT
from bookbound.api.mcp import descriptions
from bookbound.api.mcp.desk import Arguments, Desk, Told, Visit, explained
from bookbound.api.mcp.shapes import (
    AskBook,
    PassagesFound,
    ReadSection,
    SearchBook,
    SectionRead,
    answer_schema,
)
from bookbound.errors import BookboundError

CONTENTS = "book://contents"

# Its lines would hold what readers wrote; every call has a line of ours (see boundary).
logging.getLogger("mcp").setLevel(logging.CRITICAL)

log = logging.getLogger("bookbound.api")

Context = ServerRequestContext[Any, Any]
VisitOf = Callable[[Context], Visit]
"""Finds who calls: of an HTTP request what the route put into its scope, else the one that started us."""

Value = TypeVar("Value")


def build(desk: Desk, visit_of: VisitOf) -> Server[Any]:
    """The server; nothing of a caller is kept in it, so that it serves all of them."""
    schemas = {tool.name: tool.input_schema for tool in TOOLS}
    work: dict[str, Callable[[Arguments, Visit], Awaitable[Told]]] = {
        "ask_book": desk.ask,
        "search_book": desk.search,
        "read_section": desk.read,
    }

    async def list_tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(TOOLS))

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in work:
            raise MCPError(INVALID_PARAMS, f"There is no such tool; there are {', '.join(work)}.")
        visit = visit_of(context)
        try:
            told = await work[params.name](params.arguments or {}, visit)
        except Exception as error:
            reason = _noted(error, visit)
            return CallToolResult(content=[TextContent(text=reason)], is_error=True)
        return CallToolResult(content=[TextContent(text=told.text)], structured_content=told.structured)

    async def list_resources(context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=[_CONTENTS])

    async def read_resource(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        if str(params.uri) != CONTENTS:
            raise MCPError(INVALID_PARAMS, f"There is no such resource; there is {CONTENTS}.")
        visit = visit_of(context)
        try:
            text = await desk.contents(visit)
        except Exception as error:
            raise MCPError(INTERNAL_ERROR, _noted(error, visit)) from None
        content = TextResourceContents(uri=CONTENTS, mime_type="text/markdown", text=text)
        return ReadResourceResult(contents=[content])

    return Server(
        "bookbound",
        version=__version__,
        title="Bookbound",
        instructions=descriptions.INSTRUCTIONS,
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


class Endpoint:
    """Streamable HTTP as one exchange: a JSON request, a JSON response, and nothing kept in between."""

    def __init__(self, desk: Desk, visit_of: VisitOf) -> None:
        self._server = build(desk, visit_of)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one POST. The SDK's manager belongs to a server that outlives its requests; ours does not."""
        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=LIMIT
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)


def _noted(error: Exception, visit: Visit) -> str:
    """The error for the caller; the log line of the request, or one here, tells us of it."""
    visit.arrival.error = error
    if not isinstance(error, BookboundError):
        log.error("a tool failed: %s", type(error).__name__, extra={"request_id": visit.arrival.request_id})
    return explained(error, visit.arrival.request_id)


def _tool(name: str, title: str, description: str, takes: Any, gives: dict[str, Any]) -> Tool:
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=takes.model_json_schema(),
        output_schema=gives,
        annotations=ToolAnnotations(
            title=title, read_only_hint=True, destructive_hint=False, open_world_hint=False
        ),
    )


TOOLS = (
    _tool("ask_book", "Ask the book", descriptions.ASK, AskBook, answer_schema()),
    _tool(
        "search_book", "Search the book", descriptions.SEARCH, SearchBook, PassagesFound.model_json_schema()
    ),
    _tool("read_section", "Read a section", descriptions.READ, ReadSection, SectionRead.model_json_schema()),
)

_CONTENTS = Resource(
    uri=CONTENTS,
    name="contents",
    title="Table of contents",
    description=descriptions.CONTENTS,
    mime_type="text/markdown",
)
