"""The committed set holds together, without the books that it points into."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from training import drafts, lines
from training.lines import JUDGING, Line

BOOKS = lines.books()


def pointers(line: Line) -> list[Line]:
    """Every pointer of a line."""
    selected = [line["selected_text"]] if line.get("selected_text") else []
    return [*line["evidence"], *line.get("also_in", []), *selected]


@pytest.mark.parametrize("book", BOOKS)
def test_every_line_has_an_id_a_kind_and_pointers_that_can_be_followed(book: str) -> None:
    """Ids are unique within a book and say nothing of kind or label."""
    questions, claims = lines.questions(book), lines.claims(book)
    for lot in (questions, claims):
        assert len({line["id"] for line in lot}) == len(lot)
        assert [line["id"] for line in lot] == sorted(line["id"] for line in lot)
    for pointer in chain.from_iterable(pointers(line) for line in (*questions, *claims)):
        assert pointer["offset"] >= 0
        assert 0 < pointer["length"] <= drafts.LONGEST_EVIDENCE
        assert len(pointer["sha256"]) == 16
    for line in questions:
        assert (line["kind"] in drafts.ANSWERED) == (line["expect"] == "answer") == bool(line["evidence"])


@pytest.mark.parametrize("book", BOOKS)
def test_half_of_the_claims_are_true(book: str) -> None:
    """By a tenth more or less, in every book."""
    labels = Counter(line["label"] for line in lines.claims(book))
    assert 0.4 < labels[True] / labels.total() < 0.6


@pytest.mark.parametrize("book", lines.paired())
def test_both_claims_of_a_pair_have_the_same_evidence(book: str) -> None:
    """Each pair has an id of its own, and a false claim that is of some kind and not the true one."""
    pairs = lines.pairs(book)
    assert len({pair["id"] for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert pair["true"] != pair["false"]
        assert pair["kind"] in drafts.FALSE_CLAIMS
        assert 0 < pair["evidence"][0]["length"] <= drafts.LONGEST_EVIDENCE
    claims = lines.pair_claims(book)
    assert len({claim["id"] for claim in claims}) == 2 * len(pairs)
    assert [claim["label"] for claim in claims] == [True, False] * len(pairs)


def test_no_book_that_judges_has_pairs() -> None:
    """Pairs train, and those on one book fit."""
    assert not {*lines.paired()} & {*JUDGING}
    assert lines.FITTING in lines.paired()


def test_the_books_that_only_judge_are_in_the_set() -> None:
    """All five, next to those that may train."""
    assert set(JUDGING) < set(BOOKS)


def test_twins_are_two_questions_about_one_place() -> None:
    """Ids are unique, and what measures is about other rows than what teaches."""
    splits = {split: lines.twins(split) for split in ("train", "dev")}
    every = splits["train"] + splits["dev"]
    assert len({line["id"] for line in every}) == len(every) > 1_000
    assert all(line["answered"].lower() != line["near"].lower() for line in every)
    assert all(("row" in line) != ("book" in line) for line in every)
    rows = [{line.get("row") for line in some} - {None} for some in splits.values()]
    assert rows[1]
    assert not rows[0] & rows[1]
    assert {line["book"] for line in splits["dev"] if "book" in line} <= {lines.FITTING}
    assert not {line.get("book") for line in splits["train"]} & {*JUDGING, lines.FITTING}


def test_follow_ups_are_kept_apart_by_what_was_asked_first() -> None:
    """Ids are unique, and no first question both teaches and measures."""
    splits = {split: lines.follow_ups(split) for split in ("train", "dev")}
    every = splits["train"] + splits["dev"]
    assert len({line["id"] for line in every}) == len(every) > 1_000
    asked_first = [{line["previous"].lower() for line in some} for some in splits.values()]
    assert asked_first[1]
    assert not asked_first[0] & asked_first[1]


def test_half_of_the_questions_to_fit_on_are_near_misses() -> None:
    """Each near miss was looked for in the book, and each other question says where it is answered."""
    asked = lines.questions(lines.FITTING)
    near = [line for line in asked if line["kind"] == "near_miss"]
    assert 0.45 < len(near) / len(asked) < 0.55
    assert all(line["checked"]["searched"] for line in near)
    assert all(bool(line["evidence"]) == (line["expect"] == "answer") for line in asked)
