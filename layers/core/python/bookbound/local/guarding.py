"""The local server's entry, guarded as a stage's is, over a file of this machine (S1, S2, S4)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

from bookbound.access.authorizer import Authorizer
from bookbound.access.rate_limiter import RateLimiter
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from bookbound.adapters.files.access_file import AccessFile, FileClients, FileSecret
from bookbound.api.entry import Entry, rates
from bookbound.settings import Settings

STAGE = "local"
"""Stage of this machine's tokens."""

_LOOPBACK = ("127.0.0.1", "localhost")


def entry(settings: Settings, file: AccessFile, url: str) -> Entry:
    """Lets in the file's clients, and pages of the settings' sites and of the server itself, at `url`."""
    tokens = BrowserTokens(FileSecret(file), STAGE)
    authorizer = Authorizer(FileClients(file).find, tokens.check, time.time)
    origins = (*settings.origins, *_own(url))
    return Entry(RateLimiter(file, time.time), rates(settings), tokens, origins, time.time, authorizer.grant)


def _own(url: str) -> Sequence[str]:
    """Return the origins of the server's own pages: both names of this machine, either may be typed."""
    parts = urlsplit(url)
    if parts.hostname not in _LOOPBACK:
        return (url,)
    return [urlunsplit(parts._replace(netloc=f"{host}:{parts.port}")) for host in _LOOPBACK]
