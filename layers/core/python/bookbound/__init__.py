"""Bookbound: answers from a book, with a citation for every sentence, or an honest refusal."""

__version__ = "0.1.0"
