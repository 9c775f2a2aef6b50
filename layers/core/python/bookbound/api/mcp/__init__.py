"""The book for assistants, by the Model Context Protocol: the same gates, citations, limits and records.

Only `server` and `stdio` load the protocol's SDK, for the first call that needs it.
"""
