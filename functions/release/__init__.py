"""Asks a new version of the API two questions before it gets any traffic."""
