"""Assets of the functions, as the build leaves them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from aws_cdk import aws_lambda as lambda_


@dataclass(frozen=True, slots=True)
class Assets:
    """Folders: layers hold `python/…`, `ingest` the job, the others `functions/…`."""

    deps: Path
    ingest_deps: Path
    weekly_deps: Path
    core: Path
    api: Path
    authorizer: Path
    digest: Path
    release: Path
    weekly: Path
    ingest: Path

    @classmethod
    def under(cls, folder: Path) -> Assets:
        """The folders of a build."""
        return cls(*(folder / field.name.replace("_", "-") for field in fields(cls)))


def code(folder: Path) -> lambda_.AssetCode:
    """A folder as a layer's or a function's code."""
    return lambda_.Code.from_asset(str(folder))
