"""Signatures: browser tokens and digests of the audit trail."""
