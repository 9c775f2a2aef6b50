"""HTML tables in Markdown: read like Markdown's own (T1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.source.html_tables import read
from bookbound.source.markdown import ParsedPage, parse_page

SPANS = """\
<table>
  <caption>Table 1: **Prices**</caption>
  <thead>
    <tr><th rowspan="2">Part</th><th colSpan={2}>Cost</th></tr>
    <tr><th>net</th><th>gross</th></tr>
  </thead>
  <tr><td>Lidar <code>L1</code></td><td>10&nbsp;EUR</td><td>12<br/>EUR</td></tr>
  <tr><td rowSpan="2">Camera</td><td>5</td><td>6</td></tr>
  <tr><td>7</td><td>8</td></tr>
</table>
"""


def page(source: str) -> ParsedPage:
    """The page of that source."""
    return parse_page(source, title="Parts", fallback_title="Parts")


@pytest.mark.rule("T1")
def test_a_table_of_html_is_a_table() -> None:
    """Caption, header and rows; cells that span several places stand in each; inline markup is gone."""
    [found] = page(f"Before.\n\n{SPANS}\nAfter.\n").tables
    assert found.caption == "Table 1: Prices"
    assert found.header == ("Part", "Cost net", "Cost gross")
    assert found.rows == (("Lidar L1", "10 EUR", "12 EUR"), ("Camera", "5", "6"), ("Camera", "7", "8"))


def test_text_around_a_table_stays() -> None:
    """The cells are in the table alone, not in the running text too."""
    texts = [piece.text for piece in page(f"Before.\n\n<div>\n{SPANS}</div>\n\nAfter.\n").pieces]
    assert texts == ["Before.", "After."]


@pytest.mark.parametrize(
    "source",
    ["<table>", "<table><tr></tr></table>", "<table><tr><td>never closed", "Use the tag <table> in a page."],
)
def test_what_is_no_whole_table_is_none(source: str) -> None:
    """Nothing raises, and no table is made up."""
    assert page(f"Text.\n\n{source}\n").tables == ()


def test_a_table_without_header_cells_has_no_header() -> None:
    """Its rows are all data."""
    found = read("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>")
    assert found and (found.header, found.rows) == ((), (("a", "b"), ("c", "d")))


@given(st.text(alphabet='<>/tabler dh="{}2 \n', max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """A page of broken tags is read to its end."""
    page(f"<table>{text}</table>")
