"""The API over a stage's audit path on loopback, in processes that may be watched, misled and killed."""
