"""Match of a request to one of the API's calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from testing.runtime.contract import Route


@dataclass(frozen=True, slots=True)
class Match:
    """The call that a request is, and the parameters in its path, decoded."""

    route: Route
    parameters: Mapping[str, str]


def find(routes: Iterable[Route], method: str, path: str) -> Match | None:
    """The call of a request, None when there is none; a fixed step goes before a parameter."""
    fitting = [
        Match(route, parameters)
        for route in routes
        if route.method == method and (parameters := _parameters(route.path, path)) is not None
    ]
    return min(fitting, key=lambda match: len(match.parameters), default=None)


def _parameters(resource: str, path: str) -> dict[str, str] | None:
    wanted, given = resource.split("/"), path.split("/")
    if len(wanted) != len(given):
        return None
    found = {}
    for step, text in zip(wanted, given, strict=True):
        if step.startswith("{") and text:
            found[step.strip("{}")] = unquote(text)
        elif step != text:
            return None
    return found
