"""The cloud's ingest: one small handler a step over the core's ingest story."""
