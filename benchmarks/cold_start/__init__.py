"""Cost of a cold start in Lambda's own runtime, next to a floor and a function written without care."""
