"""Findings of the parts of `make bench`, as tables on the terminal and as one page with plots."""
