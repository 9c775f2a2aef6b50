"""Common parts of all vendors: an address, a record of the requests, and one misbehaviour at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import ExitStack
from dataclasses import replace
from fnmatch import fnmatchcase
from types import TracebackType
from typing import ClassVar, Self

from testing.vendors.addresses import UNRESOLVABLE, ClosedPort, FullBacklog, untrusted_tls
from testing.vendors.delivery import DELIVERIES, whole
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.server import LOOPBACK, Connection, Reply, Request, Server, page

API_KEY = "loopback-key"


class Rejected(Exception):
    """The vendor does not take this request."""

    def __init__(self, status: int, message: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Vendor(ABC):
    """A vendor on loopback, for as long as its `async with` block lasts.

    Attributes:
        misbehaviour: what goes wrong with every request; None for nothing.
        misbehaviour_at: what goes wrong with the requests whose path fits a pattern (`fnmatch`), before that.
        requests: all that came in, in order.
        second: how many seconds a misbehaviour's second lasts.
    """

    name: ClassVar[str]
    host: ClassVar[str] = LOOPBACK

    def __init__(
        self,
        *,
        misbehaviour: Misbehaviour | None = None,
        api_key: str = API_KEY,
        second: float = 1.0,
        port: int = 0,
    ) -> None:
        self.misbehaviour = misbehaviour
        self.misbehaviour_at: dict[str, Misbehaviour] = {}
        self.api_key = api_key
        self.second = second
        self.requests: list[Request] = []
        self._port = port
        self._server = Server(self._handle)
        self._sockets = ExitStack()
        self._urls: dict[Misbehaviour, str] = {}

    async def __aenter__(self) -> Self:
        self._port = await self._server.listen(self._port)
        tls_port = await self._server.listen(tls=untrusted_tls())
        backlog, closed = FullBacklog(), ClosedPort()
        self._sockets.callback(backlog.close)
        self._sockets.callback(closed.close)
        self._urls = {
            Misbehaviour.DNS_FAILURE: UNRESOLVABLE,
            Misbehaviour.CONNECTION_REFUSED: f"http://{self.host}:{closed.port}",
            Misbehaviour.CONNECT_HANGS: f"http://{self.host}:{backlog.port}",
            Misbehaviour.TLS_UNTRUSTED: f"https://{self.host}:{tls_port}",
            Misbehaviour.TLS_PLAIN: f"https://{self.host}:{self._port}",
        }
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._sockets:
            await self._server.stop()

    @property
    def url(self) -> str:
        """Address for requests; the wrong one where the address itself is what goes wrong."""
        good = f"http://{self.host}:{self._port}"
        return good if self.misbehaviour is None else self._urls.get(self.misbehaviour, good)

    @property
    def environment(self) -> dict[str, str]:
        """The variables that point Bookbound here."""
        prefix = f"BOOKBOUND_{self.name.upper()}"
        return {f"{prefix}_URL": self.url, f"{prefix}_API_KEY": self.api_key}

    @property
    def connections(self) -> int:
        """Number of connections that are open now."""
        return len(self._server.connections)

    async def idle(self) -> None:
        """Wait until every connection that is open now has ended."""
        await self._server.idle()

    @abstractmethod
    async def answer(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        """The vendor's answer, with what is wrong in it. Raises Rejected."""

    @abstractmethod
    def error(self, status: int, message: str | None = None) -> Reply:
        """The vendor's error of this status; without a message, with a usual one."""

    async def _handle(self, request: Request, connection: Connection) -> None:
        self.requests.append(request)
        wrong = self._wrong(request.path)
        reply = await self._reply(request, wrong)
        await DELIVERIES.get(wrong, whole)(connection, reply, self.second)

    def _wrong(self, path: str) -> Misbehaviour | None:
        at_path = (one for pattern, one in self.misbehaviour_at.items() if fnmatchcase(path, pattern))
        return next(at_path, self.misbehaviour)

    async def _reply(self, request: Request, wrong: Misbehaviour | None) -> Reply:
        if wrong is not None and wrong.status is not None:
            return _with_retry_after(self.error(wrong.status), wrong.retry_after)
        match wrong:
            case Misbehaviour.WRONG_CONTENT_TYPE:
                return replace(page(503), status=200)
            case Misbehaviour.EMPTY_BODY:
                return Reply((b"",))
            case Misbehaviour.ERROR_IN_200:
                return replace(self.error(500), status=200)
        try:
            reply = await self.answer(request, wrong)
        except Rejected as rejected:
            return self.error(rejected.status, rejected.message)
        return reply.cut() if wrong is Misbehaviour.TRUNCATED_JSON else reply


def _with_retry_after(reply: Reply, seconds: str | None) -> Reply:
    return reply if seconds is None else replace(reply, headers=(*reply.headers, ("retry-after", seconds)))
