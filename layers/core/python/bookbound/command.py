"""The command `bookbound`: says what to install where an extra is missing, instead of a traceback."""

from __future__ import annotations

import sys

_AWS = frozenset({"boto3", "botocore"})


def main() -> None:
    """Entry point of `bookbound`; exits 1 where the package was installed without what a command needs."""
    try:
        from bookbound.local.cli import main as command  # noqa: PLC0415

        command()
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "bookbound":
            raise
        extra = "local,aws" if missing in _AWS else "local"
        print(f"{missing} is not installed; this needs: pip install 'bookbound[{extra}]'", file=sys.stderr)
        sys.exit(1)
