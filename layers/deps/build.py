"""Layers and functions for one architecture, from uv.lock and the sources as they lie, without Docker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from layers.deps.fill import LAYER, TASK, Progress, copy_of, dependencies, sources
from layers.deps.parts import Part, digest, only_one, up_to_date
from layers.deps.tools import ROOT, BuildError
from layers.deps.trim import VENDORS_CLIENTS

PLATFORMS = {"arm64": "aarch64-manylinux_2_28", "x86_64": "x86_64-manylinux_2_28"}
"""Lambda's name of an architecture → the platform whose wheels run there: the runtime has glibc 2.34."""

LIMIT = 262_144_000
"""Bytes of a function and its layers, unpacked, that Lambda takes: its "250 MB"."""

ALLOWED = 247 * 1_048_576
"""Bytes of a function and its layers that a build accepts, "247 MB" as Lambda counts: the rest is room for
dependencies that grow."""

INGEST = "ingest"
"""The extra of dependencies, and the function, of the steps that turn a book into an index."""

WEEKLY, REPORT = "weekly", "report"
"""The function that writes the author's report, and the extra of what it needs besides."""

AWS = "aws"
"""The extra of every function."""

MCP = "mcp"
"""The extra by which the API speaks to assistants."""

HERE_ALONE = ("local", "evaluation")
"""Folders of the core that no function runs."""

_CORE = ROOT / "layers" / "core" / "python" / "bookbound"
_EMBEDDER = _CORE.with_name("bookbound_embedder")
"""The embedder's weights, which WEEKLY alone has in the cloud: a vendor embeds questions there."""

_FUNCTIONS = ROOT / "functions"
_JOB = ROOT / "ingest_job"


@dataclass(frozen=True, slots=True)
class Built:
    """Deployed parts for an architecture: layers, and functions by their folders' names.

    Each is a folder of `path`, by its name in `parts`. The steps of an ingest share one function's code,
    INGEST, and run over `ingest_deps` in place of `deps`; WEEKLY runs over `weekly_deps`.
    """

    architecture: str
    path: Path
    deps: Part
    ingest_deps: Part
    weekly_deps: Part
    core: Part
    functions: Mapping[str, Part]

    @property
    def parts(self) -> dict[str, Part]:
        """Every part by its name."""
        deps = {"deps": self.deps, "ingest-deps": self.ingest_deps, "weekly-deps": self.weekly_deps}
        return {**deps, "core": self.core, **self.functions}

    def below(self, function: str) -> Part:
        """The dependencies that a function runs over."""
        return {INGEST: self.ingest_deps, WEEKLY: self.weekly_deps}.get(function, self.deps)

    @property
    def bytes(self) -> dict[str, int]:
        """By function: itself and its two layers, which is what Lambda's limit holds for."""
        return {
            name: self.below(name).bytes + self.core.bytes + part.bytes
            for name, part in self.functions.items()
        }


def build(architecture: str, out: Path | None = None, progress: Progress = lambda step: None) -> Built:
    """Bring a folder, by default `build/lambda/<architecture>`, up to date; quick when it is.

    Two processes may call it at once, and an interrupted one leaves what was there. Raises BuildError.
    """
    if architecture not in PLATFORMS:
        raise BuildError(f"no architecture {architecture!r}; there are {' and '.join(PLATFORMS)}")
    out = (out or ROOT / "build" / "lambda" / architecture).resolve()
    builder = digest(ROOT, Path(__file__).parent.glob("*.py"))
    lock = digest(ROOT, [ROOT / "uv.lock"])

    def locked(name: str, *extras: str, without: Sequence[str] = ()) -> Part:
        key = f"{builder} {lock} {architecture}"
        platform = PLATFORMS[architecture]

        def fill(fresh: Path) -> None:
            dependencies(platform, fresh, progress, *extras, without=without)

        return up_to_date(out / name, key, fill)

    def copied(package: Path, name: str, mounted: str, below: str) -> Part:
        files = sources(package, HERE_ALONE)
        with_it = sources(_EMBEDDER) if name == WEEKLY else []
        key = f"{builder} {digest(ROOT, files + with_it)}"

        def fill(fresh: Path) -> None:
            progress(f"copying {package.name}")
            copy_of(package, files, fresh, mounted, below)
            if with_it:
                copy_of(_EMBEDDER, with_it, fresh, mounted, "")

        return up_to_date(out / name, key, fill)

    with only_one(out):
        handlers = sorted(_FUNCTIONS.glob("*/handler.py"))
        functions = {
            one.parent.name: copied(one.parent, one.parent.name, TASK, "functions") for one in handlers
        }
        built = Built(
            architecture,
            out,
            deps=locked("deps", AWS, MCP),
            ingest_deps=locked("ingest-deps", AWS, INGEST),
            weekly_deps=locked("weekly-deps", AWS, REPORT, without=VENDORS_CLIENTS),
            core=copied(_CORE, "core", LAYER, "python"),
            functions=functions | {INGEST: copied(_JOB, INGEST, TASK, "")},
        )
    within_limit(built)
    return built


def within_limit(built: Built) -> None:
    """Raises BuildError for a function that is larger than `ALLOWED`."""
    function, size = max(built.bytes.items(), key=lambda one: one[1])
    if size > ALLOWED:
        largest = ", ".join(list(built.below(function).packages)[:3])
        raise BuildError(
            f"{built.architecture}: {function} and its layers hold {size:,} bytes, {ALLOWED:,} are allowed; "
            f"make a package smaller in layers/deps/trim.py (the largest: {largest})"
        )
