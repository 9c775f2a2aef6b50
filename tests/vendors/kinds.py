"""The vendors by name, for tables that run over all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.vendors.claude import Claude
from tests.vendors.cohere import Cohere
from tests.vendors.ollama import Ollama
from tests.vendors.qdrant import Qdrant
from tests.vendors.vendor import Vendor

KINDS: Mapping[str, Callable[..., Vendor]] = {kind.name: kind for kind in (Claude, Ollama, Cohere, Qdrant)}
"""Each takes the options of its class."""
