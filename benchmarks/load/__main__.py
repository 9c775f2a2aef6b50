"""`python -m benchmarks.load`: `bookbound serve` under rising load, past its capacity, and back.

Locust asks labelled questions over loopback as strangers do: when they want, not when others are answered. On
the same processors, in turns with the server, a process embeds and searches alone, which no server can beat.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.load import runs
from benchmarks.load.served import ingest
from benchmarks.load.shown import measured
from benchmarks.options import DOCS, QUESTIONS, Docs, Questions
from benchmarks.report.showing import publish


def main(
    docs: Docs = DOCS,
    questions: Questions = QUESTIONS,
    seconds: Annotated[float, typer.Option(help="How long each step lasts.")] = 24.0,
) -> None:
    """Measure rates, latencies, errors and recovery; some twelve minutes at the usual length."""
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder:
        data = Path(folder)
        ingest(docs, data)
        publish(measured(runs.run(data, questions, seconds)))


if __name__ == "__main__":
    typer.run(main)
