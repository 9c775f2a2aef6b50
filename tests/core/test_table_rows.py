"""An answer's note on the table rows that it leaves out (T2), and the names of tables (T1, T3)."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from bookbound.answer.citations import cite
from bookbound.answer.table_rows import name, notice, shown_tables
from bookbound.index.chunking import ChunkSizes, chunk_page
from bookbound.model import AnswerSentence, Evidence, Passage, PassageKind
from bookbound.policy.book_policy import DEFAULT
from bookbound.source.book_reader import read_book
from bookbound.source.pages import SourceFile
from testing.builders import evidence

PARTS = [f"part {n} | {n} kg" for n in range(1, 15)]
"""Rows as a reader sees them."""

CSV = SourceFile("arms/parts.csv", b"part,mass\n" + "\n".join(PARTS).replace(" | ", ",").encode())


def page(markdown: str) -> SourceFile:
    return SourceFile("arms/index.md", markdown.encode())


def workbook(**sheets: list[str]) -> bytes:
    made, stream = Workbook(), io.BytesIO()
    made.remove(made.worksheets[0])
    for title, parts in sheets.items():
        sheet = made.create_sheet(title)
        for row in (["part", "mass"], *([part, 1] for part in parts)):
            sheet.append(row)
    made.save(stream)
    return stream.getvalue()


def tables(*files: SourceFile, target: int = 512) -> list[Passage]:
    """The table passages of a book of these files, at most `target` words each."""
    sizes = ChunkSizes(target=target, minimum=target // 2)
    book = read_book(files, DEFAULT, book_id="book")
    passages = (
        passage
        for found in book.pages
        for passage in chunk_page(
            found, sizes=sizes, count_tokens=lambda text: len(text.split()), book_id="b"
        )
    )
    return [passage for passage in passages if passage.kind is PassageKind.TABLE]


def said(texts: Sequence[str], given: Evidence) -> list[AnswerSentence]:
    """Sentences, each of which cites every source."""
    return [AnswerSentence(text, tuple(cite(text, exhibit) for exhibit in given.exhibits)) for text in texts]


def told(question: str, texts: Sequence[str], *passages: Passage) -> str | None:
    given = evidence(*passages)
    return notice(question, said(texts, given), given)


@pytest.mark.rule("T2")
def test_a_list_of_some_rows_says_how_many_there_are() -> None:
    """Total, shown and left out, under the file's name; caption and header are no rows."""
    texts = ["part | mass", *PARTS[:6]]
    assert told("List the parts.", texts, *tables(CSV)) == "parts.csv has 14 rows: 6 shown, 8 left out."


@pytest.mark.rule("T2")
def test_rows_count_over_all_parts_of_a_long_table() -> None:
    """The total is the whole table's, no matter which of its passages the answer was given."""
    first, *_, last = tables(CSV, target=20)
    texts = [PARTS[0], PARTS[1], PARTS[13]]
    assert told("List them.", texts, first, last) == "parts.csv has 14 rows: 3 shown, 11 left out."


@pytest.mark.rule("T2")
@given(st.sets(st.sampled_from(PARTS)), st.sampled_from([20, 40, 512]))
def test_shown_and_left_out_add_up_to_the_total(rows: set[str], target: int) -> None:
    """This holds for any cut of the table and any rows shown."""
    given = evidence(*tables(CSV, target=target))
    found = [
        (table.total, table.shown, table.left_out) for table in shown_tables(said(sorted(rows), given), given)
    ]
    assert found == ([(14, len(rows), 14 - len(rows))] if rows else [])


@pytest.mark.rule("T2")
@pytest.mark.parametrize(
    ("question", "shown", "expected"),
    [
        ("What is the mass of part 1?", 1, False),
        ("Which part weighs 1 kg?", 1, False),
        ("What are the parts?", 1, True),
        ("Which parts are there?", 1, True),
        ("Which of the parts are heavy?", 1, True),
        ("How many parts weigh 1 kg?", 1, True),
        ("What is the mass of part 1?", 2, True),
        ("List all parts.", 14, False),
        ("List all parts.", 0, False),
    ],
)
def test_it_is_told_only_of_an_answer_that_lists(question: str, shown: int, expected: bool) -> None:
    """One row for a question after one thing lacks nothing, and neither does the whole table."""
    assert (told(question, PARTS[:shown], *tables(CSV)) is not None) == expected


@pytest.mark.rule("T2")
def test_what_is_no_literal_row_shows_no_row() -> None:
    """A generator's own sentence about a row is none; a row in other white space is."""
    given = evidence(*tables(CSV))
    sentences = said(["Part 1 weighs 1 kg.", "part 2 |\n 2 kg", "part 3"], given)
    assert [table.shown for table in shown_tables(sentences, given)] == [1]


@pytest.mark.rule("T2")
def test_a_row_that_is_not_cited_is_not_shown() -> None:
    """The same words from another source are not this table's row."""
    own, other = tables(CSV, page("# Arms\n\n| part | mass |\n|---|---|\n| part 1 | 1 kg |\n"))
    given = evidence(own, other)
    sentence = AnswerSentence("part 1 | 1 kg", (cite("part 1 | 1 kg", given.exhibits[0]),))
    assert [table.name for table in shown_tables([sentence], given)] == [name(own)]


@pytest.mark.rule("T2")
def test_rows_of_the_same_text_are_as_many_as_are_said() -> None:
    """One sentence shows one of them."""
    found = tables(SourceFile("m.csv", b"part,mass\narm,2\narm,2\nleg,3\n"))
    assert told("List all.", ["arm | 2"], *found) == "m.csv has 3 rows: 1 shown, 2 left out."
    assert told("List all.", ["arm | 2", "arm | 2"], *found) == "m.csv has 3 rows: 2 shown, 1 left out."


@pytest.mark.rule("T2")
def test_each_table_is_told_of_by_itself() -> None:
    """In the order in which the answer comes to them; a whole one is not told of."""
    markdown = (
        "# Arms\n\n## Screws\n\n| size | torque |\n|---|---|\n| M3 | 1 Nm |\n| M4 | 2 Nm |\n\n"
        "**Joints**\n\n| joint | range |\n|---|---|\n| elbow | 90 |\n| wrist | 45 |\n\n"
        "## Colours\n\n| | |\n|---|---|\n| arm | red |\n| leg | blue |\n| head | white |\n"
    )
    texts = ["arm | red", "leg | blue", "elbow | 90", "M3 | 1 Nm", "M4 | 2 Nm"]
    assert told("List all.", texts, *tables(page(markdown))) == (
        "Colours has 3 rows: 2 shown, 1 left out. Joints has 2 rows: 1 shown, 1 left out."
    )


@pytest.mark.rule("T3")
def test_a_table_file_is_cited_by_its_file_name() -> None:
    """The file name is in the citation of a row and in the note on the rows."""
    (found,) = tables(CSV)
    citation = cite("part 2 | 2 kg", evidence(found).exhibits[0])
    assert (found.document, citation.section, name(found)) == ("arms/parts.csv", "parts.csv", "parts.csv")


@pytest.mark.rule("T3")
def test_a_sheet_is_named_after_its_workbook() -> None:
    """Two sheets of one file are two tables."""
    found = tables(SourceFile("arms/parts.xlsx", workbook(Arms=["elbow", "wrist"], Legs=["knee"])))
    assert [name(passage) for passage in found] == ["parts.xlsx (Arms)", "parts.xlsx (Legs)"]
    assert [passage.rows_total for passage in found] == [2, 1]
