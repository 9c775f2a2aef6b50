"""The author's side: what readers ask in vain, what would mend it, and what a mend would change."""
