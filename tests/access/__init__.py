"""Access tests: one set of credentials, good and bad, at a stage's door and at the local one."""
