"""A book's index for one peer's script: `python -m benchmarks.start.build PEER FOLDER DOCS`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.ingest.side import windows_of

PEERS = {"LlamaIndex": "llama_index", "LangChain": "langchain", "Haystack": "haystack"}
"""The module of each, in this package."""


def main(
    peer: Annotated[str, typer.Argument(help=", ".join(PEERS))],
    folder: Annotated[Path, typer.Argument(help="Where the index is to be.")],
    docs: Annotated[Path, typer.Argument(help="A docs folder.")],
) -> None:
    """Every peer has the windows that Bookbound has."""
    texts = [window.embedded_text for window in windows_of(docs)]
    import_module(f"benchmarks.start.{PEERS[peer]}").build(folder, texts)


if __name__ == "__main__":
    typer.run(main)
