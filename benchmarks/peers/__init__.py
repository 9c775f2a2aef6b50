"""Alternatives that a book's owner would glue together: three frameworks, on Bookbound's embedder."""
