"""Reads the audit trail, of this machine or of a stage: SQL, the review list, and the report."""
