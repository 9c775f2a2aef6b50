"""Filling of a part: to one side, once per key, and whole or not at all."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from layers.deps.parts import Part, digest, files_of, only_one, up_to_date


class Fill:
    """Writes a module, and counts how often it is asked to."""

    def __init__(self, text: str = "answer = 42") -> None:
        self.text = text
        self.times = 0

    def __call__(self, fresh: Path) -> None:
        self.times += 1
        (fresh / "python").mkdir()
        (fresh / "python" / "module.py").write_text(self.text)
        (fresh / "python" / "empty").mkdir()


def broken(fresh: Path) -> None:
    (fresh / "half").write_text("")
    raise OSError("disk full")


def module(part: Part) -> str:
    return (part.path / "python" / "module.py").read_text()


def test_a_part_is_filled_once_for_a_key(tmp_path: Path) -> None:
    """The second lookup reports the same facts."""
    fill = Fill()
    first = up_to_date(tmp_path / "core", "one", fill)
    assert up_to_date(tmp_path / "core", "one", fill) == first
    assert (fill.times, first.bytes, first.packages) == (1, 11, {"module": 11})


def test_another_key_replaces_all_of_it(tmp_path: Path) -> None:
    """No file of the old part is left, nor a record of how it was made."""
    old = up_to_date(tmp_path / "core", "one", Fill("a = 1"))
    (old.path / "python" / "stray.py").write_text("")
    new = up_to_date(tmp_path / "core", "two", Fill("b = 2"))
    assert module(new) == "b = 2"
    assert new.sha256 != old.sha256
    assert len(files_of(tmp_path)) == 2


@pytest.mark.parametrize("lost", ["core.json", "core/python/module.py"])
def test_a_part_that_lost_its_record_or_its_folder_is_filled_again(tmp_path: Path, lost: str) -> None:
    """Both are needed to call it up to date."""
    part = up_to_date(tmp_path / "core", "one", Fill())
    (tmp_path / lost).unlink()
    if not lost.endswith(".json"):
        (part.path / "python").rmdir()
        part.path.rmdir()
    assert module(up_to_date(tmp_path / "core", "one", Fill())) == "answer = 42"


def test_a_part_that_cannot_be_filled_stays_as_it_was(tmp_path: Path) -> None:
    """The old one is still up to date for the old key, and nothing half-made lies about."""
    old = up_to_date(tmp_path / "core", "one", Fill())
    with pytest.raises(OSError, match="disk full"):
        up_to_date(tmp_path / "core", "two", broken)
    again = Fill()
    assert up_to_date(tmp_path / "core", "one", again) == old
    assert again.times == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["core", "core.json"]


def test_the_hash_is_of_names_and_contents_not_of_times_modes_and_empty_folders(tmp_path: Path) -> None:
    """Two people who build the same get the same."""
    first = up_to_date(tmp_path / "a", "", Fill())
    (first.path / "python" / "module.py").chmod(0o600)
    os.utime(first.path / "python" / "module.py", (0, 0))
    assert digest(first.path, files_of(first.path)) == first.sha256
    assert up_to_date(tmp_path / "b", "", Fill()).sha256 == first.sha256
    (first.path / "python" / "module.py").rename(first.path / "python" / "renamed.py")
    assert digest(first.path, files_of(first.path)) != first.sha256


def test_what_a_killed_build_left_is_swept_away(tmp_path: Path) -> None:
    """And parts that are whole stay."""
    part = up_to_date(tmp_path / "core", "one", Fill())
    (tmp_path / ".new-abc").mkdir()
    (tmp_path / ".new-abc" / "half").write_text("")
    with only_one(tmp_path):
        assert not (tmp_path / ".new-abc").exists()
        assert part.path.is_dir()


def test_who_comes_second_waits_until_the_first_is_done(tmp_path: Path) -> None:
    """The lock goes with the file, so it holds between processes and ends with them."""

    def take() -> None:
        with (tmp_path / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    with only_one(tmp_path), pytest.raises(BlockingIOError):
        take()
    take()
