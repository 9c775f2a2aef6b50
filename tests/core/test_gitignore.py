"""MkDocs' patterns for files to leave out, compared with the library that MkDocs asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec.gitignore import GitIgnoreSpec

from bookbound.source.gitignore import ignored_by

NAMES = st.sampled_from(["a", "b", "ab", "a.md", "b.md", ".x", "[a]", "a b"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PARTS = st.sampled_from(["a", "b", "a.md", "*.md", "*", "?", "[ab]", "[!a]b", ".*", "a b", r"\[a]"])
PATTERNS = st.builds(
    lambda negated, rooted, parts, folder: f"{negated}{rooted}{'/'.join(parts)}{folder}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(PARTS, min_size=1, max_size=3),
    st.sampled_from(["", "/"]),
)


@given(st.lists(PATTERNS, max_size=4), PATHS)
def test_the_same_files_are_left_out(patterns: list[str], path: str) -> None:
    """Wildcards, folders, roots, sets and negations, by the engine that the library holds to."""
    assert ignored_by(patterns)(path) == GitIgnoreSpec.from_lines(patterns, backend="simple").match_file(path)


@pytest.mark.parametrize("pattern", ["**", "/**", "**/a", "a/**", "a/**/b", "**/**/a", "a/**/**/b.md"])
@given(path=PATHS)
def test_any_folders_are_left_out_as_there(pattern: str, path: str) -> None:
    """Two stars are any folders, however often they follow each other."""
    assert ignored_by([pattern])(path) == GitIgnoreSpec.from_lines([pattern]).match_file(path)


def test_a_folder_that_is_taken_in_again_keeps_its_files_out_that_are_named() -> None:
    """The name of a file goes before that of its folder, as in the library."""
    assert ignored_by(["a", "!a/"])("a/a")
    assert not ignored_by(["a", "!a/"])("a/b")


@pytest.mark.parametrize("line", ["", "  ", "# a comment", "a" * 300])
def test_a_line_that_is_no_pattern_leaves_nothing_out(line: str) -> None:
    """Blank lines, comments, and what is too long to be a pattern."""
    assert not ignored_by([line])("a")
