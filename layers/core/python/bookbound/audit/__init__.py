"""The audit trail: records, their schema and SQL, digests, integrity, erasure, personal data."""
