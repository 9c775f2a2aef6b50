"""Access control: credentials, quotas, the rate limiter, the authorizer."""
