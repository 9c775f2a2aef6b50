"""`python -m testing.vendors`: all four vendors until Ctrl-C, and the environment that names them."""

from __future__ import annotations

import asyncio
import shlex
import signal
from contextlib import AsyncExitStack
from typing import Annotated, Any

import typer

from testing.vendors.cohere import Embed, hashed
from testing.vendors.kinds import KINDS
from testing.vendors.misbehaviours import CASES, Case, Misbehaviour
from testing.vendors.models import MODELS
from testing.vendors.vendor import Vendor

_MODEL = typer.Option(help=f"Who answers behind Claude and Ollama: {', '.join(MODELS)}.")


def _case(text: str) -> Case:
    """`claude=status_429` as a case. Raises typer.BadParameter."""
    vendor, _, name = text.partition("=")
    found = next((case for case in CASES if str(case) == f"{vendor}-{name.lower()}"), None)
    if found is None:
        known = "\n".join(f"  {case.vendor}={case.misbehaviour.name.lower()}" for case in CASES)
        raise typer.BadParameter(f"{text} is none of\n{known}")
    return found


def main(
    misbehave: Annotated[
        list[str] | None, typer.Option(metavar="VENDOR=NAME", help="What goes wrong.")
    ] = None,
    model: Annotated[str, _MODEL] = "quoting",
    meaning: Annotated[
        bool, typer.Option(help="Let Cohere's vectors mean something: the bundled model's, padded.")
    ] = False,
    port: Annotated[int, typer.Option(help="The first of four ports; 0 for free ones.")] = 0,
) -> None:
    """Run Claude, Ollama, Cohere and Qdrant on loopback until Ctrl-C."""
    if model not in MODELS:
        raise typer.BadParameter(f"{model} is none of {', '.join(MODELS)}")
    wrong = {case.vendor: case.misbehaviour for case in map(_case, misbehave or [])}
    try:
        asyncio.run(_run(_vendors(wrong, model, _minilm() if meaning else hashed, port)))
    except OSError as error:
        typer.echo(f"cannot listen: {error.strerror}", err=True)
        raise typer.Exit(1) from None


def _minilm() -> Embed:
    from bookbound.adapters.bundled.minilm import MiniLmEmbedder

    return MiniLmEmbedder().embed


def _vendors(wrong: dict[str, Misbehaviour], model: str, embed: Embed, port: int) -> list[Vendor]:
    """All four, at consecutive ports."""
    speaking = {"model": MODELS[model]}
    own: dict[str, dict[str, Any]] = {"claude": speaking, "ollama": speaking, "cohere": {"embed": embed}}
    return [
        kind(misbehaviour=wrong.get(name), port=port and port + number, **own.get(name, {}))
        for number, (name, kind) in enumerate(KINDS.items())
    ]


async def _run(vendors: list[Vendor]) -> None:
    stopped = asyncio.Event()
    # Asked for by name, since a shell's background job would ignore the first one.
    for wanted in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(wanted, stopped.set)
    async with AsyncExitStack() as stack:
        for vendor in vendors:
            await stack.enter_async_context(vendor)
            for name, value in vendor.environment.items():
                typer.echo(f"export {name}={shlex.quote(value)}")
        await stopped.wait()


if __name__ == "__main__":
    typer.run(main)
