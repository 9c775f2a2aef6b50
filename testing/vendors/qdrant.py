"""Qdrant's REST API, as its client speaks it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.qdrant_store import VERSION, Store, missing
from testing.vendors.server import Reply, Request, json_reply, page
from testing.vendors.vendor import Rejected, Vendor

TIMEOUT = "Timeout error: Operation 'Search' timed out after 2 seconds"

_OPEN_PATHS = ("/", "/healthz", "/livez", "/readyz")
"""Answered without a key."""

_READS = ("/points", "/points/query", "/points/query/batch", "/points/scroll")

_COLLECTION = re.compile("/collections/[^/]+")

_ERRORS: Mapping[int, str] = {
    400: "Wrong input: Vector dimension error: expected dim: 1024, got 384",
    403: "Forbidden: Global access is required",
    404: missing("nonesuch"),
    429: "Rate limiting exceeded: Read rate limit exceeded, retry later",
    500: "Service internal error: task 4711 panicked",
    503: "Service temporarily unavailable: shard 0 is not active",
}


class Qdrant(Vendor):
    """Server of `qdrant_store`, with the key checked; empty at first.

    Its address is spelt so that the client keeps connections alive, as it does for any host except two
    spellings of this one.

    Attributes:
        unsettled: false values for the next calls that ask for a collection's description.
        system: the server's size in KiB, as its telemetry has it.
        strict: the strict mode of every collection.
    """

    name = "qdrant"
    host = "127.1"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._store = Store()
        self.unsettled: list[Mapping[str, Any]] = []
        self.system = {"ram_size": 1 << 20, "disk_size": 4 << 20}
        self.strict: Mapping[str, Any] | None = None

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, traceback)
        await asyncio.to_thread(self._store.close)

    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        if request.method == "GET" and request.path in _OPEN_PATHS:
            return json_reply(
                {"title": "qdrant - vector search engine", "version": VERSION, "commit": "0" * 40}
            )
        self._authenticate(request)
        if (request.method, request.path) == ("GET", "/telemetry"):
            return json_reply({"result": self._telemetry(request), "status": "ok", "time": 0.001})
        if "/points" in request.path:
            self._fail(request.path, wrong)
        result = await asyncio.to_thread(self._store.call, request.method, request.path, request.body)
        if request.method == "POST" and request.path.endswith(_READS):
            result = _spoilt(result, wrong)
        if self.strict and request.method == "GET" and _COLLECTION.fullmatch(request.path):
            result["config"]["strict_mode_config"] = self.strict
        if self.unsettled and request.method == "GET" and _COLLECTION.fullmatch(request.path):
            result |= self.unsettled.pop(0)
        return json_reply({"result": result, "status": "ok", "time": 0.001})

    def error(self, status: int, message: str | None = None) -> Reply:
        if status == 401:
            return Reply(((message or "Invalid API key or JWT").encode(),), 401, "text/plain")
        text = message or _ERRORS.get(status)
        return json_reply({"status": {"error": text}, "time": 0.0}, status) if text else page(status)

    def _telemetry(self, request: Request) -> dict[str, Any]:
        """The least of it, and the system from the first level of details on."""
        system = {"is_docker": True, "container_runtime": "kubernetes", "cpu_flags": "avx2", **self.system}
        level = int(request.query.get("details_level", 0))
        app = {"name": "qdrant", "version": VERSION, "startup": "2026-11-01T00:00:00Z"}
        return {
            "id": "loopback",
            "app": app | ({"system": system} if level else {}),
            "collections": {"number_of_collections": 0},
        }

    def _authenticate(self, request: Request) -> None:
        """Check the key, in a separate header or as a bearer token."""
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        key = request.headers.get("api-key", bearer)
        if not key:
            raise Rejected(401, "Must provide an API key or an Authorization bearer token")
        if key != self.api_key:
            raise Rejected(401)

    def _fail(self, path: str, wrong: Misbehaviour | None) -> None:
        match wrong:
            case Misbehaviour.COLLECTION_MISSING:
                raise Rejected(404, missing(path.split("/")[2]))
            case Misbehaviour.WRONG_VECTOR_NAME:
                raise Rejected(400, "Wrong input: Not existing vector name error: dense")
            case Misbehaviour.TIMEOUT_IN_200:
                raise Rejected(200, TIMEOUT)


def _spoilt(result: Any, wrong: Misbehaviour | None) -> Any:
    """The same shape, without its points or without their payloads."""
    match result:
        case {"points": points}:
            return {**result, "points": _spoilt_points(points, wrong)}
        case [{"points": _}, *_]:
            return [_spoilt(each, wrong) for each in result]
        case _:
            return _spoilt_points(result, wrong)


def _spoilt_points(points: list[dict[str, Any]], wrong: Misbehaviour | None) -> list[dict[str, Any]]:
    match wrong:
        case Misbehaviour.NO_POINTS:
            return []
        case Misbehaviour.NO_PAYLOAD:
            return [{**point, "payload": None} for point in points]
    return points
