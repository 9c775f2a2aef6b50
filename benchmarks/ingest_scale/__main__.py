"""`python -m benchmarks.ingest_scale`: a generated book through the ingest job, and one of eight times that.

Every step is the real one, in a separate process, over an AWS account, Qdrant and Cohere on loopback. The
embedding service's limit per minute is left out of the measured times, and reported next to them.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from benchmarks.ingest_scale.flow import Run, run
from benchmarks.ingest_scale.generated_book import write_book
from bookbound.index.run_report import RUN_REPORT_JSON, IngestReport
from bookbound.local.packing import packed
from bookbound.settings import JobSettings
from testing.hosting import hosted
from testing.runtime import account
from testing.runtime.account import Account
from testing.vendors.cohere import Cohere
from testing.vendors.qdrant import Qdrant

DIMENSIONS = 256
"""Dimensions of the vectors: with more, the loopback vendors' JSON would dominate the measurement."""

LIBRARY = 1_000_000
"""Passages of the library that the figures are carried over to."""

BOOK = "generated"


def main(
    pages: Annotated[int, typer.Option(help="Of the smaller book.")] = 90,
    times: Annotated[int, typer.Option(help="How many times its pages the larger one has.")] = 8,
) -> None:
    """Ingest both books, the larger one twice with a page changed in between."""
    console = Console()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cohere, qdrant = Cohere(_embedded), Qdrant()
        for vendor in (cohere, qdrant):
            stack.enter_context(hosted(vendor))
        aws = stack.enter_context(account.opened(folder / "account.log"))
        aws.furnish(
            {
                "cohere_api_key": cohere.api_key,
                "qdrant_url": qdrant.url,
                "qdrant_api_key": qdrant.api_key,
            }
        )
        environment = _environment(aws, cohere)
        small = _ingested(aws, write_book(folder / "small", pages), f"{BOOK}-small", "first", environment)
        large_docs = write_book(folder / "large", times * pages)
        large = _ingested(aws, large_docs, BOOK, "first", environment)
        _edit(large_docs)
        again = _ingested(aws, large_docs, BOOK, "second", environment)
        console.print(_table({pages: small, times * pages: large}, again, times))
        _carry_over(console, _report(aws), large)


def _embedded(texts: Sequence[str]) -> list[list[float]]:
    """Vectors that cost next to nothing to make, the same for the same text."""
    return [
        np.random.default_rng(zlib.crc32(text.encode())).standard_normal(DIMENSIONS).tolist()
        for text in texts
    ]


def _environment(aws: Account, cohere: Cohere) -> dict[str, str]:
    foreign = ("AWS_", "BOOKBOUND_")
    neutral = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {
        **neutral,
        **aws.environment,
        "BOOKBOUND_STAGE": "bench",
        "BOOKBOUND_BOOK": BOOK,
        "BOOKBOUND_BOOKS_BUCKET": account.BOOKS,
        "BOOKBOUND_TABLE": account.TABLE,
        "BOOKBOUND_VENDORS_SECRET": account.VENDORS_SECRET,
        "BOOKBOUND_EMBEDDER": "cohere",
        "BOOKBOUND_COHERE_URL": cohere.url,
        "BOOKBOUND_COHERE_DIMENSIONS": str(DIMENSIONS),
        # No limit: our own time is measured.
        "BOOKBOUND_EMBED_RATE": str(10**9),
        "POWERTOOLS_SERVICE_NAME": "bench",
        "POWERTOOLS_METRICS_NAMESPACE": "Bookbound",
    }


def _ingested(aws: Account, docs: Path, book_id: str, name: str, environment: dict[str, str]) -> Run:
    key = f"uploads/{book_id}/{name}.zip"
    with packed(docs) as archive:
        aws.client("s3").put_object(Bucket=account.BOOKS, Key=key, Body=archive.read_bytes())
    return run({"book_id": book_id, "key": key}, f"{book_id}-{name}", environment)


def _edit(docs: Path) -> None:
    """Another sentence at the end of one page."""
    page = min(docs.rglob("*.md"))
    page.write_text(page.read_text("utf-8") + "\nThe last bolt takes 7 seconds.\n", "utf-8")


def _report(aws: Account) -> IngestReport:
    """Return what the first run of the larger book did."""
    key = f"runs/{BOOK}/{BOOK}-first/report.json"
    told = RUN_REPORT_JSON.validate_json(
        aws.client("s3").get_object(Bucket=account.BOOKS, Key=key)["Body"].read()
    )
    if told.report is None:
        raise RuntimeError(f"the run failed: {told.error}")
    return told.report


def _table(runs: dict[int, Run], again: Run, times: int) -> Table:
    table = Table("step", title="seconds, and the most memory of the step's process in MiB")
    for pages in runs:
        table.add_column(f"{pages} pages", justify="right")
        table.add_column("MiB", justify="right")
    table.add_column("one page changed", justify="right")
    table.add_column("MiB", justify="right")
    shown = [*runs.values(), again]
    for step in again.seconds:
        cells = ((f"{one.seconds[step]:.2f}", f"{one.mib[step]:.0f}") for one in shown)
        table.add_row(step, *(cell for pair in cells for cell in pair))
    table.add_section()
    table.add_row(
        "all", *(cell for one in shown for cell in (f"{one.total:.2f}", f"{max(one.mib.values()):.0f}"))
    )
    small, large = runs.values()
    table.caption = (
        f"{times} × the pages take {large.total / small.total:.1f} × the time; {large.batches} batches"
    )
    return table


def _carry_over(console: Console, one: IngestReport, large: Run) -> None:
    """Print what the figures imply for a library, at the rate that the embedding service allows."""
    rate = int(JobSettings.model_fields["embed_rate"].default)
    dimensions = int(JobSettings.model_fields["cohere_dimensions"].default)
    texts = one.embedded / one.passages
    minutes = LIBRARY * texts / rate
    console.print(
        f"the larger book: {one.passages:,} passages, {one.embedded:,} texts to embed "
        f"({texts:.1f} a passage), {one.embedded / rate:.0f} minutes of them at {rate:,} a minute"
    )
    console.print(
        f"a library of {LIBRARY:,} passages: {LIBRARY * texts / 1e6:.1f} million texts, "
        f"{minutes / 60 / 24:.1f} days at {rate:,} a minute; "
        f"{LIBRARY * texts * dimensions * 4 / 1e9:.0f} GB of vectors of {dimensions} dimensions; "
        f"all other work of the steps, one after the other: "
        f"{LIBRARY / one.passages * large.total / 3600:.1f} hours"
    )


if __name__ == "__main__":
    typer.run(main)
