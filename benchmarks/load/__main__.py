"""`python -m benchmarks.load`: `bookbound serve` under rising load, past what it can do, and back.

Locust asks labelled questions over loopback as strangers do: when they want, not when others are answered. On
the same processors, in turns with the server, a process embeds and searches alone, which nobody can beat.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.load import runs
from benchmarks.load.served import ingest
from benchmarks.load.shown import measured
from benchmarks.report.showing import publish


def main(
    docs: Annotated[Path, typer.Option(envvar="BENCH_DOCS", help="The book's docs folder.")] = Path(
        "sample_book/docs"
    ),
    questions: Annotated[
        Path, typer.Option(envvar="BENCH_QUESTIONS", help="Questions, a JSON object a line.")
    ] = Path("sample_book/questions.jsonl"),
    seconds: Annotated[float, typer.Option(help="How long each step lasts.")] = 24.0,
) -> None:
    """Measure rates, latencies, errors and recovery; some twelve minutes at the usual length."""
    with tempfile.TemporaryDirectory(prefix="bookbound-") as folder:
        data = Path(folder)
        ingest(docs, data)
        publish(measured(runs.run(data, questions, seconds)))


if __name__ == "__main__":
    typer.run(main)
