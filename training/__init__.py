"""Questions and claims on open books: written, checked and kept without any text of the books."""
