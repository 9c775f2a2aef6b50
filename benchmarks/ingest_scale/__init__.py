"""What a large book costs the ingest job, step by step."""
