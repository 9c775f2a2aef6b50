"""Content of the API's stack: the gateway's calls, its own answers, and the functions."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import BaseModel

from layers.deps.parts import digest, files_of
from layers.deps.tools import ROOT, run

REQUEST_ID = "$context.requestId"
"""Placeholder that the gateway replaces with a request's id."""


class Route(BaseModel):
    """A method of a resource, such as `POST /v1/books/{book_id}/chat`; a guarded one asks the authorizer."""

    method: str
    path: str
    guarded: bool = False


class Own(BaseModel):
    """An answer of the gateway's own; `template` holds a place for the request's id."""

    status: int
    headers: dict[str, str]
    template: str

    def body(self, request_id: str) -> str:
        """The body of the answer to this request."""
        return self.template.replace(REQUEST_ID, request_id)


class Deployed(BaseModel):
    """A function: seconds that an event may take, and the names of its variables."""

    timeout: int
    variables: set[str]


class Contract(BaseModel):
    """The stack as callers see it.

    Attributes:
        own: by the gateway's name of the response.
        kept_seconds: how long what the authorizer said holds.
        functions: by handler.
    """

    routes: tuple[Route, ...]
    own: dict[str, Own]
    kept_seconds: float
    functions: dict[str, Deployed]


def read(folder: Path) -> Contract:
    """The contract, kept in `folder` for as long as the stack's source is the same. Raises BuildError."""
    sources = [path for part in ("infra", "functions") for path in files_of(ROOT / part)]
    key = digest(ROOT, (path for path in sources if path.suffix == ".py"))
    kept = folder / f"contract-{key[:16]}.json"
    if not kept.exists():
        # In a process of its own: whoever imports CDK has a Node program beside it until the end.
        command = (sys.executable, "-m", "testing.runtime.synthesis")
        told = run(*command, failure="the stack cannot be synthesised; `make setup` installs what it needs")
        folder.mkdir(parents=True, exist_ok=True)
        for outdated in folder.glob("contract-*.json"):
            outdated.unlink(missing_ok=True)
        kept.write_text(told, "utf-8")
    return Contract.model_validate_json(kept.read_bytes())
