"""The HTTP API's Lambda function; the application is `bookbound.api`."""
