import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.evaluation.book import read
from bookbound.evaluation.literal import is_literal, searchable

PAGE = """---
title: Nodes
---
import Callout from './Callout';

# Nodes & Topics {#nodes}

A **node** is a [process](../process.md) that `computes`; it isn’t &quot;magic&quot;.

:::tip Note
Mind the <Callout kind="warn" title="Look out">gap</Callout>. {/* not shown */}
:::

1. Start the node.
2. Publish on a *topic*.

![diagram](x.png)

| Rate | Unit |
| --- | --- |
| 30 | Hz |

```python title="node.py"
x = a[0]  # <!-- kept -->
```
"""


def literal(excerpt, page=PAGE):
    return is_literal(excerpt, [searchable(page)])


def test_a_list_within_a_list_may_lose_its_bullets_and_keep_its_numbers():
    """A reader sees it this way."""
    page = "1. Start the node:\n   - gently\n   - at 30 Hz\n2. Publish."
    assert literal("1. Start the node: gently at 30 Hz 2. Publish.", page)


@pytest.mark.parametrize(
    "excerpt",
    [
        'A node is a process that computes; it isn\'t "magic".',
        "A **node** is a [process](../process.md)",
        "A node … it isn't",
        "… that\n  computes; …",
        "Mind the … gap.",
        "Look out",
        "Start the node. Publish on a topic.",
        "1. Start the node.",
        "2. Publish on a topic. Rate | Unit 30 | Hz",
        "Nodes & Topics A node is",
        "x = a[0]  # <!-- kept -->",
        "30 | Hz x = a[0]",
    ],
)
def test_the_books_own_words_are_literal_however_they_are_marked(excerpt):
    """Marks, tags, links, quotes, list marks and white space do not count."""
    assert literal(excerpt)


@pytest.mark.parametrize(
    "excerpt",
    [
        "A node is a thread",
        "not shown",
        "node is A",
        "a node is a process",
        "warn",
        "30 Hz … 40 Hz",
        "…",
        "",
        "diagram",
    ],
)
def test_other_words_are_not(excerpt):
    """A changed word, order or case, or nothing at all, is no quotation."""
    assert not literal(excerpt)


def test_every_piece_must_stand_on_the_same_page():
    """A cut does not join two pages."""
    pages = [searchable("first part"), searchable("second part")]
    assert not is_literal("first part … second part", pages)


def test_the_rows_of_table_files_are_literal_text(tmp_path):
    """A row reads as its cells in order, with any quoting in the file."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "sensors.csv").write_text('name;range\nlidar;"10 m, ""long"""\n')
    (tmp_path / "broken.xlsx").write_bytes(b"no workbook")
    text = read(tmp_path)
    assert list(text) == ["tables/sensors.csv"]
    assert literal('lidar | 10 m, "long"', text["tables/sensors.csv"])


@pytest.mark.parametrize("delimiters", ["|---|---|", "|-|:-:|", "--|--", "| :-- | --: |"])
def test_the_row_under_a_header_is_no_text(delimiters):
    """However short its dashes are, a reader of the table does not see them."""
    raw = f"| Part | Mass |\n{delimiters}\n| Shin | 900 g |\n"
    assert is_literal("Part | Mass\nShin | 900 g", [searchable(raw)])


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=3, max_size=20), st.data())
def test_any_run_of_words_of_a_page_is_literal(words, data):
    """Cutting words out of plain text never makes it less the book's."""
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    assert literal(" ".join(words[start:end]), page="\n".join(words))
