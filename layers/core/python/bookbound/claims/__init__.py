"""Support of a claim by passages. `support.support` judges it; all else here is what it looks at (P4)."""
