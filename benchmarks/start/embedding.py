"""The embedder as every peer's script uses it."""

from __future__ import annotations

from bookbound.adapters.bundled.minilm import MiniLmEmbedder

embed = MiniLmEmbedder().embed
