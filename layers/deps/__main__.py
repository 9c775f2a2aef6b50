"""`python -m layers.deps` builds layers and functions for one architecture, and says how large they are."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from layers.deps.build import LIMIT, PLATFORMS, Built, build
from layers.deps.tools import BuildError

_MB = 1024 * 1024
_LARGEST = 10


def main(arguments: list[str] | None = None) -> int:
    """0 when built, 1 when it cannot be, with a line that says why."""
    parser = argparse.ArgumentParser(prog="python -m layers.deps", description=__doc__)
    parser.add_argument("--architecture", choices=sorted(PLATFORMS), default="arm64")
    parser.add_argument("--out", type=Path, help="default: build/lambda/<architecture>")
    chosen = parser.parse_args(arguments)
    try:
        with Console(stderr=True).status("starting") as status:
            built = build(chosen.architecture, chosen.out, status.update)
    except (BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    Console().print(_sizes(built))
    return 0


def _sizes(built: Built) -> Table:
    table = Table(
        "", "MB", "of 250 MB", "SHA-256", title=f"{built.architecture}, unpacked; 1 MB is {_MB:,} bytes"
    )
    for name, part in built.parts.items():
        table.add_row(name, *_share(part.bytes), part.sha256[:16])
        if name.endswith("deps"):
            for package, size in list(part.packages.items())[:_LARGEST]:
                table.add_row(f"  {package}", *_share(size))
    table.add_section()
    for name, size in built.bytes.items():
        table.add_row(f"{name} and its layers", *_share(size))
    return table


def _share(size: int) -> tuple[str, str]:
    return f"{size / _MB:.1f}", f"{size / LIMIT:.1%}"


if __name__ == "__main__":
    sys.exit(main())
