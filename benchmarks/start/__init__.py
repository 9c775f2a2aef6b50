"""From the start of a process to its first answer, beside peers."""
