"""Answers and refusals next to LlamaIndex, LangChain and Haystack: `python -m benchmarks.answers`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console

from benchmarks.answers import books, findings, glue, product, systems
from benchmarks.answers.books import AskedBook
from benchmarks.answers.plots import plots
from benchmarks.answers.points import Asked
from benchmarks.answers.systems import OWN, PASSAGES, Compared, PeerAnswers, System
from benchmarks.peers.peer import Peer
from benchmarks.peers.registry import PLACES, peer
from benchmarks.report.measured import Measured
from benchmarks.report.showing import publish
from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.vector_cache import VectorCache
from bookbound.local.progress import Advance, steps

OfBook = TypeVar("OfBook")

SAMPLE = Path("sample_book/docs"), Path("sample_book/questions.jsonl")

LEAD = (
    "Labelled questions about {books}, put to Bookbound and to what three frameworks' documentation shows, "
    "all on the same embedder. A peer answers when its retrieval and its cut leave it a passage, for then "
    "its model is asked; Bookbound when an answer leaves it. Bookbound is asked as it "
    "ships{known}. A peer's threshold is fitted on {elsewhere}, by the highest Youden's J over all "
    "questions to refuse. Peers get pieces that the embedder can read whole: "
    "cut by their own Markdown splitters, to 254 word pieces (Haystack's to 120 words); in a second setting "
    "what Bookbound embeds itself, which holds the tables of CSV and XLSX files too. Questions about "
    "selected text are left out. Percentages come with 95 % Wilson intervals. Right source@5: one of the "
    "first five passages holds at least 60 % of the words of an evidence quote of its page."
)


def main(
    docs: Annotated[
        Path | None, typer.Option(envvar="BENCH_DOCS", help="A second book's docs folder.")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(envvar="BENCH_QUESTIONS", help="Its labelled questions (JSON lines).")
    ] = None,
    data: Annotated[
        Path, typer.Option(help="Where indexes lie, and vectors, so that a second run embeds nothing.")
    ] = Path(".bookbound/bench"),
) -> None:
    """Ask Bookbound and its peers the same labelled questions, and compare answered and false answers.

    Bookbound is asked as it ships. A peer's threshold for each half of a book's questions is fitted on the
    other half; with a second book, for each book on the other one.

    Example: python -m benchmarks.answers --docs ../other-book/docs --questions ../other-book/questions.jsonl
    """
    if (docs is None) != (questions is None):
        raise typer.BadParameter("a second book takes both --docs and --questions")
    # Warnings of single questions would bury what is measured.
    logging.getLogger("bookbound").setLevel(logging.ERROR)
    asked = [books.book(*SAMPLE)]
    if docs and questions:
        asked.append(books.book(docs, questions))
    with steps(Console(stderr=True)) as advance:
        compared = _compare(asked, data, advance)
    publish(_measured(asked, compared))


def _compare(asked: list[AskedBook], data: Path, advance: Advance) -> list[Compared]:
    with closing(VectorCache(data / "embeddings", MiniLmEmbedder.model_id)) as memory:
        embed = glue.RememberedEmbedder(MiniLmEmbedder(), memory)
        peers = [peer(name, embed) for name in PLACES]
        answers = [_ask_peers(book, peers, advance) for book in asked]
    defaults = {each.name: each.default_threshold for each in peers}
    compared = []
    for number, book in enumerate(asked):
        ours = _ask_bookbound(book, data, advance)
        theirs = systems.peers(answers[number], _other(answers, number), defaults)
        compared.append(Compared(book.id, ours, theirs))
    return compared


def _measured(asked: list[AskedBook], compared: list[Compared]) -> Measured:
    return Measured(
        part="answers",
        title="Answer or refuse",
        lead=_lead(asked),
        goals=[
            goal
            for book, each in zip(asked, compared, strict=True)
            if not book.known
            for goal in findings.goals(each)
        ],
        tables=[table for each in compared for table in findings.tables(each)],
        plots=[plot for each in compared for plot in plots(each)],
        facts={each.book: findings.facts(each) for each in compared},
    )


def _other(of_books: Sequence[OfBook], number: int) -> OfBook | None:
    return of_books[1 - number] if len(of_books) == 2 else None


def _ask_peers(book: AskedBook, peers: list[Peer], advance: Advance) -> PeerAnswers:
    passages = book.passages()
    answers: dict[tuple[str, str], list[Asked]] = {}
    for done, each in enumerate(peers, 1):
        answers[each.name, OWN] = glue.ask(each, glue.own_pieces(each, book.docs), book.asked)
        answers[each.name, PASSAGES] = glue.ask(each, passages, book.asked)
        advance(f"peers, {book.id}", done, len(peers))
    return answers


def _ask_bookbound(book: AskedBook, data: Path, advance: Advance) -> System:
    found = product.ask(book, data, advance)
    return systems.bookbound(found.asked, found.answered)


def _lead(asked: list[AskedBook]) -> str:
    known = " and ".join(book.id for book in asked if book.known)
    return LEAD.format(
        books=" and ".join(book.id for book in asked),
        known=f", and was fitted on those about {known}, on which no goal rests" if known else "",
        elsewhere="the other book"
        if len(asked) == 2
        else "the other half of the questions, by a hash of their ids",
    )


if __name__ == "__main__":
    typer.run(main)
