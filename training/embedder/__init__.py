"""The bundled embedder: how it learns which page answers a question in a reader's own words."""
