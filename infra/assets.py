"""What the functions are made of, as the build leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from aws_cdk import aws_lambda as lambda_


@dataclass(frozen=True, slots=True)
class Assets:
    """Folders: `deps` and `core` hold `python/…`, the layers; `api` and `authorizer` hold `functions/…`."""

    deps: Path
    core: Path
    api: Path
    authorizer: Path

    @classmethod
    def under(cls, folder: Path) -> Assets:
        """The four folders of a build."""
        return cls(folder / "deps", folder / "core", folder / "api", folder / "authorizer")


def code(folder: Path) -> lambda_.AssetCode:
    """A folder as a layer's or a function's code."""
    return lambda_.Code.from_asset(str(folder))
