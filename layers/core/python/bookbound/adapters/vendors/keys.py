"""A vendor's key out of a secret: a new one is used without a restart, and without a failed request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from bookbound.adapters.aws.secrets import Secrets

KEY_REFUSED = (401, 403)

log = logging.getLogger("bookbound")


class KeyFlow:
    """Sends the key of this name as a bearer token, in an asynchronous client's requests.

    A request whose key is refused is sent once more where the secret holds another one by now. The Auth of
    httpx, or of httpx2, is inherited too.
    """

    def __init__(self, secrets: Callable[[], Secrets], name: str) -> None:
        self._secrets = secrets
        self._name = name

    async def async_auth_flow(self, request: Any) -> AsyncGenerator[Any, Any]:
        """The request, and perhaps once more. Raises Unavailable without a usable secret."""
        key = await asyncio.to_thread(self._current)
        response = yield _bearing(request, key)
        if response.status_code not in KEY_REFUSED:
            return
        newer = await asyncio.to_thread(self._newer_than, key)
        if newer != key:
            log.info("a refused key was replaced", extra={"key": self._name})
            yield _bearing(request, newer)

    def _current(self) -> str:
        return self._secrets().get()[self._name]

    def _newer_than(self, refused: str) -> str:
        def outdated(held: Mapping[str, str]) -> bool:
            return held[self._name] == refused

        return self._secrets().refetch(outdated)[self._name]


class KeyAuth(KeyFlow, httpx.Auth):
    """KeyFlow for the clients of Cohere and Qdrant, which ride on httpx."""


def _bearing(request: Any, key: str) -> Any:
    request.headers["Authorization"] = f"Bearer {key}"
    return request
