"""Files of fitted numbers: with the whole command, and not overwritten by a fit on less data (X14)."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bookbound.evaluation.records import InputError


def command(module: str, arguments: Sequence[str] | None = None) -> str:
    """Return the whole command of this fit; paths lose their folders, which belong to one machine."""
    given = sys.argv[1:] if arguments is None else arguments
    return shlex.join(["python", "-m", module, *(_without_folders(each) for each in given)])


def keep(path: Path, fitted: Mapping[str, Any], *, on_less: bool) -> None:
    """Write a fitted file.

    Raises InputError when the file there was fitted on more examples and `on_less` is False; OSError.
    """
    before, now = _examples(_stored(path)), _examples(fitted)
    if now < before and not on_less:
        raise InputError(
            f"{path} was fitted on {before} examples, this fit has {now}; name all data, or say --on-less"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")


def _stored(path: Path) -> Mapping[str, Any]:
    stored: Mapping[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return stored


def _examples(fitted: Mapping[str, Any]) -> int:
    return sum(int(source["count"]) for source in fitted.get("fitted_on", ()))


def _without_folders(argument: str) -> str:
    """Return FILE=DATA:BOOK and plain paths by their last names."""
    parts = [part.rpartition("/")[2] for part in argument.split("=")]
    return "=".join(parts)
