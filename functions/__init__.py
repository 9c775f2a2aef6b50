"""What runs in Lambda."""
