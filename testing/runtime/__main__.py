"""`python -m testing.runtime`: the functions in Lambda's runtime until Ctrl-C, with all that they call."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Annotated

import typer

from bookbound.errors import Unavailable
from layers.deps.tools import BuildError
from testing.runtime.world import CLIENT, World, world
from testing.vendors.cohere import Embed

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_EXAMPLE = "Then open http://127.0.0.1:8001/live/ in a browser, or use the call that it prints."
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@app.command(epilog=_EXAMPLE)
def main(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the gateway; 0 for a free one.")] = 8001,
    slots: Annotated[int, typer.Option(min=1, max=16, help="Questions that are answered at once.")] = 2,
) -> None:
    """Run the functions as they are deployed, in Lambda's own runtime, until Ctrl-C.

    Around them, on loopback: a gateway that makes API Gateway's events and asks the authorizer, an AWS
    account (moto), the vendors (a quoting Claude, Cohere with the bundled model's vectors, Qdrant), and the
    sample book, ingested and published. Nothing leaves this machine; tools and packages are fetched once.
    """
    for number in _ENDING:
        # By name, since a shell's background job would ignore the first one.
        signal.signal(number, _end)
    try:
        with world(progress=_tell, embed=_minilm(), slots=slots, port=port) as running:
            _announce(running)
            threading.Event().wait()
    except KeyboardInterrupt:
        _tell("stopped")
    except (BuildError, Unavailable) as error:
        typer.echo(f"cannot run: {error}", err=True)
        raise typer.Exit(1) from None


def _end(number: int, frame: FrameType | None) -> None:
    """Unwind, and let nothing interrupt that."""
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def _tell(step: str) -> None:
    typer.echo(f"· {step}", err=True)


def _minilm() -> Embed:
    from bookbound.adapters.bundled.minilm import MiniLmEmbedder

    return MiniLmEmbedder().embed


def _announce(running: World) -> None:
    question = '{"question": "What is a node?"}'
    typer.echo(f"""
page     {running.url}/
API      {running.url}/v1
key      {running.key}   (client {CLIENT})
logs     {running.logs}

try      curl -H 'Authorization: Bearer {running.key}' -H 'Content-Type: application/json' \\
              -d '{question}' {running.url}/v1/chat
stop     Ctrl-C""")


if __name__ == "__main__":
    app(prog_name="python -m testing.runtime")
