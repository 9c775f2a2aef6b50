"""Where the search puts what answers: `python -m training.embedder.places BOOKS`.

The reader reads the most promising windows first, and no more than READ of them. A question whose evidence
the search puts behind those is lost, whatever the reader understands. For each kind of question: how often a
window with its evidence is among the first, in the order in which the product reads them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from jinja2 import Environment
from rich.console import Console

import bookbound_embedder
from bookbound.adapters.bundled.minilm import MAX_WORD_PIECES, MiniLmEmbedder
from bookbound.evaluation import fitted_file
from bookbound.evaluation.fitting import score_map_knots
from bookbound.evidence.search_depth import FETCHED, READ
from bookbound.local.progress import steps
from bookbound.text.scoring import FittedOn, ScoreMap
from training import books as open_books
from training import lines as written
from training.embedder.asked import BEGUN, PASSES, PEAK, TOGETHER, TYPED, answering
from training.lines import FITTING, Line
from training.lines import FITTING_QUESTIONS as QUESTIONS
from training.reader.corpus import embedded, load
from training.reader.examples import order
from training.reader.sections import hash_of

FIRST = (1, 3, *READ, 50)
"""Places up to which is counted."""

MAPS = Path("layers/core/python/bookbound/data/score_maps")
CARD = Path(__file__).with_name("card.md.j2")
MODULE = "training.embedder.places"


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    only: Annotated[list[str] | None, typer.Option("--book", help=f"These; default: {FITTING}.")] = None,
    work: Annotated[Path, typer.Option(help="Where vectors are kept.")] = Path("build/embedder/vectors"),
    write: Annotated[bool, typer.Option(help="Write the embedder's score map and its card.")] = False,
) -> None:
    """Print how often a search of some books finds the evidence by which place."""
    names = only or [FITTING]
    if write and names != [FITTING]:
        raise typer.BadParameter(f"the score map and the card are of {FITTING}, which taught nothing")
    searched: list[Searched] = []
    with steps(Console(stderr=True)) as advance:
        for done, name in enumerate(names, 1):
            searched += search(books, name, work)
            advance("search", done, len(names))
    told = table(searched)
    if write:
        _write(searched, told)
    typer.echo(told)


def _write(searched: Sequence[Searched], told: str) -> None:
    fitted = score_map(searched)
    fitted_file.keep(MAPS / f"{fitted.model_id}.json", asdict(fitted), on_less=True)
    model = bookbound_embedder.MODEL
    card = Environment(keep_trailing_newline=True).from_string(CARD.read_text("utf-8"))
    page = card.render(
        size=model.stat().st_size,
        sha256=bookbound_embedder.SHA256,
        longest=MAX_WORD_PIECES,
        peak=PEAK,
        passes=PASSES,
        together=TOGETHER,
        typed=TYPED,
        begun=BEGUN,
        table=told,
    )
    model.with_name("README.md").write_text(page, "utf-8")


def score_map(searched: Sequence[Searched]) -> ScoreMap:
    """The embedder's map, for candidates that the reader does not come to (X1)."""
    right = [one.cosine for one in searched]
    others = [cosine for one in searched for cosine in one.others]
    return ScoreMap(
        model_id=MiniLmEmbedder.model_id,
        knots=score_map_knots(right, others),
        method=f"Platt, {len(right)} evidence windows, {len(others)} others",
        fitted_on=(FittedOn(QUESTIONS.name, len(searched), hash_of(QUESTIONS)),),
        command=fitted_file.command(MODULE),
        date=datetime.now(UTC).date().isoformat(),
    )


@dataclass(frozen=True, slots=True)
class Searched:
    """A question, and what a search of its book makes of its evidence.

    Attributes:
        place: from 0, the best one of a window that holds evidence, in the order in which the reader reads.
        cosine: the highest one of such a window.
        others: the cosines of the other windows that the search fetches.
    """

    kind: str
    place: int
    cosine: float
    others: tuple[float, ...]


def search(root: Path, name: str, kept: Path) -> Iterator[Searched]:
    """Every question whose evidence a window holds; those about selected text are left out."""
    corpus = load(root / name / "docs", name, kept)
    lines = [one for one in _answerable(root, name) if not one["selected_text"]]
    vectors = embedded([line["question"] for line in lines], kept)
    for line, vector in zip(lines, vectors, strict=True):
        if right := answering(corpus.windows, line):
            cosines, words = corpus.found(line["question"], vector)
            place = int(np.flatnonzero(np.isin(order(cosines, words), right))[0])
            fetched = {*np.argsort(-cosines)[:FETCHED], *np.argsort(-words)[:FETCHED]} - {*right}
            others = tuple(float(cosines[at]) for at in sorted(fetched))
            yield Searched(line["kind"], place, float(cosines[right].max()), others)


def _answerable(root: Path, name: str) -> list[Line]:
    text = open_books.read(root, name)
    stored = written.questions(name)
    return [written.readable_question(one, text) for one in stored if one["expect"] == "answer"]


def table(searched: Sequence[Searched]) -> str:
    """A row for each kind of question, and one for all, as Markdown."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for one in searched:
        places[one.kind].append(one.place)
    head = ["kind", "questions", *(f"first {n}" for n in FIRST)]
    rows = [head, ["---", *["--:"] * (len(head) - 1)]]
    for kind, of_kind in [*sorted(places.items()), ("all", [one.place for one in searched])]:
        shares = (f"{np.mean(np.array(of_kind) < n):.0%}" for n in FIRST)
        rows.append([kind, str(len(of_kind)), *shares])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    typer.run(main)
