"""Cost of a cold start in Lambda's own runtime, next to a floor and a function written without care."""

TIMES = ("init", "event", "total", "cpu")
"""Fields of a start that are measured, milliseconds; see `starts.Start`."""
