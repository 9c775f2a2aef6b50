"""A small open language model, to see what the verifier makes of a real one's sentences."""
