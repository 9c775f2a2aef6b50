"""Writes the author's report, once a week."""
