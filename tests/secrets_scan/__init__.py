"""Looks for secrets where none may be: in the repository, in templates, in what a run writes (S5)."""
