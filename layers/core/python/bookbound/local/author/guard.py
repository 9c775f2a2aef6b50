"""Who may see the author's page: a holder of its key, or, without one, a browser on this machine."""

from __future__ import annotations

import base64
import binascii
import hmac
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response

_PROXIED = ("forwarded", "via", "x-forwarded-for", "x-real-ip")
_NO_KEY = (
    "The author's page can be seen on the machine that serves the book alone. "
    "Set BOOKBOUND_AUTHOR_KEY, of 20 characters or more, to see it from elsewhere."
)
_ASKS = {"WWW-Authenticate": 'Basic realm="the author of this book", charset="UTF-8"'}


class Guard:
    """With a key it is asked for, as the password of any name, even on this machine.

    Without one only requests of this machine are let in, by its own name: no proxy's, and none that a page
    of another site makes under a name of its own (DNS rebinding). With `guarded` and no key nobody is.
    """

    def __init__(self, key: str | None, *, guarded: bool) -> None:
        self._key = key
        self._guarded = guarded

    @property
    def is_open(self) -> bool:
        """True if anybody can be let in."""
        return self._key is not None or not self._guarded

    def refusal(self, request: Request) -> Response | None:
        """Return what is answered instead of the page; None for who is let in."""
        if self._key is None:
            if self._guarded or not _from_here(request):
                return PlainTextResponse(_NO_KEY, 403)
        elif not hmac.compare_digest(_password(request).encode(), self._key.encode()):
            return PlainTextResponse("This page asks for the author's key.", 401, _ASKS)
        if request.method not in ("GET", "HEAD") and not _of_this_page(request):
            return PlainTextResponse("Changes are made from the page itself.", 403)
        return None


def _from_here(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in _PROXIED):
        return False
    return _is_loopback(request.client.host) and _is_loopback(request.url.hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _password(request: Request) -> str:
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    try:
        given = base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return given.partition(":")[2] if scheme.lower() == "basic" else ""


def _of_this_page(request: Request) -> bool:
    """Return whether a browser says that the request comes from a page of this server."""
    origin = request.headers.get("origin")
    same = origin is not None and urlsplit(origin).netloc == request.headers.get("host")
    return same and request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
