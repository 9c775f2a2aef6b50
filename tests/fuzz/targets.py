"""The targets by name."""

from __future__ import annotations

from tests.fuzz import archives, authorizer_events, book_files, policies, proxy_events, tokens
from tests.fuzz.target import Target

TARGETS = {
    "event": proxy_events.TARGET,
    "authorizer": authorizer_events.TARGET,
    "token": tokens.TARGET,
    "policy": policies.TARGET,
    "csv": book_files.CSV_TARGET,
    "xlsx": book_files.XLSX_TARGET,
    "page": book_files.PAGE_TARGET,
    "archive": archives.TARGET,
}


def target(name: str) -> Target:
    return TARGETS[name]
