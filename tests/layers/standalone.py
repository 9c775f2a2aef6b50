"""A script with only the standard library and a build on its path, as a function has.

`python -I -S standalone.py PACKAGE PATH…` prints the modules of the core and of that package that can be
imported, those that cannot, and the AWS services.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from typing import Any


def modules(own: str) -> tuple[list[str], dict[str, str]]:
    """Those of ours that import, and those that do not, with the module that they lack."""
    imported: list[str] = []
    lacking: dict[str, str] = {}
    for root in ("bookbound", own):
        package = importlib.import_module(root)
        for module in pkgutil.walk_packages(package.__path__, f"{root}."):
            try:
                importlib.import_module(module.name)
                imported.append(module.name)
            except ModuleNotFoundError as error:
                lacking[module.name] = str(error.name)
    return imported, lacking


def services() -> list[str]:
    """The services of AWS that a client can be made for."""
    boto3: Any = importlib.import_module("boto3")
    known = boto3.session.Session().get_available_services()
    return [name for name in known if boto3.client(name, region_name="eu-west-1")]


sys.path[:0] = sys.argv[2:]
print(json.dumps([*modules(sys.argv[1]), services()]))
