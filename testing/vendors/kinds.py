"""The vendors by name, for tables that run over all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from testing.vendors.claude import Claude
from testing.vendors.cohere import Cohere
from testing.vendors.ollama import Ollama
from testing.vendors.qdrant import Qdrant
from testing.vendors.vendor import Vendor

KINDS: Mapping[str, Callable[..., Vendor]] = {kind.name: kind for kind in (Claude, Ollama, Cohere, Qdrant)}
"""Each takes the options of its class."""
