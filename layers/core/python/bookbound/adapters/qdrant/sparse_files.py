"""Files with holes: Qdrant's engine lays its files out far larger than what is in them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_BLOCK = 64 * 1024


def copy_folder(source: Path, target: Path) -> None:
    """All that is in a folder, into another that may be there already. Raises OSError."""
    shutil.copytree(source, target, copy_function=_copy, dirs_exist_ok=True)


def _copy(source: str, target: str) -> None:
    """Copy a file; blocks of only zeros become holes."""
    with Path(source).open("rb") as read, Path(target).open("wb") as written:
        while block := read.read(_BLOCK):
            if block.count(0) == len(block):
                written.seek(len(block), os.SEEK_CUR)
            else:
                written.write(block)
        written.truncate()
