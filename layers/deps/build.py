"""Layers and functions for one architecture, from uv.lock and the sources as they lie, without Docker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from layers.deps.fill import Progress, copy_of, dependencies, sources
from layers.deps.parts import Part, digest, only_one, up_to_date
from layers.deps.tools import ROOT, BuildError

PLATFORMS = {"arm64": "aarch64-manylinux_2_28", "x86_64": "x86_64-manylinux_2_28"}
"""Lambda's name of an architecture → the platform whose wheels run there: the runtime has glibc 2.34."""

LIMIT = 262_144_000
"""Bytes of a function and its layers, unpacked, that Lambda takes: its "250 MB"."""

ALLOWED = LIMIT * 60 // 100
"""The rest is room for dependencies that grow."""

_CORE = ROOT / "layers" / "core" / "python" / "bookbound"
_FUNCTIONS = ROOT / "functions"


@dataclass(frozen=True, slots=True)
class Built:
    """What is deployed for an architecture: two layers, and a function by the name of its folder.

    Each is a folder of `path`, by its name in `parts`.
    """

    architecture: str
    path: Path
    deps: Part
    core: Part
    functions: Mapping[str, Part]

    @property
    def parts(self) -> dict[str, Part]:
        """Every part by its name."""
        return {"deps": self.deps, "core": self.core, **self.functions}

    @property
    def bytes(self) -> int:
        """Both layers and the largest function: what Lambda's limit holds for."""
        return self.deps.bytes + self.core.bytes + max(part.bytes for part in self.functions.values())


def build(architecture: str, out: Path | None = None, progress: Progress = lambda step: None) -> Built:
    """Bring a folder, by default `build/lambda/<architecture>`, up to date; quick when it is.

    Two processes may call it at once, and an interrupted one leaves what was there. Raises BuildError.
    """
    if architecture not in PLATFORMS:
        raise BuildError(f"no architecture {architecture!r}; there are {' and '.join(PLATFORMS)}")
    out = (out or ROOT / "build" / "lambda" / architecture).resolve()
    builder = digest(ROOT, Path(__file__).parent.glob("*.py"))
    lock = digest(ROOT, [ROOT / "uv.lock"])

    def copied(package: Path, path: Path, mounted: str) -> Part:
        key = f"{builder} {digest(ROOT, sources(package))}"
        return up_to_date(path, key, lambda fresh: copy_of(package, fresh, mounted, progress))

    with only_one(out):
        built = Built(
            architecture,
            out,
            deps=up_to_date(
                out / "deps",
                f"{builder} {lock} {architecture}",
                lambda fresh: dependencies(PLATFORMS[architecture], fresh, progress),
            ),
            core=copied(_CORE, out / "core", "/opt/python"),
            functions={
                entry.parent.name: copied(entry.parent, out / entry.parent.name, "/var/task/functions")
                for entry in sorted(_FUNCTIONS.glob("*/handler.py"))
            },
        )
    within_limit(built)
    return built


def within_limit(built: Built) -> None:
    """Raises BuildError for what is larger than `ALLOWED`."""
    if built.bytes > ALLOWED:
        largest = ", ".join(list(built.deps.packages)[:3])
        raise BuildError(
            f"{built.architecture}: layers and function hold {built.bytes:,} bytes, {ALLOWED:,} are allowed; "
            f"make a package smaller in layers/deps/trim.py (the largest: {largest})"
        )
