"""The folder of an index version: what lies where in it, on this machine and in a stage's bucket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bookbound.errors import IngestError, Unavailable
from bookbound.index.manifest import MANIFEST_JSON, Manifest

MANIFEST = "manifest.json"

FILES = "files"
"""The version's copy of the book; in a stage's bucket it lies in the version's snapshot."""

PICTURES = "static"
"""The version's copy of the pictures that the book shows, by the path at which the site serves them."""

SOURCE = "source.json"
"""File that names the upload that the version came from, in a stage's bucket."""

COLLECTION_FILE = "collection"
"""The name of the collection that holds the version's points, where a server has them."""


def read_manifest(version: Path) -> Manifest:
    """A version's manifest. Raises IngestError when it is missing or unreadable."""
    try:
        return MANIFEST_JSON.validate_json((version / MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise _unreadable(version) from error


def published_at(version: Path) -> int:
    """Return when a version got its name, in ns: another of the same name may replace it.

    Raises IngestError when it has no manifest.
    """
    try:
        return (version / MANIFEST).stat().st_mtime_ns
    except (OSError, ValueError) as error:
        raise _unreadable(version) from error


@contextmanager
def checking(version: str) -> Iterator[None]:
    """Raises IngestError where looking at a version that is to be live again finds a fault."""
    try:
        yield
    except (IngestError, Unavailable) as error:
        raise IngestError(f"version {version} cannot go live again, nothing was changed: {error}") from error


def _unreadable(version: Path) -> IngestError:
    return IngestError(f"the index version {version.name} is unreadable; ingest the book again")
