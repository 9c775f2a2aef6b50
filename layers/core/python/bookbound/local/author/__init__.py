"""The author's page of the local server: what readers ask, what the book lacks, and mends that are tried."""

from bookbound.local.author.serving import AuthorPage, beside

__all__ = ["AuthorPage", "beside"]
