"""How the reader reads claims, learned on top of what ships: `python -m training.reader.adapt BOOKS READING`.

Adapters (`network.Adapter`) and the head for claims learn from pairs of a true claim and a false one (P4),
and from completions of follow-ups, one that is meant and one that is not (X18). The head of the second look
learns from questions (G9): twins, one that a passage or a table's rows answer and one that they leave open,
and our own with the windows that a search finds. How questions and tables are read at first stays as it is,
and so does all that was fitted on it. It begins with the adapters that the file has, if any. It takes an hour
and a half on two processors with products in bfloat16; a run that was stopped goes on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from jinja2 import Environment
from rich.console import Console

from bookbound.adapters.bundled.reader import MODEL, BundledReader
from bookbound.evaluation.fitting import Floats
from bookbound.evaluation.rates import auroc
from bookbound.local.progress import Advance, steps
from training import lines as written
from training.lines import FITTING
from training.reader import claims, table_examples, twins
from training.reader.encoding import Material, encode_asked, encode_claims, paired
from training.reader.examples import Example
from training.reader.export import export, shipped
from training.reader.fitting import Schedule, averaged, fit, saying
from training.reader.halves import all_books
from training.reader.network import LAYERS, RANK, Reader
from training.reader.recipe import SEED, Workshop
from training.reader.sections import hash_of, with_file, with_section
from training.reader.statements import STORED

SHIPPED = Path("layers/core/python/bookbound/data/reader")
TEMPLATE = Path(__file__).with_name("claims.md.j2")
HEADING = "## Claims"

FIRST = Schedule(rate=1e-3, epochs=1, seed=1, batch=32)
SCHEDULE = Schedule(rate=7e-4, epochs=1, seed=1, batch=32)
"""How it learns from made-up statements first, and then from all."""

MADE_UP = 12_000
"""Pairs about made-up statements that it begins with, and as many others that it goes on with."""

SHARES = {"the nearest of their evidence": 0.5, "all of it": 0.3, "what stands around it too": 0.2}
"""How the pairs are read (`claims.pairs`), and the share of each way."""

ASKED = {"evidence": 1.0, "near miss": 0.35, "found": 0.08, "removed": 0.15, "selection": 1.0}
"""Share of our own questions' windows that teach a second look, by what is known of them: of answers and of
near misses about as many."""

BEGUN = 0.2
"""Share of the weights that it begins with in those that it ends with: their mean forgets less of what they
knew than those that learned last (Wortsman et al. 2022)."""

PUBLIC = 0.12
"""Public claims for each claim of a pair, so that they are not forgotten."""


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    reading: Annotated[Path, typer.Argument(metavar="READING", exists=True, file_okay=False)],
    work: Annotated[Path, typer.Option(help="What is made on the way; delete it to begin anew.")] = Path(
        "build/reader"
    ),
    out: Annotated[Path, typer.Option(help="The folder of the reader that learns.")] = SHIPPED,
) -> None:
    """Train the adapters for claims, and write the model with them, and its card's section on claims."""
    shop = Workshop(books, reading, work)
    with steps(Console(stderr=True)) as advance:
        reader = learned(shop, out / MODEL, advance)
    export(reader, out / MODEL)
    describe(shop, out)
    typer.echo("now fit what a second look is worth: python -m training.reader.second_look --help")
    typer.echo("and the verifier, which weighs this with words: python -m evaluation.fit_support --help")


def learned(shop: Workshop, model: Path, advance: Advance) -> Reader:
    """The reader of a file, with adapters that learned from made-up pairs and from those of all books."""
    begun = _begun_with(model)

    def first(checkpoint: Path) -> Reader:
        some = Material((), pairs=paired(encode_claims(claims.made_up(MADE_UP, FIRST.seed))))
        say = saying("learn who does what to whom", advance)
        return fit(adaptable(shipped(model)), some, FIRST, checkpoint, say)

    def then(checkpoint: Path) -> Reader:
        reader = adaptable(shop.trained(f"bound-{begun}", first, Reader()))
        say = saying("learn to read claims", advance)
        return fit(reader, material(shop, all_books()), SCHEDULE, checkpoint, say)

    return mean(shipped(model), shop.trained(f"adapted-{begun}", then, Reader()), BEGUN)


def mean(one: Reader, other: Reader, share: float) -> Reader:
    """The reader whose weights are the mean of two readers', with this share of the first one's."""
    found = Reader()
    found.load_state_dict(averaged(one.state_dict(), other.state_dict(), share))
    found.eval()
    return found


def _begun_with(model: Path) -> str:
    """Name the file that it begins with and what it learns: with another one it learns anew."""
    files = [model, STORED, written.PASSAGE_PAIRS, written.TWINS, written.FOLLOW_UPS]
    files += [written.pairs_file(book) for book in all_books()]
    files += sorted(table_examples.HOME.rglob("*.jsonl"))
    recipe = repr((FIRST, SCHEDULE, MADE_UP, SHARES, ASKED, PUBLIC))
    return sha256("".join([recipe, *map(hash_of, files)]).encode()).hexdigest()[:16]


def adaptable(reader: Reader) -> Reader:
    """The reader, of which nothing learns but how claims are read."""
    heads = (reader.claimed, reader.support, reader.confirming, reader.confirmed)
    learn = [one for head in heads for one in head.parameters()]
    learn += [one for layer in reader.layers for one in layer.adapters.parameters()]
    for one in reader.parameters():
        one.requires_grad_(False)
    for one in learn:
        one.requires_grad_(True)
    reader.drop(0.0)  # few weights learn
    return reader


def material(shop: Workshop, books: Sequence[str]) -> Material:
    """What the adapters learn from. Raises ValueError for a book that judges or fits."""
    written.check_that_train(books)
    drawn = random.Random(SEED)
    found: list[Example] = []
    for book in books:
        found += _read_somehow(claims.pairs(shop.books, book), drawn)
    found += _read_somehow(claims.passage_pairs(shop.reading, written.passage_pairs("train")), drawn)
    others = drawn.sample(shop.public_claims("train"), int(PUBLIC * len(found)))
    found += claims.public_pairs(shop.support, "train", SEED)
    found += claims.made_up(MADE_UP, SCHEDULE.seed + 1)
    found += claims.readings_of(written.follow_ups("train"))
    to_tables, _ = table_examples.material(shop.books, books)
    asked = twins.examples(shop.books, shop.reading, written.twins("train")) + twins.of_tables(to_tables)
    return Material(
        (),
        claims=encode_claims(others),
        pairs=paired(encode_claims(found)),
        asked=encode_asked([*asked_again(shop, books)]),
        twins=paired(encode_asked(asked)),
    )


def asked_again(shop: Workshop, books: Sequence[str]) -> Iterator[Example]:
    """A share of the questions to some books, with the windows that a search finds, for a second look."""
    drawn = random.Random(SEED + 1)
    for book in books:
        for one in shop.own(book):
            if drawn.random() < ASKED[one["source"]]:
                read = (one["question"], one["above"], one["texts"])
                made = claims.example(*read, one["answers"], one["kind"])
                yield made | {"group": book, "weight": one["weight"]}


def _read_somehow(ways: Sequence[Sequence[Example]], drawn: random.Random) -> Iterator[Example]:
    """Both claims of each pair, read in one of the ways."""
    shares = [*SHARES.values()][: len(ways)]
    for at in range(0, len(ways[0]), 2):
        (way,) = drawn.choices(ways, shares)
        yield from way[at : at + 2]


# --- what it is worth -----------------------------------------------------------------------------


def describe(shop: Workshop, folder: Path) -> None:
    """Write the model's hash, and what it makes of pairs that taught it nothing, into its folder."""
    fitted = folder / "sufficiency.json"
    stored = json.loads(fitted.read_text("utf-8")) | {"reader": hash_of(folder / MODEL)[:16]}
    fitted.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    ways = claims.pairs(shop.books, FITTING)
    apart = claims.passage_pairs(shop.reading, written.passage_pairs("dev"))
    about_windows, about_titles = (
        twins.examples(
            shop.books, shop.reading, [line for line in written.twins("dev") if ("book" in line) is of_book]
        )
        for of_book in (True, False)
    )
    to_tables, left_out = (twins.of_tables(some) for some in table_examples.material(shop.books, all_books()))
    follow_ups = claims.readings_of(written.follow_ups("dev"))
    bundled = BundledReader(folder)
    section = (
        Environment(keep_trailing_newline=True)
        .from_string(TEMPLATE.read_text("utf-8"))
        .render(
            rank=RANK,
            layers=LAYERS,
            first=FIRST,
            schedule=SCHEDULE,
            made_up=MADE_UP,
            shares=SHARES,
            public=PUBLIC,
            learned={book: len(written.pairs(book)) for book in all_books()},
            passages=len(written.passage_pairs("train")),
            twins=len(written.twins("train")),
            public_pairs=len(claims.public_pairs(shop.support, "train", SEED)) // 2,
            book=FITTING,
            pairs=len(ways[0]) // 2,
            told={name: figures(bundled, way) for name, way in zip(SHARES, ways, strict=True)},
            apart=len(apart[0]) // 2,
            told_apart={name: figures(bundled, way) for name, way in zip(SHARES, apart, strict=False)},
            apart_twins=len(about_titles) // 2,
            told_twins=figures_of_twins(bundled, about_titles),
            windows_apart=len(about_windows) // 2,
            told_windows=figures_of_twins(bundled, about_windows),
            table_twins=len(to_tables) // 2,
            tables_apart=len(left_out) // 2,
            told_tables=figures_of_twins(bundled, left_out),
            follow_ups=len(claims.readings_of(written.follow_ups("train"))) // 2,
            follow_ups_apart=len(follow_ups) // 2,
            told_follow_ups=figures(bundled, follow_ups),
        )
    )
    page = folder / "README.md"
    text = with_file(page.read_text("utf-8"), folder / MODEL)
    page.write_text(with_section(text, HEADING, section), "utf-8")
    typer.echo(section)


def figures(reader: BundledReader, rows: Sequence[Example]) -> dict[str, float]:
    """AUROC of pairs by kind and of all, and the share of pairs whose true claim has the higher logit."""
    logits = np.array([reader.support(one["claim"], one["above"], tuple(one["texts"])) for one in rows])
    true, false = logits[::2], logits[1::2]
    kinds = np.array([one["kind"] for one in rows[::2]])
    found = {kind: _auroc(true[kinds == kind], false[kinds == kind]) for kind in sorted(set(kinds))}
    whole = {"all": _auroc(true, false), "the true one of a pair is above": float((true > false).mean())}
    return whole | found


def figures_of_twins(reader: BundledReader, rows: Sequence[Example]) -> dict[str, float]:
    """AUROC of twins at the first and at the second look; and of how many the answered one is above there."""
    read = [(one["claim"], one["above"], tuple(one["texts"])) for one in rows]
    first = np.array([reader.logits(*one)[0] for one in read])
    second = np.array([reader.confirmed(*one) for one in read])
    above = float((second[::2] > second[1::2]).mean())
    return {
        "first": _auroc(first[::2], first[1::2]),
        "second": _auroc(second[::2], second[1::2]),
        "above": above,
    }


def _auroc(true: Floats, false: Floats) -> float:
    return auroc(true.tolist(), false.tolist()) or 0.0


if __name__ == "__main__":
    typer.run(main)
