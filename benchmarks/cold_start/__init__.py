"""What a cold start costs in Lambda's own runtime, beside a floor and a function written without care."""
