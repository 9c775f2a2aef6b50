"""Code that runs in Lambda."""
