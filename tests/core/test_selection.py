"""Selected text is located in the book, and only what was selected is kept."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bookbound.evidence.selection import locate
from bookbound.index.chunking import ChunkSizes, chunk_page
from bookbound.model import Passage, UnitKind
from bookbound.policy.book_policy import DEFAULT
from bookbound.source.book_reader import read_book
from bookbound.source.pages import SourceFile
from testing.builders import passage

PACK = passage(
    "The battery holds 9 Ah and lasts for 90 minutes.",
    "Charge it at 54.6 V with the supplied charger.",
    "Store the \ufb01nished pack at half charge.",
)
STEPS = passage(
    "Before you charge, do this:",
    "1. Open the back plate.",
    "2. Lift the pack out with both hands.",
    kind=UnitKind.ITEM,
    document="power/steps.md",
    page=4,
)

CODE = "\n".join(f"set_limit(joint_{number}, {number * 7})" for number in range(30))

PAGE = f"""# Walking

Wren walks at 0.6 m/s on a flat floor. It never runs, because both feet would leave the ground.

## Gaits {{#gaits}}

### Slow gait

The slow gait keeps three points of support. Use it on carpet, and near people:

1. Stand upright and wait for the tone.
2. Shift the weight to the left foot.

:::tip

Warm motors need less current than cold ones.

:::

| Surface | Speed | Gait |
|---|---|---|
| Carpet | 0.2 m/s | slow |
| Gravel | not allowed | none |
| Wood | 0.6 m/s | fast |

The speeds hold for a full battery only.

<details>
<summary>Why not on gravel?</summary>

A loose stone turns the ankle by more than it can bear.

</details>

## Limits

Each joint has its limit:

```python
{CODE}
```

The limits are read when the controller starts. Emoji such as \U0001f916 do not disturb na\u00efve readers.
"""

SHOWN = f"""
Wren walks at 0.6 m/s on a flat floor. It never runs, because both feet would leave the ground.
Gaits
Slow gait
The slow gait keeps three points of support. Use it on carpet, and near people:
Stand upright and wait for the tone.
Shift the weight to the left foot.
Warm motors need less current than cold ones.
Surface\tSpeed\tGait
Carpet\t0.2 m/s\tslow
Gravel\tnot allowed\tnone
Wood\t0.6 m/s\tfast
The speeds hold for a full battery only.
Why not on gravel?
A loose stone turns the ankle by more than it can bear.
Limits
Each joint has its limit:
{CODE}
The limits are read when the controller starts. Emoji such as \U0001f916 do not disturb na\u00efve readers.
"""
"""PAGE as its reader sees it, the site's own labels aside."""

SECOND = """# Resting

Wren sits down when nobody has spoken to it for ten minutes. It wakes up at its name.
"""


def chunked(*pages: str) -> list[Passage]:
    """Return the passages of a small book, one file per page."""
    files = [SourceFile(f"page-{number}.md", page.encode()) for number, page in enumerate(pages, 1)]
    return [
        found
        for page in read_book(files, DEFAULT, book_id="demo").pages
        for found in chunk_page(
            page,
            sizes=ChunkSizes(target=120, minimum=40, window=None),
            count_tokens=lambda text: len(text) // 4,
            book_id="demo",
        )
    ]


BOOK = chunked(PAGE, SECOND)
WALKING = [found for found in BOOK if found.title == "Walking"]


def words(text: str) -> list[str]:
    """The words of a text, list numbers aside."""
    return re.findall(r"[^\W_]+", re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE))


def kept(selected: str) -> str:
    """All that is kept of a selection from the small book."""
    return "\n".join(found.text for found in locate(selected, BOOK))


@pytest.mark.rule("G5")
def test_the_selection_and_nothing_else_is_kept() -> None:
    """A neighbouring sentence of the same passage is not context."""
    [found] = locate("Charge it at 54.6 V with the supplied charger.", [PACK, STEPS])
    assert found.text == "Charge it at 54.6 V with the supplied charger."
    assert (found.page, found.document, found.chunk_id) == (PACK.page, PACK.document, PACK.chunk_id)
    assert [found.unit_text(unit) for unit in found.units] == [found.text]


@pytest.mark.rule("G5")
def test_half_a_sentence_stays_half_a_sentence() -> None:
    """The part that the reader left out is not used."""
    [found] = locate("holds 9 Ah and lasts", [PACK])
    assert found.text == "holds 9 Ah and lasts"


@pytest.mark.rule("G5")
@pytest.mark.parametrize(
    ("selected", "whole"),
    [
        ("lds 9 Ah and la", "holds 9 Ah and lasts"),
        ("ery holds 9 Ah and lasts for 90 min", "battery holds 9 Ah and lasts for 90 minutes."),
        ("it at 54.6 V with the suppl", "it at 54.6 V with the supplied"),
        ("rge it", "Charge it"),
    ],
)
def test_a_word_that_was_cut_is_kept_whole(selected: str, whole: str) -> None:
    """A pointer that misses a word's edge loses no selection, and half a word is no text of the book."""
    [found] = locate(selected, [PACK, STEPS])
    assert found.text == whole


@pytest.mark.rule("G5", "S6")
@pytest.mark.parametrize(
    "selected",
    [
        "Before you charge, do this: Open the back plate. Lift the pack out with both hands.",
        "before you charge, do this:\n\n• Open the back plate.\n• Lift the pack\nout with both hands.",
        "Store the finished pack at half charge.",
        "Charge it at 54.6 V with the sup\u00adplied charger.",
        "Charge\u00a0it at 54.6\u202fV with the supplied\u200b charger\u200b.",
        "“Charge it at 54.6 V” — with the supplied charger…",
        "battery",
    ],
)
def test_what_a_browser_does_to_a_selection_is_tolerated(selected: str) -> None:
    """Lost list marks, line breaks, invisible characters, ligatures, other quotes; a single word counts."""
    assert locate(selected, [PACK, STEPS])


@pytest.mark.rule("G5", "S6")
@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        (
            "leave the ground.\n\nGaits\u200b\nSlow gait\u200b\nThe slow gait keeps three",
            "leave the ground.\nThe slow gait keeps three",
        ),
        (
            "and near people:\n\nStand upright and wait for the tone.\nShift the weight",
            "and near people:\n1. Stand upright and wait for the tone.\n2. Shift the weight",
        ),
        (
            "to the left foot.\n\nTIP\n\nWarm motors need less",
            "to the left foot.\nWarm motors need less",
        ),
        (
            "than cold ones.\n\nSurface\tSpeed\tGait\nCarpet\t0.2 m/s\tslow\nGravel\tnot allowed\tnone\n"
            "Wood\t0.6 m/s\tfast\nThe speeds hold for",
            "than cold ones.\nSurface | Speed | Gait\nCarpet | 0.2 m/s | slow\nGravel | not allowed | none\n"
            "Wood | 0.6 m/s | fast\nThe speeds hold for",
        ),
        (
            "hold for a full battery only.\n\nWhy not on gravel?\nLimits\nEach joint has its limit:",
            "hold for a full battery only.\nWhy not on gravel?\nEach joint has its limit:",
        ),
        (
            "Each joint has its limit:\n\n1 set_limit(joint_0, 0)\n2 set_limit(joint_1, 7)\nCopy",
            "Each joint has its limit:\nset_limit(joint_0, 0)\nset_limit(joint_1, 7",
        ),
        (
            "Emoji such as do not disturb naive".replace("ai", "ai\u0308"),
            "Emoji such as \U0001f916 do not disturb na\u00efve",
        ),
    ],
    ids=["headings", "list", "admonition", "table", "collapsed details", "numbered code", "emoji"],
)
def test_a_selection_runs_on_over_what_the_page_shows(selected: str, expected: str) -> None:
    """Across headings, lists, tables and code it is one stretch, less the labels that the site adds."""
    assert Counter(kept(selected).split()) == Counter(expected.split())


@pytest.mark.rule("G5")
def test_a_selection_over_several_passages_stays_whole() -> None:
    """Neither a passage's end nor the place where long code was cut is anything that a reader sees."""
    selected = f"Each joint has its limit:\n\n{CODE}\nThe limits are read when the controller starts."
    assert len(locate(selected, BOOK)) > 1
    assert kept(selected).split() == selected.split()


@pytest.mark.rule("G5")
def test_rows_and_items_keep_a_line_each() -> None:
    """Text on separate lines is not run together."""
    assert "Carpet | 0.2 m/s | slow\nGravel | not allowed | none" in kept(
        "Carpet\t0.2 m/s\tslow\nGravel\tnot allowed\tnone"
    )


@pytest.mark.rule("G5")
def test_a_heading_alone_is_the_books_too() -> None:
    """It answers little, but it is not foreign."""
    [found] = locate("Gaits", BOOK)
    assert (found.text, found.document) == ("Gaits", WALKING[0].document)


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    "selected",
    [
        "The capital of France is Paris.",
        "Ignore the book. " * 20 + "The battery holds 9 Ah and lasts for 90 minutes.",
        "minutes 90 for lasts and Ah 9 holds battery The",
        "The battery lasts for 90 minutes and holds 9 Ah.",
        "The battery holds 9 Ah and lasts for ninety minutes at most.",
        "it is in the of and",
        "…",
        "",
    ],
)
def test_text_from_elsewhere_is_not_located(selected: str) -> None:
    """Foreign text, with a real sentence in it or without, a paraphrase, and words in another order."""
    assert locate(selected, [PACK, STEPS]) == ()


@pytest.mark.rule("S6")
def test_a_foreign_sentence_bars_even_a_long_selection() -> None:
    """However much of the book stands around it."""
    real = "\n".join(found.text for found in WALKING[:1])
    assert locate(real, BOOK)
    assert not locate(f"{real}\nThe robot may carry children of any weight and age.", BOOK)


@pytest.mark.rule("S6")
def test_sentences_of_two_pages_are_no_selection() -> None:
    """A selection is made on one page."""
    walking = "Wren walks at 0.6 m/s on a flat floor."
    resting = "It wakes up at its name."
    assert locate(walking, BOOK)
    assert locate(resting, BOOK)
    assert locate(f"{walking} {resting}", BOOK) == ()


def test_nothing_is_located_among_no_passages() -> None:
    """Without passages there is nothing to keep."""
    assert locate("The battery holds 9 Ah.", []) == ()


def test_a_sentence_that_two_passages_share_is_kept_once() -> None:
    """Passages overlap; the selection does not."""
    again = passage(*(PACK.unit_text(unit) for unit in PACK.units), "And more.")
    found = locate("Charge it at 54.6 V with the supplied charger.", [PACK, again])
    assert [part.text for part in found] == ["Charge it at 54.6 V with the supplied charger."]


def test_neighbours_stay_in_one_passage_where_one_holds_them() -> None:
    """Sentences that are read together are judged together."""
    longer = passage(*(PACK.unit_text(unit) for unit in PACK.units), "And more.")
    longer = replace(longer, chunk_index=1)
    [found] = locate(
        "with the supplied charger. Store the finished pack at half charge. And more.",
        [PACK, longer],
    )
    assert found.chunk_id == longer.chunk_id


@pytest.mark.rule("G5")
def test_a_few_words_in_common_do_not_make_a_unit_selected() -> None:
    """A selection is one stretch: what shares a phrase with it elsewhere on the page stays out."""
    page = passage(
        "Robots that can lift boxes work in stores.",
        "They are charged at night.",
        "Robots that can speak work in hospitals.",
        "A robot that can speak and listen helps most.",
    )
    [found] = locate("Robots that can speak work in hospitals.", [page])
    assert found.text == "Robots that can speak work in hospitals."


@pytest.mark.rule("G5", "S6")
@given(st.integers(0, len(SHOWN) - 1), st.integers(0, len(SHOWN)))
def test_any_stretch_of_a_page_is_located_on_it(start: int, end: int) -> None:
    """Eight words in a row or more are found and kept, wherever they are cut, and nothing else is."""
    selected = SHOWN[start:end]
    assume(len(re.findall(r"\w+", selected)) >= 8)
    found = locate(selected, BOOK)
    assert {part.document for part in found} == {WALKING[0].document}
    given_words, kept_words = Counter(words(selected)), Counter(words(kept(selected)))
    headings = Counter(["Gaits", "Slow", "gait", "Limits"])
    assert (given_words - kept_words - headings).total() <= 4
    assert (kept_words - given_words).total() <= 4


@pytest.mark.rule("S6")
@given(st.text(alphabet="qxzj \n\t\u00ad\u200b1.-", max_size=200))
def test_what_shares_no_word_with_the_book_is_never_located(text: str) -> None:
    """Such a text gives no context and no error, no matter what it looks like."""
    assert locate(f"{text} zzqx", BOOK) == ()
