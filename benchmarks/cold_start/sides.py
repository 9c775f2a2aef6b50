"""The functions that are compared, each as it would be deployed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from layers.deps.build import AWS, INGEST, PLATFORMS
from layers.deps.fill import dependencies
from layers.deps.parts import digest, only_one, up_to_date
from layers.deps.tools import ROOT, run
from testing.runtime.emulator import Function
from testing.runtime.tools import Tools
from testing.vendors.cohere import Embed

FLOOR, NAIVE, OURS, RESTORED = "floor", "naive", "ours", "restored"

_HERE = Path(__file__).parent


def sides(ours: Function, tools: Tools, folder: Path) -> dict[str, Function]:
    """Return the sides by name; all have our environment, and bytecode of the runtime's own Python.

    They have our layers too, except the naive one, which has the vendors' clients that ours lacks.
    """
    naive = _beside(ours, NAIVE, tools, folder)
    return {
        FLOOR: _beside(ours, FLOOR, tools, folder),
        NAIVE: replace(naive, layers=(_with_all_clients() / "python",)),
        OURS: ours,
        RESTORED: _beside(ours, RESTORED, tools, folder),
    }


def _with_all_clients() -> Path:
    """A layer of the same lock, with Claude's and Qdrant's clients."""
    folder = ROOT / "build" / "cold_start"
    key = digest(ROOT, [ROOT / "uv.lock", *(ROOT / "layers" / "deps").glob("*.py")])

    def fill(fresh: Path) -> None:
        platform = PLATFORMS["x86_64"]
        dependencies(platform, fresh, lambda step: None, AWS, INGEST, groups=("reference",))

    with only_one(folder):
        return up_to_date(folder / "clients", key, fill).path


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
