"""`python -m testing.runtime.publishing DATA DOCS BOOK`: a book to the stage that the environment names."""

from __future__ import annotations

import sys
from pathlib import Path

from bookbound.errors import BookboundError
from bookbound.settings import Settings
from testing.published import publish_docs


def main(data: str, docs: str, book_id: str) -> None:
    """Ingest a book and put it live; `data` keeps what was embedded for the next time."""
    publish_docs(Settings(data=Path(data)), Path(docs), book_id)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BookboundError as error:
        sys.exit(str(error))
