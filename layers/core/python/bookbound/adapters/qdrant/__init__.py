"""Qdrant as the passage store: embedded in this process, or a server."""
