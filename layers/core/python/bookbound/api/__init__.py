"""The HTTP API: one application, behind API Gateway and on one machine."""
