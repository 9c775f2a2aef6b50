"""Cost of an ingest next to the bare embedder and to peers, each in a separate process."""
