"""Connections and key of Claude's client, which rides on httpx2."""

from __future__ import annotations

import httpx2

from bookbound.adapters.vendors.connections import LoopPools
from bookbound.adapters.vendors.keys import KeyFlow


class ClaudeTransport(LoopPools, httpx2.AsyncBaseTransport):
    """LoopPools over httpx2."""

    library = httpx2


class ClaudeKeyAuth(KeyFlow, httpx2.Auth):
    """KeyFlow over httpx2."""
