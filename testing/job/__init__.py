"""The ingest job's state machine, played on loopback."""
