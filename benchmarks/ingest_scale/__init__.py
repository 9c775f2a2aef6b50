"""Cost of a large book for the ingest job, step by step."""
