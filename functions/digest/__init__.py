"""Makes the digests of the audit trail, once a period."""
