"""Trial: every request ends within its five seconds, under any vendor fault (D1–D4)."""
