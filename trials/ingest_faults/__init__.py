"""Readers' results while the ingest job goes wrong: drawn schedules of faults, run for real."""
