"""Is a claim borne out by passages? `support.support` says so; all else here is what it looks at (P4)."""
