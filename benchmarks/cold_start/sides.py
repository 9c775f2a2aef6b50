"""The functions that are compared, each as it would be deployed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from layers.deps.tools import run
from testing.runtime.emulator import Function
from testing.runtime.tools import Tools
from testing.vendors.cohere import Embed

FLOOR, NAIVE, OURS, RESTORED, BEFORE = "floor", "naive", "ours", "restored", "before"

PATIENCE = 60
"""Seconds that an event may take: a busy machine measures slowly, rather than not at all."""

_HERE = Path(__file__).parent


def sides(ours: Function, tools: Tools, folder: Path, before: Path | None) -> dict[str, Function]:
    """Return the sides by name; all have our environment, and bytecode of the runtime's own Python.

    They have our layers too, except BEFORE: `before` is where another version's parts were built.
    """
    ours = replace(ours, timeout=PATIENCE)
    found = {name: _beside(ours, name, tools, folder) for name in (FLOOR, NAIVE, RESTORED)} | {OURS: ours}
    if before is not None:
        layers = tuple(before / part / "python" for part in ("core", "deps"))
        found[BEFORE] = replace(ours, name=BEFORE, code=before / "api", layers=layers)
    return found


def _beside(ours: Function, name: str, tools: Tools, folder: Path) -> Function:
    code = folder / name
    code.mkdir()
    shutil.copy(_HERE / f"{name}.py", code)
    run(
        *(tools.python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", code),
        failure=f"{name}.py cannot be compiled",
    )
    layers = (*ours.layers, ours.code)
    return replace(ours, name=name, handler=f"{name}.handler", code=code, layers=layers)


def remembering(embed: Embed) -> Embed:
    """The same vectors, from the second time on at once: a vendor's own time is not what is measured."""
    known: dict[str, list[float]] = {}

    def recall(texts: Sequence[str]) -> list[list[float]]:
        if new := [text for text in texts if text not in known]:
            known.update(zip(new, embed(new), strict=True))
        return [known[text] for text in texts]

    return recall
