"""Which units of a window are marked as a question's evidence, for the reader to learn from."""

from __future__ import annotations

import pytest

from bookbound.evidence.windowing import windows
from bookbound.model import Passage
from testing.builders import passage, table
from training.reader.marking import is_evidence, marked

LOADS = table("Item | Cost | Weight", "Wagon | 35 gp | 400 lb.", "Cart | 15 gp | 200 lb.")
EVENTS = passage("P(A | B) is the chance of A once B has happened.", "It differs from P(B | A) as a rule.")


def labels_of(found: Passage, *quotes: str) -> tuple[list[int], float]:
    """The labels of a passage's units, and the share of the best-held quote."""
    [window] = windows(found, max_tokens=200, count_tokens=lambda text: len(text.split()))
    read, share = marked(window, [{"file": found.document, "quote": quote} for quote in quotes])
    return [label for _, _, labels in read for label in labels], share


@pytest.mark.parametrize(
    "quote",
    [
        "| Wagon | 35 gp | 400 lb. |",
        "| **Wagon**   | 35 gp    | `400 lb.` |",
        "Wagon | 35 gp |",
        "| Item | Cost | Weight |\n|:---|---:|---|\n| Wagon | 35 gp | 400 lb. |",
    ],
)
def test_a_quoted_row_is_found_although_it_is_read_with_the_header_s_names(quote: str) -> None:
    """Else the row that answers would be learned as one that does not."""
    assert labels_of(LOADS, quote) == ([1, 0], 1.0)


def test_a_row_with_other_cells_is_no_evidence() -> None:
    """A number within a longer one is another number."""
    assert labels_of(LOADS, "| Wagon | 5 gp | 400 lb. |") == ([0, 0], 0.0)
    assert labels_of(LOADS, "| Wagon | 35 gp | 4 |") == ([0, 0], 0.0)
    assert labels_of(LOADS, "| Item | Cost | Weight |\n|---|---|---|") == ([0, 0], 0.0)


def test_rows_of_a_quote_add_up() -> None:
    """A comparison of rows needs all of them."""
    both, share = labels_of(LOADS, "| Wagon | 35 gp | 400 lb. |\n| Cart | 15 gp | 200 lb. |")
    assert (both, share) == ([1, 1], pytest.approx(1.0))
    _, half = labels_of(LOADS, "| Wagon | 35 gp | 400 lb. |\n| Sled | 20 gp | 300 lb. |")
    assert 0.4 < half < 0.6


def test_bars_in_prose_make_no_table() -> None:
    """A sentence is found by its words, whatever signs stand in it."""
    assert labels_of(EVENTS, "**P(A | B)** is the chance of A once B") == ([1, 0], pytest.approx(1.0))


def test_a_sentence_of_a_selection_is_evidence_where_it_shares_words_with_a_quote() -> None:
    """A short run that any two sentences share is none."""
    quote = {"file": "any.md", "quote": "Charge the *battery* every day."}
    assert is_evidence("Charge the battery every day, please.", [quote])
    assert not is_evidence("Charge it daily.", [quote])
