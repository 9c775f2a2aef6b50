"""The built functions in Lambda's own runtime, behind a gateway, with AWS and vendors on loopback."""
