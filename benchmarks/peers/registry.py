"""The peers by name; a framework is imported only when one of its peers is asked for."""

from __future__ import annotations

import os
from importlib import import_module

from benchmarks.peers.peer import Embed, Peer

PLACES = {
    "LlamaIndex": "llama_index:LlamaIndex",
    "LangChain": "langchain:LangChain",
    "Haystack": "haystack:Haystack",
    "Haystack, merged": "haystack:HaystackMerged",
    "LlamaIndex, hybrid": "llama_index_hybrid:LlamaIndexHybrid",
    "LangChain, hybrid": "langchain_hybrid:LangChainHybrid",
}
"""Module here and class, by the name that tables show."""


def peer(name: str, embed: Embed) -> Peer:
    """A peer on that embedder; none reports anywhere. Raises KeyError for a name that is not in PLACES."""
    os.environ |= {"HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false"}
    module, kind = PLACES[name].split(":")
    made: Peer = getattr(import_module(f"benchmarks.peers.{module}"), kind)(embed)
    return made
