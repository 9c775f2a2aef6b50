from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.errors import PolicyError
from bookbound.policy.book_policy import DEFAULT, Policy, ScopeRule, Thresholds
from bookbound.policy.policy_file import MAX_BYTES, load

ROOT = Path(__file__).parents[2]

WHOLE = r"""
title: Soups of the World
language: en-GB
covered_subjects: [Stock, Bouillon]
out_of_scope:
  - topic: baking
    patterns:
      - '\bbread\b'
      - '\bcakes?\b'
thresholds:
  empty: 0.4
  sufficient: 0.8
  blend: 0.5
  semantic_weight: 0.7
  lexical_weight: 0.3
  min_chunks: 1
  max_chunks: 4
weak_evidence: refuse
glossary:
  MSG: monosodium glutamate
aliases:
  stock: [broth, fond]
canary_questions:
  answer:
    - What is stock?
  refuse:
    - How is bread baked?
exclude: [drafts/**]
site: mkdocs
base_url: /soups/
route_base_path: book
"""


def test_every_key_reaches_the_policy() -> None:
    """A file that states everything leaves nothing to the defaults."""
    assert load(WHOLE) == Policy(
        title="Soups of the World",
        covered_subjects=("Stock", "Bouillon"),
        out_of_scope=(ScopeRule("baking", (r"\bbread\b", r"\bcakes?\b")),),
        language="en-GB",
        thresholds=Thresholds(0.4, 0.8, 0.5, 0.7, 0.3, 1, 4),
        weak_evidence="refuse",
        glossary={"MSG": "monosodium glutamate"},
        aliases={"stock": ("broth", "fond")},
        canary_answer=("What is stock?",),
        canary_refuse=("How is bread baked?",),
        exclude=("drafts/**",),
        site="mkdocs",
        base_url="/soups/",
        route_base_path="book",
    )


@pytest.mark.rule("G4")
@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}", "---\n"])
def test_a_file_that_states_nothing_is_the_default_policy(text: str) -> None:
    """Missing keys take the defaults, out-of-scope patterns included."""
    assert load(text) == DEFAULT


@pytest.mark.rule("G10")
def test_the_default_policy_covers_the_six_subjects() -> None:
    """A book that brings no policy is spoken of as the course that the default was written for."""
    assert DEFAULT.title == "Physical AI & Humanoid Robotics"
    assert DEFAULT.covered_subjects == (
        "Physical AI Foundations",
        "ROS 2 Fundamentals",
        "Simulation & Digital Twin",
        "NVIDIA Isaac Ecosystem",
        "Vision-Language-Action Systems",
        "Integrated Humanoid Capstone",
    )


@pytest.mark.rule("G1", "G2", "G6", "G7", "R1", "R2")
def test_the_default_thresholds_are_the_locked_ones() -> None:
    """0.5 and 0.7 on the ladder, 0.60 on the blend of 85 to 15, two passages wanted and five at most."""
    assert Thresholds() == Thresholds(
        empty=0.5,
        sufficient=0.7,
        blend=0.60,
        semantic_weight=0.85,
        lexical_weight=0.15,
        min_chunks=2,
        max_chunks=5,
    )


MISTAKES = {
    "a misspelt key": ("title: A\ncoverd_subjects: []", 2, "did you mean 'covered_subjects'?"),
    "an unknown key": ("zzz: 1", 1, "the keys are title, language"),
    "a misspelt inner key": ("thresholds:\n  emty: 0.4", 2, "did you mean 'empty'?"),
    "a duplicate key": ("title: A\nlanguage: en\ntitle: B", 3, "first in line 1"),
    "a duplicate term": ("glossary:\n  IMU: a\n  IMU: b", 3, "'IMU' stands here twice"),
    "a number for text": ("title: 2024", 1, "expected text"),
    "yes for a term": ("glossary:\n  NO: nitric oxide", 2, "needs quotes"),
    "a list for text": ("title:\n  - A", 2, "found a list"),
    "a mapping for text": ("title:\n  a: b", 2, "found a mapping"),
    "text for a list": ("exclude: quiz/**", 1, "expected a list, found quiz/**"),
    "nothing for a list": ("title: A\nexclude:\n", 2, "expected a list, found nothing"),
    "a list for the file": ("- title", 1, "expected a mapping"),
    "empty text": ("title: ''", 1, "found nothing"),
    "a threshold above 1": ("thresholds:\n  empty: 0.1\n  blend: 60", 3, "from 0 to 1, found 60"),
    "a threshold below 0": ("thresholds: {empty: -0.1}", 1, "from 0 to 1"),
    "a threshold that is no number": ("thresholds: {empty: .nan}", 1, "from 0 to 1"),
    "a threshold in words": ("thresholds: {empty: half}", 1, "from 0 to 1, found half"),
    "six passages": ("thresholds: {max_chunks: 6}", 1, "from 1 to 5, found 6"),
    "half a passage": ("thresholds: {min_chunks: 1.5}", 1, "whole number"),
    "a ladder upside down": ("thresholds: {empty: 0.8}", 1, "empty (0.8) is above sufficient (0.7)"),
    "more wanted than allowed": (
        "thresholds: {min_chunks: 4, max_chunks: 3}",
        1,
        "above max_chunks",
    ),
    "weights that don't add up": ("thresholds: {lexical_weight: 0.5}", 1, "add up to 1"),
    "an unknown choice": ("weak_evidence: maybe", 1, "expected answer or refuse"),
    "no language code": ("language: English", 1, "a language code"),
    "a site of an unknown kind": ("site: hugo", 1, "expected docusaurus or mkdocs or markdown"),
    "a base URL with a host": ("base_url: https://example.org/", 1, "begins and ends with a slash"),
    "a route with a space": ("route_base_path: my docs", 1, "without spaces"),
    "a rule without patterns": ("out_of_scope:\n  - topic: baking", 2, "needs 'patterns'"),
    "a rule without a topic": ("out_of_scope:\n  - patterns: [bread]", 2, "needs 'topic'"),
    "a broken pattern": ("out_of_scope:\n- topic: a\n  patterns:\n  - '('", 4, "missing )"),
    "a backreference": ("out_of_scope:\n- topic: a\n  patterns:\n  - '(a)\\1'", 4, "no backreferences"),
    "lookaround": ("out_of_scope:\n- topic: a\n  patterns:\n  - 'a(?=b)'", 4, "no lookaround"),
    "a pattern for everything": ("out_of_scope:\n- topic: a\n  patterns: ['x*']", 3, "every question"),
    "a tab": ("title: A\nthresholds:\n\tempty: 0.4", 3, "a tab"),
    "an open bracket": ("title: A\nexclude: [a,\n", 3, "not valid YAML"),
    "two colons": ("title: A: B", 1, "not valid YAML"),
    "two documents": ("title: A\n---\ntitle: B", 2, "single document"),
    "an alias": ("title: &t A\nexclude: [*t]", 2, "aliases (*t) are not allowed"),
    "an alias cycle": ("exclude: &e\n  - *e", 2, "aliases (*e) are not allowed"),
    "endless depth": ("title: A\nexclude: " + "[" * 100_000, 2, "nested too deeply"),
    "a tag that builds objects": ("title: !!python/name:os.system x", 1, "expected text"),
    "a NUL": ("title: A\nlanguage: \x00", 2, "U+0000"),
    "an escaped NUL": ('title: A\nexclude: ["\\0"]', 2, "control character"),
    "half a character": ('title: "\\uD800"', 1, "half a character"),
    "an escape beyond Unicode": ('title: A\nlanguage: "\\UFFFFFFFF"', 2, "names no character"),
    "a huge file": ("# " + "x" * MAX_BYTES, 1, "larger than 256 KiB"),
}


@pytest.mark.parametrize(("text", "line", "detail"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_with_file_and_line(text: str, line: int, detail: str) -> None:
    """An author reads which file, which line, and what to do."""
    with pytest.raises(PolicyError, match=rf"^my\.yaml:{line}: .*{re.escape(detail)}"):
        load(text, "my.yaml")


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\t\n:-[]{}&*!'\"\\%#|>?,U"), max_size=80))
def test_any_text_is_a_policy_or_a_policy_error(text: str) -> None:
    """Bad input is an error of ours, never a traceback from within."""
    try:
        assert isinstance(load(text), Policy)
    except PolicyError as error:
        assert re.match(r"bookbound\.yaml:\d+: ", str(error))


def test_the_sample_book_has_a_policy() -> None:
    """The book that ships with the project shows what an author writes."""
    policy = load((ROOT / "sample_book" / "bookbound.yaml").read_text(encoding="utf-8"))
    assert policy.title == DEFAULT.title
    assert policy.covered_subjects == DEFAULT.covered_subjects
    assert policy.exclude == ("quiz/**",)
    assert policy.canary_answer
    assert policy.canary_refuse


def test_every_example_for_authors_is_valid() -> None:
    """Examples in docs/policy.md can be copied unchanged."""
    shown = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", shown, re.DOTALL)
    assert examples
    assert [example for example in examples if load(example) == DEFAULT] == []


def test_every_key_is_explained_to_authors() -> None:
    """docs/policy.md names each key that a file may hold."""
    explained = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    keys = re.findall(r"^(\w+):", WHOLE, re.MULTILINE)
    assert [key for key in keys if f"`{key}`" not in explained] == []
