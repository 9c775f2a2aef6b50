"""The measure of the author's page: `python -m evaluation.author gaps|mends BOOKS`, `… cuts` (E2).

On open books that the reader was not fitted on, with labelled questions in place of readers' own.

gaps: pages are taken out of each book, and its questions are asked: those about what is out are real gaps, by
page. They, the questions that are refused wrongly, and those about something else are grouped as on the page.

mends: for questions that are refused wrongly the page looks for mends, with half of the near misses in view.
The labels stand for the author: the first mend with a right answer is taken, and tried on the other half too.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bookbound import wiring
from bookbound.authoring import gaps as gaps_of
from bookbound.authoring.clusters import ALIKE, clusters
from bookbound.authoring.mends import Mend
from bookbound.authoring.proposing import proposal
from bookbound.authoring.trial import Bench, Ended, Putting, tried
from bookbound.errors import InvalidRequest
from bookbound.evaluation.judging import holds
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.local.author.desk import Desk
from bookbound.local.progress import Advance, steps
from bookbound.ports import Embedder
from evaluation import ingested
from evaluation.gate import AsShipped
from training import books as open_books
from training import lines as written

Line = dict[str, Any]

BOOKS = ("business-law", "us-history", "microbiology")
"""Of the books that judge, in the order in which they are asked."""
QUESTIONS = Path("training/questions")

FITTING = ("cooking", "iot")
CUTS = (0.40, 0.45, 0.50, 0.55, 0.60)

RECORDED = 400
"""Questions that are asked in all."""

OUT = 4
"""Every how manieth page with questions is taken out of a book."""

SEED = 40
FIRST = 10
NOISE = "something else"
app = typer.Typer(add_completion=False)

Books = Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False, help="Open books.")]
Only = Annotated[list[str] | None, typer.Option("--book", help="Only these.")]
Data = Annotated[Path, typer.Option(help="Where indexes go.")]


# --- gaps -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A recorded question that was refused; its topic is a page, or NOISE; `missing` if that page is out."""

    question: str
    reason: str
    topic: str
    missing: bool


@app.command()
def gaps(
    books: Books,
    *,
    only: Only = None,
    data: Data = Path("build/author"),
    alike: Annotated[float, typer.Option(help="The cut of the clusters.")] = ALIKE,
    most: Annotated[int, typer.Option(help="Recorded questions in all.")] = RECORDED,
    told: Annotated[bool, typer.Option("--list", help="Show the first gaps.")] = False,
) -> None:
    """Group what books with holes refuse, and look at the first gaps."""
    with steps(Console(stderr=True)) as advance:
        for name in only or BOOKS:
            refused, asked, embedder = _refused(name, books, data, most, advance)
            most -= asked
            vectors = asyncio.run(embedder.embed_questions([one.question for one in refused]))
            _tell_gaps(name, asked, refused, clusters(vectors, alike), told=told)


def _refused(
    name: str, books: Path, data: Path, most: int, advance: Advance
) -> tuple[list[Unanswered], int, Embedder]:
    """Ask a book without some of its pages a sample of its questions."""
    lines = [line for line in _lines(name) if _has_topic(line)]
    pages = sorted({line["evidence"][0]["file"] for line in lines if line["evidence"]})
    out = set(pages[::OUT])
    settings = AsShipped(data=data, book=f"{name}-with-holes")
    policy = data / f"{name}-with-holes.yaml"
    data.mkdir(parents=True, exist_ok=True)
    policy.write_text(json.dumps({"title": name, "out_of_scope": [], "exclude": sorted(out)}), "utf-8")
    ingested.ingest(settings, books / name / "docs", f"{name}-with-holes", policy, advance)
    sample = random.Random(SEED).sample(lines, min(most, len(lines)))  # noqa: S311 -- a draw to be repeated
    return asyncio.run(_ask(settings, sample, out, advance)), len(sample), wiring.build_embedder(settings)


async def _ask(
    settings: AsShipped, sample: Sequence[Line], out: set[str], advance: Advance
) -> list[Unanswered]:
    found = []
    async with _bench(settings) as (bench, _):
        for at, line in enumerate(sample):
            advance("ask", at, len(sample))
            ended = await _end(bench, line["question"])
            if (
                ended is None
                or ended.answered
                or ended.reason not in ("empty_retrieval", "insufficient_context")
            ):
                continue
            topic = line["evidence"][0]["file"] if line["evidence"] else NOISE
            found.append(Unanswered(line["question"], ended.reason, topic, topic in out))
    return found


def _tell_gaps(
    name: str, asked: int, refused: Sequence[Unanswered], together: Sequence[Sequence[int]], *, told: bool
) -> None:
    counted = [Counter(refused[place].topic for place in places) for places in together]
    topics = Counter(one.topic for one in refused)
    purity = sum(max(one.values()) for one in counted) / len(refused)
    kept = sum(n * n / topics[topic] for one in counted for topic, n in one.items()) / len(refused)
    several = sum(len(places) for places in together if len(places) > 1)
    typer.echo(
        f"{name}: {asked} recorded, {len(refused)} unanswered "
        f"({sum(one.missing for one in refused)} about pages that are out, {topics[NOISE]} about {NOISE}, "
        f"the others refused wrongly); {len(together)} clusters, {several} questions in one of several"
    )
    typer.echo(f"  purity {purity:.2f}; of a topic's questions in its cluster (B-cubed recall) {kept:.2f}")
    first = _first(refused, together)
    kinds = Counter(_kind(places, refused) for places in first)
    typer.echo(f"  first {len(first)} gaps: " + ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()))
    for places in first if told else ():
        typer.echo(
            f"    {_kind(places, refused)}: " + " | ".join(refused[place].question for place in places)
        )


def _first(refused: Sequence[Unanswered], together: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """The gaps that the page shows first, in its order."""
    rows = {one.question: [_row(place, one)] for place, one in enumerate(refused)}
    of_lead = {refused[places[0]].question: places for places in together}
    return [of_lead[group.question] for group in gaps_of.groups(rows, together)[:FIRST]]


def _row(place: int, one: Unanswered) -> dict[str, Any]:
    """The question as asked once, in a session of its own."""
    named = {"question": one.question, "session_id": place, "refusal_reason": one.reason}
    return named | {"day": "", "book_id": None}


def _kind(places: Sequence[int], refused: Sequence[Unanswered]) -> str:
    """What most of a cluster's questions are."""
    said = Counter(
        "missing from the book"
        if refused[place].missing
        else NOISE
        if refused[place].topic == NOISE
        else "refused wrongly"
        for place in places
    )
    return said.most_common(1)[0][0]


# --- cuts ---------------------------------------------------------------------------------------


@app.command()
def cuts(*, only: Only = None) -> None:
    """Cluster all questions of books that judge nothing at several cuts: what the cut was chosen by."""
    embedder = wiring.build_embedder(AsShipped())
    for name in only or FITTING:
        lines = [line for line in _lines(name) if _has_topic(line) and line["evidence"]]
        topics = [line["evidence"][0]["file"] for line in lines]
        vectors = asyncio.run(embedder.embed_questions([line["question"] for line in lines]))
        for alike in CUTS:
            together = clusters(vectors, alike)
            several = sum(len(places) for places in together if len(places) > 1)
            most = sum(max(Counter(topics[place] for place in places).values()) for places in together)
            typer.echo(
                f"{name} at {alike:.2f}: purity {most / len(lines):.2f}, "
                f"{several / len(lines):.0%} of {len(lines)} questions in a cluster of several"
            )


# --- mends ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mended:
    """A question that was refused wrongly, and what the page made of it.

    Attributes:
        right: of each mend that is proposed, whether the answer is right with it.
        taken: the first of them that is right.
        seen, unseen: near misses that it lets be answered, of those in view and of the others.
    """

    right: tuple[bool, ...]
    taken: Mend | None = None
    seen: int = 0
    unseen: int = 0


@app.command()
def mends(
    books: Books,
    *,
    only: Only = None,
    data: Data = Path("build/author"),
    most: Annotated[int, typer.Option(help="Wrongly refused questions in all.")] = 20,
) -> None:
    """Look for mends of questions that are refused wrongly, and count false answers of near misses."""
    names = only or list(BOOKS)
    found: list[Mended] = []
    lacking: list[bool] = []
    with steps(Console(stderr=True)) as advance:
        for left, name in zip(range(len(names), 0, -1), names, strict=True):
            quota = -(-(most - len(found)) // left)
            settings = AsShipped(data=data, book=name)
            ingested.ingest(settings, books / name / "docs", name, None, advance)
            pages = open_books.read(books, name)
            lines = [written.readable_question(line, pages) for line in _lines(name)]
            of_book, gaps_mended = asyncio.run(_mend(name, settings, lines, quota, advance))
            found += of_book
            lacking += gaps_mended
    _tell_mends(found, lacking)


async def _mend(
    name: str, settings: AsShipped, lines: Sequence[Line], most: int, advance: Advance
) -> tuple[list[Mended], list[bool]]:
    """Mends of a book's first wrongly refused questions; whether near misses get any, half as many."""
    misses = [line["question"] for line in lines if line["kind"] == "near_miss"]
    seen = [Putting(one, "refuse") for one in misses[::2]]
    unseen = [Putting(one, "refuse") for one in misses[1::2]]
    found: list[Mended] = []
    lacking: list[bool] = []
    async with _bench(settings) as (bench, embedder):
        for line in lines:
            if len(found) == most:
                break
            ended = await _end(bench, line["question"]) if _to_answer(line) else None
            if ended is None or ended.answered:
                continue
            advance("mend", len(found), most)
            proposed = await proposal([line["question"]], bench, seen, embedder)
            right = tuple(_is_right(one.ended, line) for one in proposed.mends)
            taken = next((one.mend for one, is_so in zip(proposed.mends, right, strict=True) if is_so), None)
            falsely = [await _falsely(taken, bench, some) for some in (seen, unseen)]
            found.append(Mended(right, taken, *falsely))
            typer.echo(f"{name}: {line['question']} → {taken}, {sum(right)} of {len(right)} right")
        for one in unseen:
            if len(lacking) == most // 2:
                break
            if not (await bench.ask(one.question)).answered:
                lacking.append(bool((await proposal([one.question], bench, seen, embedder)).mends))
    return found, lacking


async def _falsely(mend: Mend | None, bench: Bench, near: Sequence[Putting]) -> int:
    """How many near misses a mend lets be answered."""
    return len((await tried(mend, bench, near)).false_answers) if mend else 0


def _tell_mends(found: Sequence[Mended], lacking: Sequence[bool]) -> None:
    proposed = rate_of([bool(one.right) for one in found])
    typer.echo(f"refused wrongly, with a mend proposed: {_shown(proposed)}")
    typer.echo(f"  with one that gives a right answer: {_shown(rate_of([any(one.right) for one in found]))}")
    typer.echo(f"  and that is the first: {_shown(rate_of([one.right[:1] == (True,) for one in found]))}")
    kinds = Counter(type(one.taken).__name__ for one in found if one.taken)
    typer.echo(f"  by kind: {', '.join(f'{n} {kind}' for kind, n in kinds.most_common()) or '–'}")
    typer.echo(
        f"near misses that these let be answered: {sum(one.seen for one in found)} of those in view, "
        f"{sum(one.unseen for one in found)} of those never seen"
    )
    typer.echo(f"refused near misses with a mend proposed, to be declined: {_shown(rate_of(lacking))}")


def _is_right(ended: Ended, line: Line) -> bool:
    quotes = (*line["evidence"], *line["also_in"])
    return any(holds(text, one["quote"]) for one in quotes for text in (ended.text, *ended.excerpts))


# --- both -----------------------------------------------------------------------------------------


def _lines(name: str) -> list[Line]:
    stored = (QUESTIONS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in stored]


def _to_answer(line: Line) -> bool:
    return line["expect"] == "answer" and not line.get("selected_text") and line["kind"] != "two_part"


def _has_topic(line: Line) -> bool:
    """Return whether it is known what a question is about: one page, or something else than the book."""
    far = line["kind"] in ("far", "injection", "out_of_scope") and not line.get("selected_text")
    return far or (_to_answer(line) and len(line["evidence"]) > 0 and not line["also_in"])


@asynccontextmanager
async def _bench(settings: AsShipped) -> AsyncIterator[tuple[Bench, Embedder]]:
    async with wiring.local(settings) as system:
        yield await Desk(settings, system).bench(), system.deps.embedder


async def _end(bench: Bench, question: str) -> Ended | None:
    try:
        return await bench.ask(question)
    except InvalidRequest:
        return None


def _shown(rate: Rate) -> str:
    share = "–" if rate["rate"] is None else f"{100 * rate['rate']:.0f} %"
    return f"{share} ({rate['hits']}/{rate['n']}; {100 * rate['low']:.0f}–{100 * rate['high']:.0f})"


if __name__ == "__main__":
    app()
