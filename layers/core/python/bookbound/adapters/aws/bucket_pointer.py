"""A book's pointer in a stage's bucket: what it names is what readers get (I4).

It alone decides, and is written only if it is still as it was read: of two who publish or roll back one book
at once, the second to finish changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from bookbound.adapters.aws.bucket_objects import Objects, pointer_key
from bookbound.errors import Raced, Unavailable
from bookbound.index.version_history import History


@dataclass(frozen=True, slots=True)
class Pointer:
    """A book's pointer as it was read; `etag` is None where there is none."""

    book_id: str
    history: History
    etag: str | None


def read_pointer(objects: Objects, book_id: str) -> Pointer:
    """Return the current pointer. Raises Unavailable."""
    try:
        content, found = objects.get(pointer_key(book_id))
    except KeyError:
        return Pointer(book_id, History(), None)
    return Pointer(book_id, History.parse(content), found["ETag"])


def switch_pointer(objects: Objects, before: Pointer, after: History) -> None:
    """Write it if it is as it was. Raises Raced when it is not, Unavailable when that cannot be known."""
    condition = {"IfMatch": before.etag} if before.etag else {"IfNoneMatch": "*"}
    if objects.put(pointer_key(before.book_id), after.pointer(), **condition):
        return
    # The client repeats a request whose reply was lost, and then it is our own that was faster.
    now = read_pointer(objects, before.book_id)
    if now.history == after:
        return
    if now == before:
        raise Unavailable(f"the pointer of {before.book_id!r} cannot be written")
    raise raced(before.book_id)


def raced(book_id: str) -> Raced:
    """Return the error for a caller whose pointer has changed."""
    return Raced(
        f"somebody else published or rolled back {book_id!r} meanwhile; "
        "look at `bookbound books list`, then run this again"
    )
