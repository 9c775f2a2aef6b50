"""Copies of files with holes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bookbound.adapters.qdrant.sparse_files import copy_folder

MEBIBYTE = 2**20


@pytest.mark.parametrize("places", [[0], [3 * MEBIBYTE - 1], [0, 2 * MEBIBYTE], []])
def test_a_copy_has_the_same_bytes_and_takes_no_more_of_the_disk(tmp_path: Path, places: list[int]) -> None:
    """Wherever something stands between the zeros, at the end too."""
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "segment").mkdir(parents=True)
    file = source / "segment" / "vectors"
    with file.open("wb") as written:
        for place in places:
            written.seek(place)
            written.write(b"\x01")
        written.truncate(3 * MEBIBYTE)
    copy_folder(source, target)
    copy = target / "segment" / "vectors"
    assert copy.read_bytes() == file.read_bytes()
    # A block of the copy is 64 KiB, one of the source's file system less.
    assert copy.stat().st_blocks <= file.stat().st_blocks + len(places) * 128


def test_a_folder_that_is_there_already_is_filled(tmp_path: Path) -> None:
    """Files already in it stay."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    (source / "points").write_bytes(b"\x00" * 100_000 + b"end")
    (target / "notes").write_bytes(b"mine")
    copy_folder(source, target)
    assert (target / "points").read_bytes() == b"\x00" * 100_000 + b"end"
    assert (target / "notes").read_bytes() == b"mine"
