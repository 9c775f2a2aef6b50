"""What an ingest costs beside the bare embedder and beside peers', each in a process of its own."""
