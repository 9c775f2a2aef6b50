"""A book's own policy: scope, thresholds and wording, and the file that they come from."""
