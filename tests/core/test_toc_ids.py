"""Heading ids of MkDocs, compared with the functions of Python-Markdown and PyMdown that make them (I3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown.extensions import toc
from pymdownx import slugs

from bookbound.source.toc_ids import (
    RESERVED,
    TocIds,
    TocRules,
    ascii_slug,
    pymdownx_slug,
    read_attributes,
    unicode_slug,
)

SEPARATORS = st.sampled_from("-_")


def ids(*texts: str, taken: tuple[str, ...] = ()) -> list[str | None]:
    """The ids of headings without one of their author's."""
    found = TocIds(TocRules(), (), {RESERVED: taken})
    return [found.slug(text) for text in texts]


@pytest.mark.rule("I3")
@given(st.text(), SEPARATORS)
def test_slugs_are_those_of_python_markdown(text: str, separator: str) -> None:
    """For any text, in ASCII and in Unicode."""
    assert ascii_slug(text, separator) == toc.slugify(text, separator)
    assert unicode_slug(text, separator) == toc.slugify_unicode(text, separator)


@given(
    st.text(),
    SEPARATORS,
    st.fixed_dictionaries(
        {},
        optional={
            "case": st.sampled_from(["none", "lower", "lower-ascii", "fold"]),
            "percent_encode": st.booleans(),
            "normalize": st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]),
        },
    ),
)
def test_slugs_are_those_of_pymdown(text: str, separator: str, options: dict[str, object]) -> None:
    """For any text and options."""
    assert pymdownx_slug(options)(text, separator) == slugs.slugify(**options)(text, separator)


@pytest.mark.rule("C3")
@given(
    st.lists(st.sampled_from(["a", "A", "a 1", "a_1", "a_2", "b", "", "!", "_1", "_"]), max_size=12),
    st.sets(st.sampled_from(["a", "a_1", "a_3", "b", "_1"])),
)
def test_repeated_ids_are_counted_as_python_markdown_counts(texts: list[str], taken: set[str]) -> None:
    """However headings repeat each other, ids that end in a number and ids of authors included."""
    used, counters = set(taken), {}
    expected = [toc.unique(toc.slugify(text, "-"), used, counters) for text in texts]
    assert ids(*texts, taken=tuple(taken)) == expected


def test_many_headings_of_one_name_are_counted_in_linear_time() -> None:
    """The next number is not looked for from the first one on."""
    assert ids(*["x"] * 50_000)[-1] == "x_49999"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Title {#own}", ("Title", "own")),
        ("Title ## { #own .big }", ("Title", "own")),
        ("Title {: #own data-toc-label='Short' }  ", ("Title", "own")),
        ("Title { id='own' }", ("Title", "own")),
        ("Title {#first #last}", ("Title", "last")),
        ("Title {.big}", ("Title", None)),
        ("Title{#own}", ("Title{#own}", None)),
        ("Title {a} and {#own}", ("Title {a} and {#own}", None)),
        ("Title {#own} more", ("Title {#own} more", None)),
        ("Title {}", ("Title {}", None)),
    ],
)
def test_attributes_come_off_the_end_of_a_heading(source: str, expected: tuple[str, str | None]) -> None:
    """As the extension attr_list reads them."""
    assert TocIds(TocRules(attributes=True), (), {}).split(source) == expected


def test_attributes_are_text_where_the_site_does_not_read_them() -> None:
    """A site that does not name the extension shows the braces."""
    assert TocIds(TocRules(), (), {}).split("Title {#own}") == ("Title {#own}", None)


def test_an_authors_id_further_down_is_taken_already() -> None:
    """An id of an author is never given to another heading, wherever it stands."""
    found = TocIds(TocRules(attributes=True), ["Setup", "Other {#setup}"], {})
    assert found.slug("Setup") == "setup_1"


def test_a_function_that_is_not_known_gives_no_id() -> None:
    """A citation then leads to the page, not to a place that may not exist."""
    assert TocIds(TocRules(slugify=None), (), {}).slug("Setup") is None


def test_what_is_no_list_of_attributes_has_no_id() -> None:
    """A brace too many makes it text."""
    assert read_attributes("a} and {#own") is None
