"""The gateway's authorizer as a Lambda function; it decides in `bookbound.access.authorizer`."""
