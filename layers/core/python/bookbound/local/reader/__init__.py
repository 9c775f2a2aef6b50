"""The book on this machine: where a source's link leads when the book's own site is not running."""

from bookbound.local.reader.serving import Reader, mount

__all__ = ["Reader", "mount"]
