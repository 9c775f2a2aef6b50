"""The list by hand: words that stand for each other, forms, degrees and opposites, in sections."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bookbound.evaluation.records import InputError


@dataclass(slots=True)
class ByHand:
    """Contents of by_hand.txt, as words."""

    same: list[tuple[float, list[str]]] = field(default_factory=list)
    forms: list[list[str]] = field(default_factory=list)
    degrees: list[list[str]] = field(default_factory=list)
    opposites: list[tuple[list[str], list[str]]] = field(default_factory=list)


def read_by_hand(path: Path) -> ByHand:
    """Raises InputError with the line that does not fit; OSError."""
    found, section = ByHand(), ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            try:
                _add(found, section, line)
            except ValueError as error:
                raise InputError(f"{path}:{number}: {error}") from error
    return found


def _add(found: ByHand, section: str, line: str) -> None:
    """Raises ValueError when the line does not fit its section."""
    match section.split():
        case ["same", weight]:
            found.same.append((float(weight), line.split()))
        case ["forms"]:
            found.forms.append(line.split())
        case ["degrees"]:
            found.degrees.append(line.split())
        case ["opposites"]:
            left, right = line.split("/")
            found.opposites.append((left.split(), right.split()))
        case _:
            raise ValueError(f"no section [{section}]")
