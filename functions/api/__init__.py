"""The HTTP API: the same application behind API Gateway and on one's own machine."""
