"""Publishes version "v2" at the folder that it is given, and never gets further than its files."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.index.manifest import Entry
from bookbound.model import BookRef, Window
from bookbound.source.pages import SourceFile
from testing.builders import passage


class NeverEnding(list[SourceFile]):
    """Files of which the first one never comes."""

    def __iter__(self) -> Iterator[SourceFile]:
        print("building", flush=True)
        time.sleep(600)
        return super().__iter__()


def main(root: str) -> None:
    index = IndexFolder(Path(root), EmbeddedPoints())
    live = index.current("kestrel")
    assert live is not None
    changed = replace(live, book=BookRef("kestrel", "v2"), dimensions=2)
    found = passage("Half of a book.")
    window = Window(uuid4(), found, 0, len(found.text), found.text)
    entry = Entry(window, [1.0, 0.0], {})
    with index.building(changed, [entry], NeverEnding(), pictures=[]):
        raise AssertionError("it never gets further than its files")


main(sys.argv[1])
