"""Claims that the support head learns from: what is claimed, what is read, and whether that bears it out.

An example is a dict, kept as a line of JSON.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, cycle
from pathlib import Path
from typing import Any

from bookbound.claims.reading import ROOM, claim_read, units
from bookbound.evaluation.literal import readable
from bookbound.evidence.reading import excerpts
from bookbound.model import Passage, UnitKind
from bookbound.question.follow_up import readings
from bookbound.question.meant import as_claims
from training import books as open_books
from training import lines as written
from training.follow_ups import is_meant
from training.lines import Line
from training.pointers import Pointer, resolve
from training.reader.alterations import falsified, joined, reworded
from training.reader.corpus import load
from training.reader.examples import public_rows
from training.reader.marking import squeezed
from training.reader.statements import Statements

Example = dict[str, Any]
"""claim; above; texts; supported (0 or 1); refuted (0, 1, or -1 where nobody said); weight; kind; group."""

PUBLIC = {
    "fever": 1.0,
    "fever-symmetric": 1.0,
    "climate-fever": 0.5,
    "fool-me-twice": 1.0,
    "mnli": 1.0,
    "snli": 0.6,
    "q-squared": 1.0,
    "summedits": 1.0,
    "factcg-doc-synthetic": 1.0,
}
"""Public files that train, and the share of their rows that is taken. Data without a licence over text that
is not free (QAGS: news; HealthVer, CovidFact: papers) is left out, and measures."""

RULED, ELSEWHERE = 0.5, 0.6
"""Weights of a claim altered by rule, and of a true one next to a passage that does not say it."""

SENTENCES = 300
"""Sentences of a book that are altered by rule."""

AROUND = 3
"""Units before and behind such a sentence that are read with it."""

NARROW = 300
"""Characters of a pair's evidence that are read where little is: no more than two or three sentences."""

NEXT_TO = 700
"""Characters of a page before and behind a pair's evidence that are read with it, to the next paragraph."""

HELD = 0.8
"""Share of a claim's evidence that a passage holds where it is the claim's."""


PAIRED = ("fever", "fever-symmetric", "fool-me-twice", "summedits", "mnli", "q-squared")
"""Public files in which claims about the same evidence make pairs."""

_HEADING = re.compile(r"^#+ +(.*)$", re.M)


def public(folder: Path, split: str, seed: int) -> Iterator[Example]:
    """The examples of public claims, in a fixed random order."""
    for row, name, drawn in public_rows(folder, PUBLIC, split, seed):
        yield _of_row(row, name, drawn)


def _of_row(row: Line, name: str, drawn: random.Random) -> Example:
    texts = [one for text in row["evidence"] for one in units(text)]
    title = row.get("title") or ""
    above = title if title and name == "climate-fever" and drawn.random() < 0.5 else ""
    refuted = {"refuted": 1, "supported": 0, "not enough": 0}.get(row["kind"], -1)
    return _example(row["claim"], above, texts, int(row["label"]), name) | {
        "refuted": refuted,
        "kind": row["kind"],
    }


def own(root: Path, book: str, kept: Path, seed: int) -> list[Example]:
    """The examples of one open book: each claim with its evidence alone, and with the passage around it."""
    corpus = load(root / book / "docs", book, kept)
    text = open_books.read(root, book)
    drawn = random.Random(f"{seed} claims {book}")
    passages: dict[str, list[Passage]] = {}
    for window in corpus.windows:
        of_page = passages.setdefault(window.passage.document, [])
        if window.passage not in of_page:
            of_page.append(window.passage)
    found = []
    for pointed in written.claims(book):
        line = written.readable_claim(pointed, text)
        of_page = passages[pointed["evidence"][0]["file"]]
        made = [*_of_line(line, of_page, drawn)]
        found += [one | {"group": book, "id": line["id"]} for one in made]
    everything = [one for of_page in passages.values() for one in of_page]
    return found + [one | {"group": book} for one in _of_sentences(everything, drawn)]


def pairs(root: Path, book: str) -> tuple[list[Example], list[Example], list[Example]]:
    """Both claims of each pair, with the nearest of their evidence, with all of it, and with more around."""
    text = open_books.read(root, book)
    nearest: list[Example] = []
    alone: list[Example] = []
    around: list[Example] = []
    for line in written.pairs(book):
        place = written.pointer(line["evidence"][0])
        above, texts = _surroundings(text[place.file], place)
        evidence = units(readable(resolve(text, place)))
        for label, claim in ((1, line["true"]), (0, line["false"])):
            of = {"group": book}
            nearest.append(_example(claim, "", evidence, label, line["kind"], room=NARROW) | of)
            alone.append(_example(claim, "", evidence, label, line["kind"]) | of)
            around.append(_example(claim, above, texts, label, line["kind"]) | of)
    return nearest, alone, around


def passage_pairs(reading: Path, lines: Sequence[Line]) -> tuple[list[Example], list[Example]]:
    """Both claims of each pair about a public passage, with the nearest of it, and with all of it."""
    texts = passages_of(reading, lines)
    nearest: list[Example] = []
    alone: list[Example] = []
    for line in lines:
        evidence = units(texts[line["file"], line["row"]])
        for label, claim in ((1, line["true"]), (0, line["false"])):
            of = {"group": line["file"]}
            nearest.append(_example(claim, "", evidence, label, line["kind"], room=NARROW) | of)
            alone.append(_example(claim, "", evidence, label, line["kind"]) | of)
    return nearest, alone


def readings_of(lines: Iterable[Line]) -> list[Example]:
    """Pairs of completions of a follow-up: each one that is not meant, after one that is (X18)."""
    found: list[Example] = []
    for line in lines:
        of_line = readings(line["question"], line["previous"])
        right: list[Example] = []
        wrong: list[Example] = []
        for made, one in zip(of_line.all, as_claims(of_line), strict=True):
            label = is_meant(line, made)
            told = example(one.claim, one.above, one.texts, int(label), line["ask"])
            (right if label else wrong).append(told | {"group": "follow-ups"})
        found += chain.from_iterable(zip(cycle(right), wrong, strict=False))
    return found


def passages_of(reading: Path, lines: Iterable[Line]) -> dict[tuple[str, str], str]:
    """The passages, public ones and our own, that some pairs are about, by file and id."""
    return {key: row["passage"] for key, row in rows_of(reading, lines).items()}


def rows_of(reading: Path, lines: Iterable[Line]) -> dict[tuple[str, str], Line]:
    """The rows of all files that some lines name, by file and id; each has a passage, most have a title."""
    found: dict[tuple[str, str], Line] = {}
    for name in {line["file"] for line in lines}:
        path = written.PASSAGES if name == written.OWN else reading / f"{name}.jsonl"
        found |= {(name, row["id"]): row for row in written.stored(path)}
    return found


def public_pairs(folder: Path, split: str, seed: int) -> list[Example]:
    """Each false public claim behind the true one about the same evidence that is most like it."""
    found: list[Example] = []
    alike: dict[tuple[str, ...], tuple[list[Line], list[Line]]] = {}
    for row, name, _ in public_rows(folder, dict.fromkeys(PAIRED, 1.0), split, seed):
        true, false = alike.setdefault((name, *row["evidence"]), ([], []))
        (true if row["label"] else false).append(row)
    drawn = random.Random(seed)
    for (name, *_), (true, false) in alike.items():
        for one in false if true else ():
            words = {*one["claim"].lower().split()}
            counterpart = max(true, key=lambda row: len(words & {*row["claim"].lower().split()}))
            found += [_of_row(row, name, drawn) for row in (counterpart, one)]
    return found


def made_up(count: int, seed: int) -> list[Example]:
    """Both claims of pairs about made-up statements."""
    drawn = Statements(seed)
    made = (drawn.pair() for _ in range(count))
    return [
        _example(claim, "", one.texts, label, one.kind) | {"group": "made up"}
        for one in made
        for label, claim in ((1, one.true), (0, one.false))
    ]


def _surroundings(page: str, place: Pointer) -> tuple[str, list[str]]:
    """The last heading above a place of a page, and the units of the paragraphs around it."""
    start = max(0, page.rfind("\n\n", 0, max(0, place.offset - NEXT_TO)))
    end = page.find("\n\n", place.offset + place.length + NEXT_TO)
    headings = _HEADING.findall(page[: place.offset])
    above = readable(headings[-1]) if headings else ""
    return above, units(readable(page[start : end if end >= 0 else None]))


def _of_sentences(passages: Sequence[Passage], drawn: random.Random) -> Iterator[Example]:
    """Sentences of a book in other words, alone and joined, and false by rule, as often as true ones."""
    places = [
        (passage, at)
        for passage in passages
        for at, unit in enumerate(passage.units)
        if unit.kind is UnitKind.SENTENCE and 40 <= unit.end - unit.start <= 300
    ]
    for passage, at in drawn.sample(places, min(SENTENCES, len(places))):
        text = passage.unit_text(passage.units[at])
        after = passage.units[at + 1] if at + 1 < len(passage.units) else None
        told = text
        if after and after.kind is UnitKind.SENTENCE and drawn.random() < 0.2:
            told = joined(text, passage.unit_text(after), drawn)
        near = passage.units[max(0, at - AROUND) : at + AROUND + 1]
        above, texts = units_of(passage)[0], [passage.unit_text(unit) for unit in near]
        true = reworded(told, passage.text, drawn)
        false = [*falsified(true if drawn.random() < 0.5 else told, passage.text, drawn, 1)]
        yield _example(true, above, texts, 1, "reworded") | {"weight": RULED}
        for one in false:
            yield _example(one, above, texts, 0, "ruled") | {"weight": RULED}


def _of_line(line: Line, of_page: Sequence[Passage], drawn: random.Random) -> Iterator[Example]:
    claim, label, kind = line["claim"], int(line["label"]), line["kind"]
    evidence = readable("\n".join(line["evidence"]))
    alone = units(evidence)
    yield _example(claim, "", alone, label, kind)
    held = squeezed(evidence)
    around = [one for one in of_page if _held(held, squeezed(one.text)) >= HELD]
    read = [units_of(one) for one in around[:1]]
    for above, texts in read:
        yield _example(claim, above, texts, label, kind)
    above, texts = read[0] if read else ("", alone)
    if label:
        for other in falsified(claim, evidence, drawn, 2):
            yield _example(other, above, texts, 0, "ruled") | {"weight": RULED}
        others = [one for one in of_page if _held(held, squeezed(one.text)) == 0]
        if others:
            above, texts = units_of(drawn.choice(others))
            yield _example(claim, above, texts, 0, "elsewhere") | {"weight": ELSEWHERE}


def units_of(passage: Passage) -> tuple[str, list[str]]:
    """What stands above a passage, and what each of its units says."""
    read = excerpts(passage, 0, len(passage.text))
    return read[0].above if read else "", [text for one in read for text in one.texts]


def _example(
    claim: str, above: str, texts: Sequence[str], supported: int, kind: str, *, room: int = ROOM
) -> Example:
    read = claim_read(claim, above, texts, room)
    return example(claim, read.above, read.texts, supported, kind)


def example(claim: str, above: str, texts: Sequence[str], supported: int, kind: str) -> Example:
    """An example of what is read as it is."""
    return {
        "claim": claim,
        "above": above,
        "texts": list(texts),
        "supported": supported,
        "refuted": -1 if not supported else 0,
        "weight": 1.0,
        "kind": kind,
        "group": kind,
    }


def _held(evidence: str, passage: str) -> float:
    """The share of the evidence's pieces of forty characters that stand in a passage, both squeezed."""
    pieces = [evidence[at : at + 40] for at in range(0, max(1, len(evidence) - 39), 20)]
    return sum(piece in passage for piece in pieces) / len(pieces)
