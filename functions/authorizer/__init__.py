"""Who gets in: a function of its own in front of the API, small enough to start at once."""
