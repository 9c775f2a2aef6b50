"""What vectors of a byte per value cost a search: `python -m benchmarks.quantisation BOOKS`.

Each book's windows go into shards of Qdrant's own engine, indexed as a server indexes a large collection, and
are searched for the book's labelled questions: as they are, and with the windows' vectors quantised to int8.
What comes back is held against an exact search, at the depth that a question fetches. The embedder is the
bundled one; its 384 values leave rounding less to average out over than the 1,024 of a stage.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Annotated

import numpy as np
import numpy.typing as npt
import qdrant_edge as edge
import typer
from rich.console import Console

from benchmarks.question.grown import entries_of
from bookbound import wiring
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.version_folder import read_manifest
from bookbound.adapters.qdrant.point_writer import QUANTILE
from bookbound.adapters.qdrant.store import DENSE
from bookbound.evidence.search_depth import FETCHED
from bookbound.local.progress import Advance, steps
from bookbound.settings import Settings
from evaluation import ingested
from evaluation.books import labelled
from training import lines as written

EDGES, EF_CONSTRUCT = 16, 100
"""A server's defaults for a graph; a search looks at as many candidates as it returns, 100 at least."""

AT_ANY_SIZE = 1
"""KB from which a shard is indexed and its index used: a server leaves small collections as they are."""

AT_ONCE = 256

TOGETHER = "all of them in one collection"

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Side:
    """A way to keep and to search vectors; without `graph` a search looks at every window."""

    name: str
    int8: bool
    graph: bool
    params: edge.SearchParams | None = None


def _rescored(oversampling: float | None) -> edge.SearchParams:
    return edge.SearchParams(
        quantization=edge.QuantizationSearchParams(rescore=True, oversampling=oversampling)
    )


SIDES = (
    Side("float32, graph", int8=False, graph=True),
    Side("float32, graph, twice the candidates", False, True, edge.SearchParams(hnsw_ef=2 * FETCHED)),
    Side("float32, every window", int8=False, graph=False),
    Side("int8, graph", int8=True, graph=True),
    Side("int8, graph, rescored", True, True, _rescored(None)),
    Side("int8, graph, twice as many rescored", True, True, _rescored(2.0)),
    Side("int8, every window", int8=True, graph=False),
    Side("int8, every window, rescored", True, False, _rescored(None)),
    Side("int8, every window, twice as many rescored", True, False, _rescored(2.0)),
)


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a book's questions on one side.

    Attributes:
        recall, least: share of the exact search's windows, over all questions and of the worst one.
        error: the largest difference between a score and the cosine.
        milliseconds: a search's time, the median.
        bytes: that a window's vector takes where it is searched.
    """

    side: str
    recall: float
    least: float
    error: float
    milliseconds: float
    bytes: float


def main(
    folder: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    only: Annotated[
        list[str] | None, typer.Option("--book", help="Only these; default: those that judge.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Where indexes and vectors go.")] = Path("build/books"),
) -> None:
    """Search open books for their labelled questions, quantised and not, and print a table."""
    books: dict[str, tuple[Matrix, Matrix]] = {}
    with steps(Console(stderr=True)) as advance:
        for name in only or written.JUDGING:
            books[name] = _book(folder, name, data, advance)
    if len(books) > 1:
        windows, questions = (np.concatenate(one) for one in zip(*books.values(), strict=True))
        books[TOGETHER] = windows, questions
    typer.echo(f"recall of {FETCHED} windows by meaning, against an exact search")
    for name, (windows, questions) in books.items():
        typer.echo(
            f"\n{name}: {len(windows)} windows of {windows.shape[1]} values, {len(questions)} questions"
        )
        typer.echo("| vectors | recall | worst question | largest error of a cosine | ms | bytes a window |")
        typer.echo("|---|--:|--:|--:|--:|--:|")
        for row in _rows(windows, questions):
            typer.echo(
                f"| {row.side} | {row.recall:.4f} | {row.least:.2f} | {row.error:.5f} "
                f"| {row.milliseconds:.2f} | {row.bytes:,.0f} |"
            )


def _book(folder: Path, name: str, data: Path, advance: Advance) -> tuple[Matrix, Matrix]:
    """A book's windows and its questions, as vectors of length 1."""
    settings = Settings(data=data)
    ingested.ingest(settings, folder / name / "docs", name, None, advance)
    version = wiring.index_folder(settings).live_version(name)
    assert version, "the book has just been ingested"
    windows = [one.dense for one in entries_of(version, read_manifest(version).windows)]
    asked = [one.question for one in labelled(folder, name) if one.selected_text is None]
    embedder = MiniLmEmbedder()
    questions = []
    for start in range(0, len(asked), AT_ONCE):
        questions += asyncio.run(embedder.embed_questions(asked[start : start + AT_ONCE]))
        advance(f"embed the questions of {name}", len(questions), len(asked))
    return np.array(windows, np.float32), np.array(questions, np.float32)


def _rows(windows: Matrix, questions: Matrix) -> Iterator[Row]:
    cosines = questions @ windows.T
    exact = np.argsort(-cosines, axis=1)[:, :FETCHED]
    for side in SIDES:
        with _shard(windows, side) as (shard, size):
            found, times = zip(*(_search(shard, one, side.params) for one in questions.tolist()), strict=True)
        recalls = [
            len({point.id for point in points} & set(nearest.tolist())) / len(nearest)
            for points, nearest in zip(found, exact, strict=True)
        ]
        errors = (
            abs(point.score - float(cosines[at, point.id]))
            for at, points in enumerate(found)
            for point in points
        )
        yield Row(
            side.name, fmean(recalls), min(recalls), max(errors), median(times) * 1000, size / len(windows)
        )


@contextmanager
def _shard(windows: Matrix, side: Side) -> Iterator[tuple[edge.EdgeShard, int]]:
    """An indexed shard, and the size in bytes of the vectors that its searches go through."""
    int8 = edge.ScalarQuantizationConfig(edge.ScalarType.Int8, quantile=QUANTILE, memory=edge.Memory.Pinned)
    dense = edge.EdgeVectorParams(
        windows.shape[1], edge.Distance.Cosine, quantization_config=int8 if side.int8 else None
    )
    config = edge.EdgeConfig(
        vectors={DENSE: dense},
        hnsw_config=edge.HnswIndexConfig(EDGES if side.graph else 0, EF_CONSTRUCT, AT_ANY_SIZE),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=AT_ANY_SIZE, default_segment_number=1),
        wal_enabled=False,
    )
    with tempfile.TemporaryDirectory() as folder, closing(edge.EdgeShard.create(folder, config)) as shard:
        points = [edge.Point(at, {DENSE: one}, {}) for at, one in enumerate(windows.tolist())]
        for start in range(0, len(points), AT_ONCE):
            shard.update(edge.UpdateOperation.upsert_points(points[start : start + AT_ONCE]))
        shard.optimize()
        shard.flush()
        files = list(Path(folder).rglob("*"))
        searched = "quantized.data" if side.int8 else "matrix.dat"
        sizes = [path.stat().st_size for path in files if path.name == searched]
        assert sizes, f"the engine made no {searched}"
        yield shard, sum(sizes)


def _search(
    shard: edge.EdgeShard, vector: list[float], params: edge.SearchParams | None
) -> tuple[list[edge.ScoredPoint], float]:
    """What a search by meaning finds, and the seconds that it takes."""
    request = edge.QueryRequest(limit=FETCHED, query=edge.Query.Nearest(vector, using=DENSE), params=params)
    started = perf_counter()
    found = shard.query(request)
    return found, perf_counter() - started


if __name__ == "__main__":
    typer.run(main)
