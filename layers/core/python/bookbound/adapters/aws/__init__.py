"""A stage's services on AWS."""
