"""Addresses at which no vendor answers, each in its own way."""

from __future__ import annotations

import contextlib
import socket
import ssl
from functools import cache

import trustme

from testing.vendors.server import LOOPBACK

UNRESOLVABLE = "https://bookbound.invalid"
"""A host that no resolver knows: RFC 6761 keeps the name unused."""

_CLIENTS = 3


class FullBacklog:
    """A port that listens and never accepts, its queue filled with our own clients: a connect hangs."""

    def __init__(self) -> None:
        listener = socket.socket()
        listener.bind((LOOPBACK, 0))
        listener.listen(0)
        self.port: int = listener.getsockname()[1]
        self._sockets = [listener, *(self._client() for _ in range(_CLIENTS))]

    def _client(self) -> socket.socket:
        client = socket.socket()
        client.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            client.connect((LOOPBACK, self.port))
        return client

    def close(self) -> None:
        """Let go of the port."""
        for each in self._sockets:
            each.close()


class ClosedPort:
    """A port reserved by the test, without a listener: a connect is refused."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind((LOOPBACK, 0))
        self.port: int = self._socket.getsockname()[1]

    def close(self) -> None:
        """Let go of the port."""
        self._socket.close()


@cache
def untrusted_tls() -> ssl.SSLContext:
    """A server's side of TLS, with a certificate from an authority that no client knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert(LOOPBACK).configure_cert(context)
    return context
